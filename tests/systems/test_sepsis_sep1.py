"""The borders of QD-SEP-03: time zero, the window of each element, volume, pressures, exclusions."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.pairs import EDITS
from pytest_clinicare.suite import Case, Verdict
from tests.systems.recipes import answer, case_of, cases_of, check_edits

SCENARIO = "sepsis-sep1"
POLICY = Path(__file__).resolve().parents[2] / "policy_docs" / "refhosp-sepsis-bundle-audit.md"


def _changed(variant: str, **changes: Any) -> tuple[Case, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


@pytest.mark.parametrize("case", cases_of(SCENARIO), ids=lambda case: case.id)
def test_time_zero_is_where_the_recipe_has_it(case: Case, tmp_path: Path) -> None:
    """The first culture lies so many minutes from time zero as the recipe says."""
    draft = answer(case, case.recipe, tmp_path)
    zero = next(c for c in draft.findings["F1"] if c.name == "time zero")
    if case.variant == "limbs-apart":
        assert zero.kind == "absence"
        return
    from datetime import datetime

    culture = next((c for c in draft.findings["F4"] if c.name == "first blood culture"), None)
    assert culture
    assert zero.time
    assert culture.time
    apart = datetime.fromisoformat(culture.time) - datetime.fromisoformat(zero.time)
    assert round(apart.total_seconds() / 60) == min(at for at, kind in case.recipe["cultures"] if kind == "blood")


@pytest.mark.parametrize(("at", "verdict"), [(180, Verdict.YES), (181, Verdict.NO)])
def test_the_antibiotic_is_in_time_to_the_minute(tmp_path: Path, at: int, verdict: Verdict) -> None:
    case, recipe = _changed("full-bundle-no-shock")
    recipe["antibiotics"][0][1] = at
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("after", "verdict"), [(0, Verdict.YES), (1, Verdict.NO)])
def test_a_culture_of_the_same_minute_passes(tmp_path: Path, after: int, verdict: Verdict) -> None:
    case, recipe = _changed("culture-after-antibiotic")
    recipe["cultures"][-1][0] = recipe["antibiotics"][0][1] + after
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("at", "verdict"), [(360, Verdict.YES), (361, Verdict.NO)])
def test_the_repeat_lactate_is_due_by_six_hours(tmp_path: Path, at: int, verdict: Verdict) -> None:
    case, recipe = _changed("full-bundle-no-shock")
    recipe["lactates"][1][0] = at
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("at", "verdict"), [(-360, Verdict.YES), (-361, Verdict.NO)])
def test_the_initial_lactate_looks_back_six_hours(tmp_path: Path, at: int, verdict: Verdict) -> None:
    case, recipe = _changed("lactate-outside-window")
    recipe["lactates"][0][0] = at
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("value", "verdict"), [(2.0, Verdict.YES), (2.1, Verdict.NO)])
def test_a_lactate_of_two_needs_no_repeat(tmp_path: Path, value: float, verdict: Verdict) -> None:
    case, recipe = _changed("lactate-two-kidney", lactates=[[0, value]])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("value", "verdict"), [(3.9, Verdict.YES), (4.0, Verdict.NO)])
def test_a_lactate_of_four_is_the_trigger(tmp_path: Path, value: float, verdict: Verdict) -> None:
    case, recipe = _changed("fluids-short-at-four")
    recipe["lactates"][0][1] = value
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("volume", "verdict"), [(1160, Verdict.YES), (1159, Verdict.NO)])
def test_27_ml_per_kg_suffices(tmp_path: Path, volume: int, verdict: Verdict) -> None:
    """80 kg: 2160 mL."""
    case, recipe = _changed("fluid-within-tolerance")
    recipe["crystalloid"] = [
        [14, 1000, 1000, "Sodium Chloride 0.9%", "emar"],
        [70, volume, 1000, "Lactated Ringers", "emar"],
    ]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_fluid_at_125_an_hour_does_not_count(tmp_path: Path) -> None:
    case, recipe = _changed("fluid-within-tolerance")
    recipe["crystalloid"].insert(0, recipe["crystalloid"].pop())
    recipe["crystalloid"][1] = [-200, 1000, 125, "Sodium Chloride 0.9%", "emar"]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(("sbp", "verdict"), [(89, Verdict.NO), (90, Verdict.YES)])
def test_a_systolic_of_90_is_no_hypotension(tmp_path: Path, sbp: int, verdict: Verdict) -> None:
    """Without a second low reading there is no trigger, and little fluid suffices."""
    case, recipe = _changed("fluid-within-tolerance")
    recipe["readings"][-1][4] = sbp
    recipe["crystalloid"] = recipe["crystalloid"][:1]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("after", "verdict"), [(360, Verdict.YES), (361, Verdict.NO)])
def test_the_vasopressor_starts_within_six_hours_of_the_trigger(tmp_path: Path, after: int, verdict: Verdict) -> None:
    """Also long after the hour that showed the hypotension (4.4)."""
    case, recipe = _changed("vasopressor-late")
    recipe["norepinephrine"][0] = recipe["readings"][-1][0] + after
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_one_low_reading_after_the_fluid_is_not_persistent(tmp_path: Path) -> None:
    case, recipe = _changed("vasopressor-late")
    recipe["pressures"][1][1:] = [104, 74]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(("at", "verdict"), [(360, Verdict.LACK), (361, Verdict.YES)])
def test_comfort_care_excludes_to_six_hours(tmp_path: Path, at: int, verdict: Verdict) -> None:
    case, recipe = _changed("late-comfort-care")
    recipe["code_status"][0] = at
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_stated_lesser_volume_with_its_reason_is_met(tmp_path: Path) -> None:
    case, recipe = _changed("restricted-fluid-no-volume")
    recipe["summary"][0] = "Fluids were limited to 1000 mL given EF 15% and pulmonary edema."
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("The lactate was due to the seizure.", Verdict.LACK),
        ("Lactate elevation may reflect seizure or sepsis.", Verdict.AMBIGUOUS),
        ("The lactate was thought to be due to sepsis.", Verdict.YES),
    ],
)
def test_attribution_of_the_lactate(tmp_path: Path, told: str, verdict: Verdict) -> None:
    case, recipe = _changed("seizure-lactate")
    recipe["summary"][0] = told
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_another_organ_dysfunction_settles_the_attribution(tmp_path: Path) -> None:
    case, recipe = _changed("seizure-lactate")
    recipe["draw"][2] = 2.6
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_combination_counts_from_its_later_member(tmp_path: Path) -> None:
    case, recipe = _changed("vancomycin-alone")
    recipe["antibiotics"] = [["vancomycin", 60, 2000, "Administered"], ["cefepime", 181, 2000, "Administered"]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_antibiotics_of_the_days_before_exclude(tmp_path: Path) -> None:
    """A dose from T0 - 72 h to T0 - 24 h in a patient who was in the hospital already."""
    case, recipe = _changed("full-bundle-no-shock", arrival=-1900)
    recipe["readings"][0][0] = -1900
    recipe["antibiotics"].append(["cefazolin", -1500, -1500, "Administered"])
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_the_protocol_says_which_target_starts_the_hour() -> None:
    """Sharpened in this copy of QD-SEP-03: 4.4."""
    text = " ".join(POLICY.read_text(encoding="utf-8").split())
    assert '"Target" is 30 mL/kg here' in text
    assert "A vasopressor started after that hour satisfies E6 too, up to trigger + 6 h." in text


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
