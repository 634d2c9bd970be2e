"""The rubrics that ship are sound; a mistake in one is named."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from pytest_clinicare.judging import validate_rubric
from pytest_clinicare.suite import Rubric, load_suite

CRITERION = {"id": "D1", "kind": "must-do", "weight": 1, "text": "x", "rule": "x"}


@pytest.mark.parametrize("name", sorted(load_suite().rubrics))
def test_rubric_that_ships_is_sound(name: str) -> None:
    rubric = load_suite().rubrics[name]
    assert validate_rubric(rubric) == []
    readers = [criterion.id for criterion in rubric.criteria if criterion.rule == "judge only"]
    assert [criterion.id for criterion in rubric.criteria if not criterion.checks] == readers


@pytest.mark.parametrize(
    ("rubric", "told"),
    [
        ({"criteria": [{**CRITERION, "checks": [{"check": "quried"}]}]}, "do you mean 'queried'"),
        ({"criteria": [{**CRITERION, "checks": [{"check": "fact"}]}]}, "criteria.D1.checks: check 'fact': fact"),
        ({"criteria": [{**CRITERION, "checks": [{"check": "fact", "fact": "t1"}]}]}, "no fact 't1'"),
        ({"criteria": [{**CRITERION, "checks": [{"check": "fact", "fact": "t0", "is": 1}]}]}, "is: Extra inputs"),
        ({"criteria": [{**CRITERION, "applies": [{"any": []}]}]}, "criteria.D1.applies: 'any' must be a list"),
        ({"facts": {"t0": "SELECT charttime FROM lab"}}, "facts.t0: no such table: lab"),
        ({"facts": {"a": "SELECT :b", "b": "SELECT 1"}}, "facts.a: ':b' is no earlier fact"),
        ({"sources": {"hosp.poe": {"start": "t9"}}}, "sources.hosp.poe: there is no fact 't9'"),
        ({"sources": {"hosp.poe": {"strat": "t9"}}}, "sources.hosp.poe: strat"),
    ],
)
def test_mistake_is_named(rubric: dict[str, Any], told: str) -> None:
    whole = {"scenario": "post-ct-aki", "facts": {"t0": "SELECT 1"}, "criteria": [CRITERION], **rubric}
    mistakes = validate_rubric(Rubric.model_validate(whole))
    assert len(mistakes) == 1
    assert told in mistakes[0]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("PMH: ESRD on HD\nTTS", True),
        ("He continued outpatient hemodialysis.", True),
        ("Family History: none" + " " * 420 + "Brief Hospital Course: maintenance\ndialysis", True),
        ("No history of ESRD on HD.", False),
        ("He is not on maintenance hemodialysis.", False),
        ("Discharged without maintenance dialysis.", False),
        ("Family History:\nFather had ESRD on HD.", False),
        ("Chronic kidney disease stage 3.", False),
    ],
)
def test_dialysis_that_only_a_summary_states_is_seen(text: str, stated: bool) -> None:
    sql = load_suite().rubrics["post-ct-aki"].facts["dialysis_notes"]
    database = sqlite3.connect(":memory:")
    database.executescript(
        "CREATE TABLE discharge (note_id, hadm_id, text); CREATE TABLE admissions (hadm_id, admittime)"
    )
    database.execute("INSERT INTO admissions VALUES (1, '2150-01-01 00:00:00')")
    database.execute("INSERT INTO discharge VALUES ('a', 1, ?)", (text,))
    assert bool(database.execute(sql, {"admittime": "2151-01-01 00:00:00"}).fetchall()) is stated
    database.close()
