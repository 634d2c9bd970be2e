"""The borders of HEM-05: bands of the fall, onset days, windows after T0, and what counts as given."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.hit_4ts.score import drop, thrombocytopenia
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "hit-4ts"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


@pytest.mark.parametrize(
    ("baseline", "nadir", "points"),
    [(200, 100, 1), (200, 99, 2), (200, 140, 1), (200, 141, 0), (241, 171, 0), (200, 19, 1), (200, 9, 0), (200, 20, 2)],
)
def test_bands_of_the_fall(baseline: int, nadir: int, points: int) -> None:
    assert thrombocytopenia(drop(Decimal(baseline), Decimal(nadir)), Decimal(nadir)) == points


@pytest.mark.parametrize(("last", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_heparin_stops_within_24_hours_of_t0(tmp_path: Path, last: float, verdict: Verdict) -> None:
    case, recipe = _changed("intermediate-exactly-4")
    recipe["courses"][0][2] = recipe["t0"] + last
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_the_alternative_starts_within_24_hours_of_t0(tmp_path: Path, first: float, verdict: Verdict) -> None:
    case, recipe = _changed("intermediate-exactly-4")
    recipe["courses"][1][1] = recipe["t0"] + first
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_prophylactic_dose_is_no_alternative(tmp_path: Path) -> None:
    case, recipe = _changed("intermediate-exactly-4")
    recipe["courses"][1][0] = "fondaparinux-low"
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["summary"] = [*recipe["summary"], "There was a high bleeding risk."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(
    ("days", "verdict"), [(30, Verdict.YES), (31, Verdict.YES), (100, Verdict.YES), (101, Verdict.NO)]
)
def test_earlier_heparin_counts_for_100_days(tmp_path: Path, days: int, verdict: Verdict) -> None:
    """At 31 to 100 days a rapid onset scores 1: with a deep fall and a possible cause the total is still 4."""
    case, recipe = _changed("rapid-onset-recent-exposure")
    recipe["earlier"][0] = days
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_heparin_after_a_negative_antibody_does_not_count(tmp_path: Path) -> None:
    case, recipe = _changed("heparin-not-stopped")
    t0 = recipe["t0"]
    recipe["antibody"] = [t0 + 1, "NEGATIVE", 0.1, t0 + 12]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_fall_too_small_to_score_is_no(tmp_path: Path) -> None:
    case, recipe = _changed("fall-29-percent")
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_two_readings_need_a_complete_response(tmp_path: Path) -> None:
    case, recipe = _changed("biphasic-partial-recovery")
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS
    recipe["courses"][0][2] = recipe["t0"] + 40
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
