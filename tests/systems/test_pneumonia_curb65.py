"""The borders of RQ-05: limits, windows, the hierarchy of confusion, and bounds."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.pairs import EDITS
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "pneumonia-curb65"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


@pytest.mark.parametrize(("hours", "verdict"), [(6.0, Verdict.YES), (6 + MINUTE, Verdict.NO)])
def test_vital_signs_count_up_to_six_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("late-hypotension")
    recipe["vitals"] = [row for row in recipe["vitals"] if row[1] != "icu"]
    recipe["vitals"].append([hours, "ed", 22, 84, 64])
    recipe["ed"] = 7.0
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(24.0, Verdict.YES), (24 + MINUTE, Verdict.LACK)])
def test_urea_counts_up_to_a_day(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("no-urea-in-window")
    recipe["bun"] = [[0.75, "none"], [hours, 28]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("systolic", "diastolic", "verdict"),
    [(90, 61, Verdict.NO), (89, 61, Verdict.YES), (90, 60, Verdict.YES)],
)
def test_either_limb_of_the_pressure(tmp_path: Path, systolic: int, diastolic: int, verdict: Verdict) -> None:
    case, recipe = _changed("systolic-exactly-ninety")
    row = next(r for r in recipe["vitals"] if r[3] == 90)
    row[3:] = [systolic, diastolic]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("age", "verdict"), [(60, Verdict.NO), (61, Verdict.YES)])
def test_age_is_that_of_the_admission(tmp_path: Path, age: int, verdict: Verdict) -> None:
    case, recipe = _changed("urea-twenty")
    recipe["patient"][1] = age
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_no_rate_after_intubation(tmp_path: Path) -> None:
    case = next(c for c in _cases() if c.variant == "rate-exactly-thirty" and c.recipe["icu"] != "none")
    recipe = {**deepcopy(case.recipe), "intubation": 5.0}
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    assert answer(case, {**recipe, "intubation": 5.5}, tmp_path).verdict is Verdict.YES


def _cases() -> list[Any]:
    from tests.systems.recipes import cases_of

    return cases_of(SCENARIO)


def test_an_impossible_rate_is_disregarded(tmp_path: Path) -> None:
    case, recipe = _changed("late-hypotension")
    row = next(r for r in recipe["vitals"] if r[1] == "ed")
    row[2] = 71
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    row[2] = 70
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("Oriented to self only, at baseline", Verdict.NO),
        ("Oriented x1, family reports oriented x3 at baseline, new confusion", Verdict.YES),
        ("Disoriented on arrival, no focal weakness", Verdict.AMBIGUOUS),
        # Silent examination: the charting in intensive care decides, and there it says Confused.
        ("Moves all extremities, face symmetric", Verdict.AMBIGUOUS),
    ],
)
def test_the_examination_outranks_the_charting(tmp_path: Path, told: str, verdict: Verdict) -> None:
    case, recipe = _changed("baseline-dementia")
    recipe["mental_status"] = [told, "Confused"]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_confusion_without_a_chronic_disorder_scores(tmp_path: Path) -> None:
    case, recipe = _changed("late-hypotension", mental_status=["Disoriented on arrival, no focal weakness", "Oriented"])
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_first_film_after_two_days_is_no_pneumonia_on_presentation(tmp_path: Path) -> None:
    case, recipe = _changed("classic-severe")
    recipe["imaging"][0] = [1.5, "clear", 0]
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
