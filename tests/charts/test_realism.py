"""``clinicare charts realism``: two sets of charts, measured alike and compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp
from typer.testing import CliRunner, Result

from pytest_clinicare.charts import SyntheticSource, open_chart
from pytest_clinicare.charts.realism import compare, ks_distance, measure, missing_items
from pytest_clinicare.cli import application
from pytest_clinicare.suite import load_suite

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


@given(NUMBERS, NUMBERS)
def test_the_distance_is_that_of_scipy(one: list[float], other: list[float]) -> None:
    assert ks_distance(one, other) == pytest.approx(ks_2samp(one, other, method="asymp").statistic)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Charts of one scenario under the names that real ones have."""
    folder = tmp_path_factory.mktemp("charts")
    suite = load_suite()
    source = SyntheticSource(tmp_path_factory.mktemp("cache"), suite.root.fixtures)
    for case in suite.cases:
        if case.scenario == "post-ct-aki":
            with source.chart(case) as chart:
                (folder / f"{case.subject_id}.sqlite").write_bytes(chart.path.read_bytes())
    return folder


def test_charts_do_not_differ_from_themselves(folder: Path) -> None:
    samples, labels = measure(open_chart(path) for path in folder.iterdir())
    lines = compare(samples, samples, labels)
    assert {line.measure for line in lines} >= {"admission_day", "admission", "gap", "value"}
    assert {line.distance for line in lines} == {0.0}
    assert missing_items(samples, samples, labels) == []


def test_numbers_are_those_of_the_chart(folder: Path) -> None:
    path = next(folder.iterdir())
    with open_chart(path) as chart:
        samples, _ = measure([chart])
        admissions = chart.rows("SELECT count(*) FROM admissions")[0][0]
        potassium = [
            row[0] for row in chart.rows("SELECT valuenum FROM labevents WHERE itemid = 50971 AND hadm_id > 0")
        ]
        hours = chart.rows(
            "SELECT max(charttime), min(charttime), 24 * (julianday(max(charttime)) - julianday(min(charttime))) "
            "FROM labevents WHERE itemid = 50971 AND hadm_id > 0 GROUP BY hadm_id"
        )
    assert len(samples["admission"]["diagnoses_icd"]) == admissions
    assert sorted(samples["value"]["50971"]) == sorted(potassium)
    assert sum(samples["gap"]["50971"]) == pytest.approx(sum(row[2] for row in hours))


def _realism(*arguments: object) -> Result:
    return CliRunner().invoke(application(), ["charts", "realism", *map(str, arguments)], env={"COLUMNS": "100"})


def test_a_shift_is_seen_and_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    monkeypatch.chdir(tmp_path)
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
        with sqlite3.connect(tmp_path / path.name) as db:
            db.execute("UPDATE labevents SET valuenum = valuenum + 3 WHERE itemid = 50971")
    result = _realism(tmp_path, "--scenario", "post-ct-aki", "--out", tmp_path / "picture.svg")
    assert result.exit_code == 0, result.output
    assert "What still differs (1 of " in result.output
    assert "Potassium: values, median" in result.output
    assert (tmp_path / "picture.svg").read_text().startswith("<?xml")


def test_mistakes_are_told(folder: Path, tmp_path: Path) -> None:
    empty = _realism(tmp_path)
    assert (empty.exit_code, "holds no charts; make them with" in empty.output) == (4, True)
    other = _realism(folder, "--scenario", "none-such")
    assert (other.exit_code, "there is no scenario 'none-such'" in other.output) == (4, True)
