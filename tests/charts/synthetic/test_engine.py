"""What holds for every synthetic chart, whatever its scenario."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from time import process_time

import pytest

from pytest_clinicare.charts import ChartError
from pytest_clinicare.charts.synthetic import build, known_scenarios
from pytest_clinicare.charts.synthetic.casefile import case_text
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.suite import Case, suite_root

ROOT = suite_root().cases


def cases_of(scenario: str) -> list[Case]:
    paths = sorted((ROOT / scenario).glob(f"{scenario}-*.toml"))
    return [Case(**tomllib.loads(path.read_text(encoding="utf-8"))) for path in paths]


SAMPLE = [case for scenario in known_scenarios() for case in cases_of(scenario)[::10]]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.id)
def test_chart_is_whole_and_tells_nothing(case: Case, open_built: Callable[[Case], sqlite3.Connection]) -> None:
    db = open_built(case)
    assert db.execute("select count(*), min(subject_id) from patients").fetchone() == (1, case.subject_id)
    for events, dictionary in (("labevents", "d_labitems"), ("chartevents", "d_items"), ("procedureevents", "d_items")):
        missing = f"select count(*) from {events} where itemid not in (select itemid from {dictionary})"
        assert db.execute(missing).fetchone()[0] == 0
    orphans = "select count(*) from emar where poe_id not in (select poe_id from poe)"
    assert db.execute(orphans).fetchone()[0] == 0
    stays = [row[0] for row in db.execute("select stay_id from icustays union all select stay_id from edstays")]
    moves = {row[0] for row in db.execute("select transfer_id from transfers")}
    assert set(stays) <= moves
    dump = "\n".join(db.iterdump()).lower()
    for word in (case.variant, case.scenario, "clinicare", "benchmark", "verdict"):
        assert word is None or word not in dump.replace("clinicare_", "")


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.id)
def test_ids_follow_time(case: Case, open_built: Callable[[Case], sqlite3.Connection]) -> None:
    """Numbers run with the clock, so that no id tells which rows a recipe placed."""
    db = open_built(case)
    for table, key, time in (
        ("labevents", "labevent_id", "charttime"),
        ("poe", "poe_seq", "ordertime"),
        ("emar", "emar_seq", "charttime"),
        ("radiology", "note_seq", "charttime"),
    ):
        times = [row[0] for row in db.execute(f"select {time} from {table} order by {key}")]
        assert times == sorted(times)


@pytest.mark.parametrize("scenario", known_scenarios())
def test_same_case_same_chart(scenario: str) -> None:
    case = cases_of(scenario)[0]
    assert build(case).rows == build(case).rows
    assert build(case).rows != build(case.model_copy(update={"seed": case.seed + 1})).rows


@pytest.mark.parametrize("scenario", known_scenarios())
def test_chart_is_built_fast(scenario: str) -> None:
    case = cases_of(scenario)[0]
    build(case)
    start = process_time()
    build(case)
    assert process_time() - start < 0.3


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.id)
def test_case_file_reads_back(case: Case) -> None:
    assert Case(**tomllib.loads(case_text(case))) == case


def test_change_and_discontinuation_are_linked_both_ways() -> None:
    case = Case(id="x-01", scenario="x", subject_id=10000001, seed=5)
    record = Record(case, "F", 61, 2150)
    admit = datetime(2150, 6, 3, 14, 20)
    enc = record.admission(admit, admit + timedelta(days=3))
    first = record.order(enc, "Radiology", "CT Scan", admit + timedelta(hours=1))
    second = record.order(enc, "Radiology", "CT Scan", admit + timedelta(hours=2), "Change", first)
    record.order(enc, "Radiology", "CT Scan", admit + timedelta(hours=3), "D/C", second)
    rows = record.finish().rows["poe"]
    ids = [row["poe_id"] for row in rows]
    assert [(row["transaction_type"], row["discontinue_of_poe_id"], row["discontinued_by_poe_id"]) for row in rows] == [
        ("New", None, ids[1]),
        ("Change", ids[0], ids[2]),
        ("D/C", ids[1], None),
    ]


def test_a_case_that_cannot_be_built_says_why() -> None:
    case = cases_of("post-ct-aki")[0]
    with pytest.raises(ChartError, match=r"no synthetic charts for scenario 'lupus'"):
        build(case.model_copy(update={"scenario": "lupus"}))
    recipe = {key: value for key, value in case.recipe.items() if key != "ct_report"}
    with pytest.raises(ChartError, match=rf"case {case.id}: its recipe cannot be built.*ct_report"):
        build(case.model_copy(update={"recipe": recipe}))
