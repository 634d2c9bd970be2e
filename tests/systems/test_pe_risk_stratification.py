"""The borders of TH-09: windows, doses, runs of low pressure, causes of shock, addenda, filters."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.pe_risk_stratification.pairs import EDITS
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "pe-risk-stratification"
MINUTE = 1 / 60
YES, NO, LACK, AMBIGUOUS = Verdict.YES, Verdict.NO, Verdict.LACK, Verdict.AMBIGUOUS


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _low(recipe: dict[str, Any]) -> list[list[Any]]:
    return [row for row in recipe["bp"] if row[2] < 90]


@pytest.mark.parametrize(("hours", "verdict"), [(6.0, YES), (6 + MINUTE, NO)])
def test_the_first_dose_is_given_by_6_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("low-risk-apixaban")
    recipe["anticoagulant"][0][7] = [[hours, "Administered"]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("event", "verdict"), [("Started", YES), ("Not Started", NO), ("Flushed", NO), ("", NO)])
def test_events_that_are_doses(tmp_path: Path, event: str, verdict: Verdict) -> None:
    case, recipe = _changed("empiric-heparin-first", icu="none")
    recipe["anticoagulant"] = recipe["anticoagulant"][:1]
    recipe["anticoagulant"][0][7] = [[-1.0, event]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("dose", "often", "verdict"),
    [("80", "Q12H", YES), ("79", "Q12H", NO), ("120", "DAILY", YES), ("119", "DAILY", NO), ("40", "Q12H", NO)],
)
def test_enoxaparin_by_weight(tmp_path: Path, dose: str, often: str, verdict: Verdict) -> None:
    """0.8 mg/kg every 12 h and 1.2 mg/kg every 24 h, at 100 kg."""
    case, recipe = _changed("single-low-reading", weight=100, icu=[30, 104, 124])
    recipe["anticoagulant"][0][1], recipe["anticoagulant"][0][4] = dose, often
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("drug", "dose", "verdict"),
    [
        ("Apixaban", "10", YES),
        ("Apixaban", "5", NO),
        ("Rivaroxaban", "15", YES),
        ("Rivaroxaban", "20", NO),
        ("Rivaroxaban", "10", NO),
        ("Fondaparinux", "7.5", YES),
        ("Fondaparinux", "2.5", NO),
        ("Warfarin", "5", NO),
        ("Dabigatran Etexilate", "150", NO),
    ],
)
def test_doses_that_count(tmp_path: Path, drug: str, dose: str, verdict: Verdict) -> None:
    case, recipe = _changed("low-risk-apixaban")
    recipe["anticoagulant"][0][:2] = [drug, dose]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("minutes", "verdict"), [(15, YES), (16, NO)])
def test_low_pressure_of_more_than_15_minutes(tmp_path: Path, minutes: int, verdict: Verdict) -> None:
    case, recipe = _changed("single-low-reading")
    start = recipe["bp"][0][0]
    recipe["bp"][1] = [start + minutes / 60, "ed", 88, 96, 95]
    recipe["told"].insert(1, "Nothing was written about it.")
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("systolic", "verdict"), [(89, NO), (90, YES)])
def test_a_pressure_of_90_is_not_low_and_ends_a_run(tmp_path: Path, systolic: int, verdict: Verdict) -> None:
    case, recipe = _changed("single-low-reading")
    start = recipe["bp"][0][0]
    recipe["bp"] = [
        *recipe["bp"][:1], [start + 0.2, "ed", systolic, 96, 95], [start + 0.4, "ed", 88, 96, 95], *recipe["bp"][2:]
    ]  # fmt: skip
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("after", "verdict"), [(6.0, YES), (6 + MINUTE, NO), (-MINUTE, NO)])
def test_reperfusion_from_onset_to_6_hours(tmp_path: Path, after: float, verdict: Verdict) -> None:
    case, recipe = _changed("high-risk-lysed")
    onset = _low(recipe)[0][0]
    recipe["reperfusion"] = [["alteplase", 100, onset + after]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_catheter_treatment_is_reperfusion_and_not_systemic(tmp_path: Path) -> None:
    case, recipe = _changed("high-risk-lysed")
    recipe["reperfusion"] = [["catheter-directed thrombolysis", 0, _low(recipe)[0][0] + 3]]
    assert answer(case, recipe, tmp_path).verdict is YES
    case, recipe = _changed("strain-but-stable", reperfusion=[["catheter-directed thrombolysis", 0, 3.0]])
    assert answer(case, recipe, tmp_path).verdict is YES


@pytest.mark.parametrize(("dose", "verdict"), [(50, NO), (49, YES), (2, YES)])
def test_systemic_thrombolysis_is_50_mg_or_more(tmp_path: Path, dose: int, verdict: Verdict) -> None:
    case, recipe = _changed("strain-but-stable", reperfusion=[["alteplase", dose, 3.0]])
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_refusal_takes_the_place_of_reperfusion(tmp_path: Path) -> None:
    case, recipe = _changed("high-risk-heparin-only")
    recipe["told"].append("Thrombolysis and all other reperfusion were declined by the patient.")
    assert answer(case, recipe, tmp_path).verdict is YES


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Hypotension was due to septic shock from the urine.", YES),
        ("Shock, septic versus obstructive from the pulmonary embolism.", AMBIGUOUS),
        ("Obstructive shock from PE.", NO),
        ("Nothing was written on the cause.", NO),
    ],
)
def test_the_cause_of_shock(tmp_path: Path, sentence: str, verdict: Verdict) -> None:
    case, recipe = _changed("high-risk-heparin-only")
    recipe["told"][1] = sentence
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_an_undecided_cause_without_timely_anticoagulant_is_discordant(tmp_path: Path) -> None:
    case, recipe = _changed("septic-or-embolic-shock")
    recipe["anticoagulant"] = [["Apixaban", "10", "mg", "PO/NG", "BID", 19.0, 999, [[20.0, "Administered"]]]]
    assert answer(case, recipe, tmp_path).verdict is NO


def test_an_undecided_cause_with_reperfusion_is_concordant(tmp_path: Path) -> None:
    case, recipe = _changed("septic-or-embolic-shock", reperfusion=[["alteplase", 100, 3.0]])
    assert answer(case, recipe, tmp_path).verdict is YES


@pytest.mark.parametrize(("hours", "verdict"), [(48.0, YES), (48 + MINUTE, NO)])
def test_a_filter_by_48_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("filter-gi-bleed", filter=hours)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize("where", ["same report", "separate note"])
def test_an_addendum_withdraws_wherever_it_is_filed(tmp_path: Path, where: str) -> None:
    case, recipe = _changed("addendum-retracts")
    recipe["addendum"][0] = where
    assert answer(case, recipe, tmp_path).verdict is LACK
    recipe["addendum"] = ["none", ""]
    assert answer(case, recipe, tmp_path).verdict is YES


def test_acute_on_chronic_is_acute(tmp_path: Path) -> None:
    case, recipe = _changed("chronic-only")
    recipe["ct"][1] = recipe["ct"][3] = "Acute on chronic pulmonary embolism in lobar arteries."
    assert answer(case, recipe, tmp_path).verdict is NO


def test_a_lone_subsegmental_defect_treated_or_not_doubted(tmp_path: Path) -> None:
    case, recipe = _changed("lone-subsegmental")
    dose = ["Apixaban", "10", "mg", "PO/NG", "BID", 1.5, 999, [[2.0, "Administered"]]]
    assert answer(case, {**recipe, "anticoagulant": [dose]}, tmp_path).verdict is YES
    recipe["told"][-1] = "Breathing eased without further measures."
    assert answer(case, recipe, tmp_path).verdict is NO


def test_administrations_in_a_dark_hospital(tmp_path: Path) -> None:
    case, recipe = _changed("strain-but-stable", emar="absent", icu="none")
    assert answer(case, recipe, tmp_path).verdict is LACK


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
