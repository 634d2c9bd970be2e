"""The borders of CC-SEP-02 and of SOFA: pairs, windows, points, doses held, baselines and what is set aside."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.sepsis3_sofa.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import sofa
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "sepsis3-sofa"
MINUTE = 1 / 60
NOON = datetime(2150, 1, 1, 12)
HOUR = timedelta(hours=1)


def _recipe(variant: str) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, deepcopy(case.recipe)


@pytest.mark.parametrize(
    ("value", "points"),
    [("1.1", 0), ("1.2", 1), ("1.9", 1), ("2.0", 2), ("3.4", 2), ("3.5", 3), ("4.9", 3), ("5.0", 4)],
)
def test_creatinine(value: str, points: int) -> None:
    assert sofa.kidney(Decimal(value)) == points


@pytest.mark.parametrize(
    ("value", "points"), [("1.1", 0), ("1.2", 1), ("2.0", 2), ("5.9", 2), ("6.0", 3), ("11.9", 3), ("12.0", 4)]
)
def test_bilirubin(value: str, points: int) -> None:
    assert sofa.liver(Decimal(value)) == points


@pytest.mark.parametrize(
    ("value", "points"), [(150, 0), (149, 1), (100, 1), (99, 2), (50, 2), (49, 3), (20, 3), (19, 4)]
)
def test_platelets(value: int, points: int) -> None:
    assert sofa.coagulation(Decimal(value)) == points


@pytest.mark.parametrize(
    ("ratio", "supported", "points"),
    [(400, True, 0), (399, False, 1), (300, True, 1), (299, False, 2), (200, True, 2), (199, True, 3), (199, False, 2),
     (100, True, 3), (99, True, 4), (99, False, 2)],
)  # fmt: skip
def test_ratio_of_oxygen(ratio: int, supported: bool, points: int) -> None:
    assert sofa.respiration(Decimal(ratio), supported) == points


@pytest.mark.parametrize(("total", "points"), [(15, 0), (14, 1), (13, 1), (12, 2), (10, 2), (9, 3), (6, 3), (5, 4)])
def test_glasgow(total: int, points: int) -> None:
    assert sofa.glasgow(total) == points


@pytest.mark.parametrize(
    ("drug", "rate", "points"),
    [
        ("norepinephrine", "0.1", 3),
        ("norepinephrine", "0.11", 4),
        ("epinephrine", "0.1", 3),
        ("epinephrine", "0.2", 4),
        ("dopamine", "5", 2),
        ("dopamine", "5.1", 3),
        ("dopamine", "15", 3),
        ("dopamine", "16", 4),
        ("dobutamine", "1", 2),
    ],
)
def test_catecholamines(drug: str, rate: str, points: int) -> None:
    assert sofa.catecholamine(drug, Decimal(rate)) == points


def _row(minutes: tuple[float, float], rate: float, unit: str = "mcg/kg/min", drug: str = "Norepinephrine") -> Any:
    start, end = (NOON + timedelta(minutes=m) for m in minutes)
    return {
        "drug": drug, "charttime": str(start), "endtime": str(end), "rate": rate, "rateuom": unit,
        "ref": "inputevents:1/2",
    }  # fmt: skip


def _points(*rows: Any) -> int:
    return max((scored.points for scored in sofa.of_drips(sofa.drips(rows))), default=0)


def test_a_dose_is_the_highest_rate_held_for_an_hour() -> None:
    assert _points(_row((0, 60), 0.12)) == 4
    assert _points(_row((0, 59), 0.12)) == 0
    assert _points(_row((0, 40), 0.08), _row((40, 60), 0.12), _row((60, 90), 0.08)) == 3
    assert _points(_row((0, 30), 0.12), _row((30, 60), 0.15)) == 4
    assert _points(_row((0, 30), 0.12), _row((40, 70), 0.12)) == 0
    assert _points(_row((0, 60), 0.0002, "mg/kg/min")) == 4
    assert _points(_row((0, 120), 2.4, "units/hour", "Vasopressin")) == 0
    assert _points(_row((0, 120), 1.0, drug="Phenylephrine")) == 0


@pytest.mark.parametrize(("culture", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_a_culture_follows_the_antibiotic_within_24_hours(tmp_path: Path, culture: float, verdict: Verdict) -> None:
    case, recipe = _recipe("antibiotic-first-near-limit")
    recipe["cultures"][0][0] = culture
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(72.0, Verdict.YES), (72.0 + MINUTE, Verdict.NO)])
def test_an_antibiotic_follows_the_culture_within_72_hours(tmp_path: Path, first: float, verdict: Verdict) -> None:
    case, recipe = _recipe("antibiotic-after-72-h")
    recipe["antibiotics"][0][2] = first
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hour", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_the_window_ends_24_hours_after_onset(tmp_path: Path, hour: float, verdict: Verdict) -> None:
    case, recipe = _recipe("late-values")
    recipe["cultures"] = [[0.0, "blood"]]
    recipe["labs"][2][0] = hour
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("begins", "verdict"), [(48.0, Verdict.YES), (48.0 + MINUTE, Verdict.NO)])
def test_onset_lies_within_48_hours_before_the_stay(tmp_path: Path, begins: float, verdict: Verdict) -> None:
    case, recipe = _recipe("antibiotic-after-72-h")
    recipe["times"][1] = begins
    recipe["times"][2] = begins + 50
    recipe["antibiotics"][0][1:3] = [1.0, 2.0]
    recipe["cultures"] = [[0.0, "blood"]]
    changed = answer(case, recipe, tmp_path)
    # The dose itself would begin a suspicion two hours later, were the culture not before it: onset stays the culture.
    assert changed.verdict is verdict


@pytest.mark.parametrize(("value", "verdict"), [(69, Verdict.NO), (70, Verdict.NO)])
def test_one_point_is_no_rise_of_two(tmp_path: Path, value: int, verdict: Verdict) -> None:
    case, recipe = _recipe("coded-sepsis-rise-of-one")
    recipe["pressures"] = [[6.5, value]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_low_pressure_and_low_platelets_need_the_same_24_hours(tmp_path: Path) -> None:
    case, recipe = _recipe("dysfunction-before-onset")
    recipe["labs"][1][2] = 120
    recipe["labs"][3][2] = 130
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["labs"][1][2] = 160
    recipe["labs"][2][2] = 155
    recipe["labs"][3][2] = 130
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(
    ("days", "verdict"), [(8, Verdict.NO), (6, Verdict.LACK), (364, Verdict.NO), (367, Verdict.LACK)]
)
def test_a_baseline_is_a_year_to_a_week_old(tmp_path: Path, days: int, verdict: Verdict) -> None:
    case, recipe = _recipe("baseline-unknown-ckd")
    recipe["prior"] = [[days, 2.8]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("last", "verdict"), [(72.0, Verdict.AMBIGUOUS), (72.0 + MINUTE, Verdict.YES)])
def test_excluded_infection_needs_a_stop_within_72_hours(tmp_path: Path, last: float, verdict: Verdict) -> None:
    case, recipe = _recipe("infection-excluded")
    first = recipe["antibiotics"][0][2]
    recipe["antibiotics"][0][3] = first + last
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_score_two_hours_after_sedation_is_not_used(tmp_path: Path) -> None:
    case, recipe = _recipe("sedated-gcs")
    after = recipe["sedation"][1]
    recipe["coma"] = [[after + 1.5, 1, 1, 4]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["vent"][1] = after + 0.1
    recipe["coma"] = [[after + 2 + MINUTE * 2, 1, 1, 4]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_prophylaxis_past_the_second_day_is_treatment(tmp_path: Path) -> None:
    case, recipe = _recipe("screen-and-prophylaxis")
    recipe["cultures"].append([20.0, "blood"])
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["antibiotics"][0][3] = 24 * 3 + 1
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_gas_makes_up_for_few_components(tmp_path: Path) -> None:
    """Four of six with a gas on the ventilator are enough for No."""
    case, recipe = _recipe("sparse-sampling")
    recipe["gases"] = [[5.0, 180.0, 40.0, "ART."]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["gases"] = [[5.0, 180.0, 40.0, "VEN."]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
