"""The borders of QA-011: day numbers, classes of stay, exclusions, the algorithm and its two conflicts."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.readmission_30d.pairs import EDITS
from pytest_clinicare.suite import Case, Verdict, load_suite
from pytest_clinicare.systems.scripted.investigators.readmission_30d.lists import (
    Code,
    acute,
    always_planned_diagnosis,
    always_planned_procedure,
    excluded_diagnosis,
    operation,
    potentially_planned,
)
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "readmission-30d"
YES, NO, LACK, AMBIGUOUS = Verdict.YES, Verdict.NO, Verdict.LACK, Verdict.AMBIGUOUS


def _changed(variant: str, **changes: Any) -> tuple[Case, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _return(recipe: dict[str, Any], column: int, value: Any, at: int = 0) -> None:
    recipe["returns"][at][column] = value


def _say(recipe: dict[str, Any], note: int, text: str) -> None:
    for row in recipe["statements"]:
        if row[0] == note:
            row[1] = text


@pytest.mark.parametrize(
    ("day", "clock", "verdict"), [(30, "23:59", YES), (30, "00:01", YES), (31, "00:00", NO), (31, "09:00", NO)]
)
def test_day_30_is_inside_and_day_31_is_not(tmp_path: Path, day: int, clock: str, verdict: Verdict) -> None:
    case, recipe = _changed("late-on-day-30")
    recipe["returns"][0][:2] = [day, clock]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ("EW EMER.", YES), ("DIRECT EMER.", YES), ("URGENT", YES), ("ELECTIVE", YES), ("OBSERVATION ADMIT", YES),
        ("SURGICAL SAME DAY ADMISSION", YES), ("EU OBSERVATION", NO), ("DIRECT OBSERVATION", NO),
        ("AMBULATORY OBSERVATION", NO),
    ],
)  # fmt: skip
def test_the_class_follows_the_type(tmp_path: Path, kind: str, verdict: Verdict) -> None:
    case, recipe = _changed("late-on-day-30")
    _return(recipe, 3, kind)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"index_discharge_location": "AGAINST ADVICE"}, LACK),
        ({"index_discharge_location": "ACUTE HOSPITAL"}, LACK),
        ({"index_discharge_location": "DIED"}, LACK),
        ({"index_discharge_location": "SKILLED NURSING FACILITY"}, YES),
        ({"index_class": "EU OBSERVATION"}, LACK),
        ({"index_class": "OBSERVATION ADMIT"}, YES),
        ({"patient": ["F", 17]}, LACK),
        ({"patient": ["F", 18]}, YES),
        ({"index_principal": ["F329", 10]}, LACK),
        ({"index_principal": ["G4733", 10]}, YES),
        ({"index_principal": ["C3490", 10], "index_procedures": []}, LACK),
        ({"index_principal": ["C3490", 10], "index_procedures": ["0DTN0ZZ"]}, YES),
    ],
)
def test_who_is_eligible(tmp_path: Path, changes: dict[str, Any], verdict: Verdict) -> None:
    case, recipe = _changed("late-on-day-30", **changes)
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_the_same_three_characters_continue_the_index(tmp_path: Path) -> None:
    case, recipe = _changed("same-day-continuation")
    assert answer(case, recipe, tmp_path).verdict is NO
    _return(recipe, 5, "I5023")
    assert answer(case, recipe, tmp_path).verdict is NO
    _return(recipe, 5, "J189")
    assert answer(case, recipe, tmp_path).verdict is YES


@pytest.mark.parametrize(("day", "verdict"), [(33, YES), (34, NO)])
def test_after_a_continuation_days_count_from_its_end(tmp_path: Path, day: int, verdict: Verdict) -> None:
    """Discharged on day 3; day 33 of the index is day 30 of the merged stay."""
    case, recipe = _changed("same-day-continuation")
    assert recipe["returns"][0][1] >= "19:00"
    _return(recipe, 1, "19:00")
    _return(recipe, 7, 66)
    second = next(n for n, row in enumerate(recipe["returns"]) if n and row[2] == "inpatient")
    recipe["returns"][second] = [day, "15:00", "inpatient", "EW EMER.", True, "J189", [], 60]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_code_alone_moves_infarction_to_a_conflict(tmp_path: Path) -> None:
    """Stable coronary disease with a stent is planned by step 5, and begun in the ED it is a conflict."""
    case, recipe = _changed("pci-for-acute-mi")
    _return(recipe, 5, "I2510")
    assert answer(case, recipe, tmp_path).verdict is AMBIGUOUS
    _return(recipe, 6, [])
    assert answer(case, recipe, tmp_path).verdict is YES


@pytest.mark.parametrize(
    ("kind", "via", "verdict"),
    [("EW EMER.", True, AMBIGUOUS), ("URGENT", True, AMBIGUOUS), ("URGENT", False, NO), ("ELECTIVE", True, NO)],
)
def test_conflict_a_needs_the_ed_and_an_emergency_type(tmp_path: Path, kind: str, via: bool, verdict: Verdict) -> None:
    case, recipe = _changed("planned-by-code-emergency-by-chart")
    _return(recipe, 3, kind)
    _return(recipe, 4, via)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("plan", "verdict"),
    [
        ("He will return in two weeks for scheduled second-stage revision of the hip.", AMBIGUOUS),
        ("Readmission for staged revision of the hip is arranged.", AMBIGUOUS),
        ("A clinic appointment for the hip is scheduled in two weeks.", YES),
        ("He will come in for a scheduled inguinal hernia repair.", YES),
        ("No surgery has been scheduled for the hip.", YES),
    ],
)
def test_a_plan_counts_for_the_care_that_it_names(tmp_path: Path, plan: str, verdict: Verdict) -> None:
    case, recipe = _changed("unplanned-by-code-scheduled-by-text")
    _say(recipe, 0, plan)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("She was recently at an outside hospital, dates unknown.", LACK),
        ("There was no stay at another hospital in the meantime.", NO),
        ("Films from an outside imaging center were looked at again.", NO),
    ],
)
def test_an_unclear_stay_elsewhere_defers(tmp_path: Path, told: str, verdict: Verdict) -> None:
    case, recipe = _changed("outside-stay-unclear")
    _say(recipe, 1, told)
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_an_unclear_stay_elsewhere_displaces_no_candidate(tmp_path: Path) -> None:
    case, recipe = _changed("late-on-day-30")
    _say(recipe, 1, "He was recently at an outside hospital after discharge.")
    assert answer(case, recipe, tmp_path).verdict is YES


def test_only_the_first_readmission_counts(tmp_path: Path) -> None:
    case, recipe = _changed("planned-then-unplanned")
    assert answer(case, recipe, tmp_path).verdict is NO
    _return(recipe, 5, "J189")
    _return(recipe, 6, [])
    assert answer(case, recipe, tmp_path).verdict is YES


@pytest.mark.parametrize(
    ("code", "version", "found"),
    [
        ("I5022", 10, False), ("I5032", 10, False), ("I5042", 10, False), ("I5033", 10, True), ("I509", 10, True),
        ("42832", 9, False), ("42833", 9, True), ("43301", 9, True), ("43300", 9, False), ("41071", 9, True),
        ("K8020", 10, False), ("K8000", 10, True), ("K810", 10, True), ("K811", 10, False), ("J449", 10, False),
        ("J441", 10, True), ("S72001A", 10, True), ("S7230XA", 10, False), ("T8451XA", 10, True),
        ("T800XXA", 10, False),
        ("M1611", 10, False), ("I2510", 10, False), ("E871", 10, True), ("99859", 9, True), ("R0789", 10, False),
    ],
)  # fmt: skip
def test_acute_codes(code: str, version: int, found: bool) -> None:
    assert (acute(Code(code, version)) is not None) is found


@pytest.mark.parametrize(
    ("code", "version", "found"),
    [
        ("027034Z", 10, True), ("0066", 9, True), ("0FT44ZZ", 10, True), ("0SR90JA", 10, True),
        ("0SR904A", 10, True),
        ("8151", 9, True), ("4A023N7", 10, False), ("30233N1", 10, False), ("02HV33Z", 10, False),
        ("0DTJ4ZZ", 10, False),
        ("0DTN0ZZ", 10, True), ("5122", 9, True), ("0Y6H0Z1", 10, True), ("8411", 9, True), ("8401", 9, False),
        ("02RF08Z", 10, True), ("0QS604Z", 10, False), ("5569", 9, False),
    ],
)  # fmt: skip
def test_potentially_planned_procedures(code: str, version: int, found: bool) -> None:
    assert (potentially_planned(Code(code, version)) is not None) is found


def test_always_planned() -> None:
    assert all(always_planned_procedure(Code(c, 10)) for c in ("0TY00Z0", "0TY10Z0", "30233Y0", "0FY00Z0", "02YA0Z0"))
    assert all(always_planned_procedure(Code(c, 9)) for c in ("4105", "5569", "5059", "3751", "3350"))
    assert not any(always_planned_procedure(Code(c, 10)) for c in ("30233N1", "0TT00ZZ"))
    assert all(always_planned_diagnosis(Code(c, 10)) for c in ("Z510", "Z5111", "Z5112"))
    assert all(always_planned_diagnosis(Code(c, 9)) for c in ("V580", "V5811", "V5812", "V5789"))
    assert not always_planned_diagnosis(Code("Z515", 10))


@pytest.mark.parametrize(
    ("code", "version", "out"),
    [
        ("F200", 10, True), ("F481", 10, True), ("F505", 10, False), ("F603", 10, True), ("F10239", 10, False),
        ("29620", 9, True), ("30390", 9, False), ("30928", 9, True), ("V5789", 9, True), ("C3490", 10, True),
        ("D0512", 10, False), ("1629", 9, True), ("V5811", 9, True), ("J189", 10, False),
    ],
)  # fmt: skip
def test_excluded_diagnoses(code: str, version: int, out: bool) -> None:
    assert (excluded_diagnosis(Code(code, version), []) is not None) is out


def test_an_operation_keeps_a_cancer_stay_in() -> None:
    assert operation(Code("0BTC0ZZ", 10))
    assert not operation(Code("02HV33Z", 10))
    assert excluded_diagnosis(Code("C3490", 10), [Code("0BTC0ZZ", 10)]) is None


def test_the_query_names_which_contradictions_defer() -> None:
    assert "one of the two ways" in load_suite().scenarios[SCENARIO].query


def test_edits(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
