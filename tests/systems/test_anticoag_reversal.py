"""The borders of HEM-03: time, dose, INR, last dose, weight, vitamin K and hold."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.anticoag_reversal.pairs import EDITS
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import ROOT, answer, case_of, check_edits

SCENARIO = "anticoag-reversal"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _inr(recipe: dict[str, Any], value: float) -> None:
    next(row for row in recipe["inr"] if -6 <= row[0] <= 1)[1] = value


@pytest.mark.parametrize(("minute", "verdict"), [(120, Verdict.YES), (121, Verdict.NO)])
def test_first_dose_within_120_minutes(tmp_path: Path, minute: int, verdict: Verdict) -> None:
    case, recipe = _changed("vka-sdh-fixed-1500")
    recipe["agents"][0][4] = [minute]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("vitamin", "verdict"),
    [
        ([10, "IV", 240], Verdict.YES),
        ([10, "IV", 241], Verdict.NO),
        ([5, "IV", 60], Verdict.YES),
        ([2.5, "IV", 60], Verdict.NO),
        ([10, "PO", 60], Verdict.NO),
        ("none", Verdict.NO),
    ],
)
def test_vitamin_k(tmp_path: Path, vitamin: Any, verdict: Verdict) -> None:
    case, recipe = _changed("vka-sdh-fixed-1500", vitamin_k=vitamin)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("units", "inr", "weight", "verdict"),
    [
        (2500, 2.0, 100, Verdict.YES),
        (3000, 3.9, 130, Verdict.YES),
        (3001, 3.9, 130, Verdict.NO),
        (2000, 3.9, 100, Verdict.YES),
        (1999, 3.9, 100, Verdict.NO),
        (2800, 4.0, 130, Verdict.YES),
        (2799, 4.0, 130, Verdict.NO),
        (4200, 6.0, 130, Verdict.YES),
        (4200, 6.1, 130, Verdict.YES),
        (3999, 6.1, 130, Verdict.NO),
        (1000, 3.0, 130, Verdict.YES),
        (1500, 3.0, 130, Verdict.NO),
    ],
)
def test_dose_by_band_and_capped_weight(
    tmp_path: Path, units: int, inr: float, weight: float, verdict: Verdict
) -> None:
    case, recipe = _changed("vka-weight-cap", weight_kg=float(weight))
    recipe["agents"][0][1] = units
    _inr(recipe, inr)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("inr", "verdict"), [(1.9, Verdict.AMBIGUOUS), (2.0, Verdict.NO)])
def test_effect_of_warfarin_from_2(tmp_path: Path, inr: float, verdict: Verdict) -> None:
    case, recipe = _changed("inr-below-2")
    _inr(recipe, inr)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("hours", "verdict"),
    [(2.0, Verdict.YES), (2.0 + MINUTE, Verdict.LACK), (-2.0, Verdict.YES)],
)
def test_window_of_the_inr(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    """An INR after the agent counts where none lies before it."""
    case, recipe = _changed("no-inr")
    recipe["inr"][1] = [hours, 2.9]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_the_inr_after_the_agent_is_passed_over(tmp_path: Path) -> None:
    case, recipe = _changed("vka-sdh-fixed-1500")
    recipe["inr"].append([1.95, 1.2])
    recipe["agents"][0][4] = [60]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(
    ("hours", "creatinine", "verdict"),
    [(48, 3.0, Verdict.NO), (49, 3.0, Verdict.AMBIGUOUS), (49, 1.6, Verdict.AMBIGUOUS), (49, 1.5, Verdict.YES)],
)
def test_last_dose_of_a_doac(tmp_path: Path, hours: int, creatinine: float, verdict: Verdict) -> None:
    case, recipe = _changed("doac-old-dose-ckd", creatinine=creatinine)
    recipe["history"] = recipe["history"].replace(f"{recipe['last_dose_h']:g} hours", f"{hours} hours")
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(7, Verdict.NO), (8, Verdict.YES)])
def test_high_dose_of_andexanet_below_8_hours(tmp_path: Path, hours: int, verdict: Verdict) -> None:
    case, recipe = _changed("rivaroxaban-andexanet-underdosed")
    recipe["history"] = recipe["history"].replace(f"{recipe['last_dose_h']:g} hours", f"{hours} hours")
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("apart", "verdict"), [(30, Verdict.YES), (31, Verdict.NO)])
def test_two_vials_are_one_dose_within_30_minutes(tmp_path: Path, apart: int, verdict: Verdict) -> None:
    case, recipe = _changed("dabigatran-two-vials")
    recipe["agents"][0][4] = [45, 45 + apart]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("pressures", "verdict"),
    [((89, 89), Verdict.NO), ((90, 89), Verdict.YES), ((90, 90), Verdict.YES)],
)
def test_two_pressures_below_90(tmp_path: Path, pressures: tuple[int, int], verdict: Verdict) -> None:
    case, recipe = _changed("gi-bleed-stable-no-agent")
    recipe["sbp"][1][1], recipe["sbp"][2][1] = pressures
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(24.0, Verdict.NO), (24.0 + MINUTE, Verdict.YES)])
def test_hold_of_24_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("anticoagulant-redosed")
    recipe["home_order"] = [hours, "Administered"]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_the_band_follows_the_inr_in_the_protocol() -> None:
    text = (ROOT / "policy_docs" / "refhosp-anticoag-reversal-audit.md").read_text(encoding="utf-8")
    assert "follows the INR of section 4.4" in " ".join(text.split())


def test_edits(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
