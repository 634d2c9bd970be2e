"""From draft to chart: what is written is what is read, and nothing changes it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pytest_clinicare.charts import ChartError, Draft, open_chart, ref_of
from pytest_clinicare.charts.verify import verify_chart


def test_every_row_is_found_again_by_its_ref(draft: Draft, tmp_path: Path) -> None:
    draft.save(tmp_path / "chart.sqlite")
    with open_chart(tmp_path / "chart.sqlite") as chart:
        assert chart.subject_id == draft.subject_id
        for table, rows in draft.rows.items():
            for row in rows:
                found = chart.row(ref_of(table, row, rowid=1))
                assert found is not None
                assert {column: found[column] for column in row} == row


def test_only_the_written_ref_resolves(draft: Draft, tmp_path: Path) -> None:
    draft.save(tmp_path / "chart.sqlite")
    with open_chart(tmp_path / "chart.sqlite") as chart:
        assert chart.has_ref("hosp.labevents:20000006")
        wrong = ("labevents:020000006", "labevents:20000006.0", "labevents:1", "chartevents:r2", "notes:1", "nonsense")
        assert [ref for ref in wrong if chart.has_ref(ref)] == []


def test_chart_is_read_only(draft: Draft, tmp_path: Path) -> None:
    path = tmp_path / "a chart?.sqlite"
    draft.save(path)
    before = path.read_bytes()
    with open_chart(path) as chart:
        for statement in ("DELETE FROM labevents", "CREATE TABLE x (y)", "INSERT INTO provider VALUES ('P1')"):
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                chart.rows(statement)
    assert path.read_bytes() == before


def test_same_calls_give_the_same_file_whatever_their_order(tmp_path: Path) -> None:
    events = [f"2150-01-01 {hour:02}:00:00" for hour in range(9)]
    for name, times in (("a", events), ("b", events[::-1])):
        made = Draft(1, seed=5)
        for time in times:
            made.add("chartevents", hadm_id=1, stay_id=2, itemid=3, charttime=time, value=time)
        made.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_ids_are_a_function_of_the_seed() -> None:
    kinds = ["hadm", "stay", "transfer", "labevent"] * 50
    first, second, other = ([made.next_id(kind) for kind in kinds] for made in (Draft(1, 2), Draft(1, 2), Draft(1, 3)))
    assert first == second
    assert first != other
    assert len(set(first)) == len(first)
    assert [str(number)[0] for number in first[:4]] == ["2", "3", "3", "1"]
    assert {len(str(number)) for number in first} == {8}


def test_unknown_column_is_refused() -> None:
    with pytest.raises(KeyError, match="labevents has no column valunum"):
        Draft(1, 1).add("labevents", valunum=1.0)


def test_failed_save_leaves_nothing(draft: Draft, tmp_path: Path) -> None:
    draft.add("poe", poe_id="10000001-1", poe_seq=1, ordertime="2150-03-02 13:00:00", order_type="Lab")
    with pytest.raises(sqlite3.IntegrityError, match="poe_id"):
        draft.save(tmp_path / "charts" / "chart.sqlite")
    assert list((tmp_path / "charts").iterdir()) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such chart"),
        (b"", "not a chart"),
        (b"not SQLite at all, but text of some length " * 40, "not a chart"),
    ],
)
def test_what_is_no_chart_is_said_so(content: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ChartError, match=said):
        open_chart(path)
    assert verify_chart(path)[0].startswith(str(path))


def test_chart_of_another_version_is_refused(draft: Draft, tmp_path: Path) -> None:
    path = tmp_path / "chart.sqlite"
    draft.save(path)
    _change(path, "PRAGMA user_version=99")
    with pytest.raises(ChartError, match="chart format 99"):
        open_chart(path)


def test_sound_chart_has_no_problems(draft: Draft, tmp_path: Path) -> None:
    draft.save(tmp_path / "chart.sqlite")
    assert verify_chart(tmp_path / "chart.sqlite") == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            "INSERT INTO patients SELECT 5, gender, anchor_age, anchor_year, anchor_year_group, dod FROM patients",
            "2 rows",
        ),
        ("UPDATE labevents SET subject_id = 5", "1 row of another subject"),
        ("UPDATE labevents SET charttime = '2150-02-31 6:00'", "labevents.charttime: 1 row whose value is not a time"),
        ("UPDATE labevents SET charttime = '2150-13-01 06:00:00'", "labevents.charttime: 1 row"),
        ("UPDATE labevents SET valuenum = 'high'", "labevents.valuenum: 1 row whose value is not of the column's type"),
        ("INSERT INTO admissions SELECT * FROM admissions", "admissions: 1 value of its key"),
        ("UPDATE poe SET hadm_id = 7", "poe.hadm_id: 1 row whose row of admissions"),
        ("DELETE FROM d_labitems", "labevents.itemid: 1 row whose row of d_labitems"),
        ("DELETE FROM radiology_fts_docsize", "radiology: 1 notes, but 0 in the full-text index"),
        ("DROP TABLE pyxis", "table ed.pyxis is missing"),
    ],
)
def test_verify_finds(damage: str, said: str, draft: Draft, tmp_path: Path) -> None:
    path = tmp_path / "chart.sqlite"
    draft.save(path)
    _change(path, damage)
    assert any(said in problem for problem in verify_chart(path)), verify_chart(path)


def _change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()
