"""A small chart, and runs over it made through the real tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import Chart, Draft
from pytest_clinicare.environment import Corpus, Environment, parse_report
from pytest_clinicare.judging import Grade, JudgedRun, RulesJudge
from pytest_clinicare.suite import Case, Rubric, Scenario, load_suite

SUBJECT, HADM, EARLIER, STAY = 10000032, 20000001, 20000002, 30000001
ROOT = Path(__file__).resolve().parents[2]
FACTS = {
    "t0": "SELECT charttime FROM radiology WHERE hadm_id = :hadm_id ORDER BY charttime LIMIT 1",
    "t0_48h": "SELECT datetime(:t0, '+48 hours')",
    "year_before": "SELECT datetime(admittime, '-365 days') FROM admissions WHERE hadm_id = :hadm_id",
    "before": "SELECT datetime(admittime, '-12 hours') FROM admissions WHERE hadm_id = :hadm_id",
    "order_times": "SELECT ordertime FROM poe",
    "ct_notes": "SELECT note_id FROM radiology",
    "no_notes": "SELECT note_id FROM radiology WHERE charttime > '2200'",
    "summaries": "SELECT note_id FROM discharge",
    "creatinine": "SELECT 'labevents:' || labevent_id FROM labevents WHERE itemid = 50912",
    "nothing": "SELECT 1 WHERE 0",
}
SUMMARY = """Brief Hospital Course:
Warfarin was stopped because of bleeding. Lisinopril was given daily.
"""


@pytest.fixture(scope="session")
def chart_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draft = Draft(SUBJECT, 1)
    add = draft.add
    add("patients", gender="F", anchor_age=60, anchor_year=2150, anchor_year_group="2014 - 2016")
    for hadm_id, start, end in ((EARLIER, "2149-06-01", "2149-06-03"), (HADM, "2150-03-01", "2150-03-09")):
        times = {"admittime": f"{start} 10:00:00", "dischtime": f"{end} 15:00:00"}
        add("admissions", hadm_id=hadm_id, admission_type="EW EMER.", **times)
    add("icustays", hadm_id=HADM, stay_id=STAY, intime="2150-03-01 12:00:00", outtime="2150-03-04 00:00:00", los=2.5)
    add("d_labitems", itemid=50912, label="Creatinine", fluid="Blood", category="Chemistry")
    add("d_labitems", itemid=50971, label="Potassium", fluid="Blood", category="Chemistry")
    values = (
        (1, EARLIER, "2149-06-02 06:00:00", 0.9),
        (2, HADM, "2150-03-01 11:00:00", 1.0),
        (3, HADM, "2150-03-02 12:00:00", 1.5),
        (4, HADM, "2150-03-08 12:00:00", 1.1),
    )
    for number, hadm_id, time, value in values:
        row = {"charttime": time, "value": str(value), "valuenum": value, "valueuom": "mg/dL"}
        add("labevents", labevent_id=number, hadm_id=hadm_id, specimen_id=number, itemid=50912, **row)
    note = {"hadm_id": HADM, "note_seq": 1}
    text = "EXAMINATION: CT HEAD\nFINDINGS: none."
    add("radiology", note_id="r-1", note_type="RR", charttime="2150-03-01 20:00:00", text=text, **note)
    add("discharge", note_id="d-1", note_type="DS", charttime="2150-03-09 00:00:00", text=SUMMARY, **note)
    order = {"hadm_id": HADM, "poe_seq": 1, "order_type": "Radiology", "order_subtype": "CT Scan"}
    add("poe", poe_id="o-1", ordertime="2150-03-01 18:00:00", transaction_type="New", **order)
    add("diagnoses_icd", hadm_id=HADM, seq_num=1, icd_code="N179", icd_version=10)
    path = tmp_path_factory.mktemp("chart") / "chart.sqlite"
    draft.save(path)
    return path


@pytest.fixture
def chart(chart_file: Path) -> Iterator[Chart]:
    with Chart(chart_file) as opened:
        yield opened


@pytest.fixture(scope="session")
def scenario() -> Scenario:
    return load_suite().scenarios["post-ct-aki"]


Judge = Callable[..., Grade]


@pytest.fixture
def judged(chart: Chart, scenario: Scenario) -> Callable[..., JudgedRun]:
    """A run that made these calls and filed this report, under a rubric with these checks."""

    def run(
        checks: list[dict[str, Any]],
        calls: list[tuple[str, dict[str, Any]]],
        report: dict[str, Any],
        applies: list[dict[str, Any]] | None = None,
    ) -> JudgedRun:
        case = Case(id="post-ct-aki-01", scenario="post-ct-aki", subject_id=SUBJECT, hadm_id=HADM, stay_id=STAY)
        criterion = {"id": "X1", "kind": "must-do", "weight": 1, "text": "x", "rule": "x", "checks": checks}
        sources = {"hosp.labevents": {"start": "year_before", "end": "t0_48h"}}
        criteria = [{**criterion, "applies": applies or []}]
        rubric = Rubric.model_validate(
            {"scenario": "post-ct-aki", "facts": FACTS, "sources": sources, "criteria": criteria}
        )
        with Environment(chart, Corpus(ROOT / "policy_docs"), subject_id=SUBJECT, hadm_id=HADM) as environment:
            for tool, arguments in calls:
                result = environment.call(tool, arguments)
                assert result.ok, result.content
            environment.call("submit_report", {"verdict": "no", "rationale": "", **report})
            filed = environment.report or parse_report("")
            assert filed is not None
            trace = environment.events
        return JudgedRun(case=case, scenario=scenario, rubric=rubric, report=filed, trace=trace, chart=chart)

    return run


@pytest.fixture
def grade(judged: Callable[..., JudgedRun]) -> Judge:
    def of(*arguments: Any, **named: Any) -> Grade:
        return RulesJudge().grade(judged(*arguments, **named))[0]

    return of
