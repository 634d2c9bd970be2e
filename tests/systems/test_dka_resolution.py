"""The borders of RH-ENDO-02: runs and pauses, the window, limits, arterial pH, and acidosis of another kind."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.pairs import EDITS
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "dka-resolution"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _last(recipe: dict[str, Any], part: str) -> list[Any]:
    """The last row of the window."""
    row: list[Any] = [row for row in recipe[part] if -6 <= row[0] <= 0][-1]
    return row


@pytest.mark.parametrize(("glucose", "verdict"), [(199, Verdict.YES), (200, Verdict.NO)])
def test_glucose_is_below_200(tmp_path: Path, glucose: int, verdict: Verdict) -> None:
    case, recipe = _changed("at-the-limits")
    _last(recipe, "fingerstick")[1] = glucose
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("bicarbonate", "gap", "verdict"),
    [(15, 12, Verdict.YES), (14, 12, Verdict.LACK), (15, 13, Verdict.LACK), (14, 13, Verdict.NO)],
)
def test_bicarbonate_from_15_and_gap_to_12(tmp_path: Path, bicarbonate: int, gap: int, verdict: Verdict) -> None:
    """Without a pH, one criterion met leaves the question open and none met answers it."""
    case, recipe = _changed("at-the-limits")
    row = _last(recipe, "chemistry")
    row[3:5] = [row[1] - bicarbonate - gap, bicarbonate]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("ph", "kind", "verdict"),
    [
        (7.30, "venous", Verdict.NO),
        (7.31, "venous", Verdict.YES),
        (7.33, "arterial", Verdict.NO),
        (7.34, "arterial", Verdict.YES),
        (7.31, "unlabelled", Verdict.YES),
        (7.30, "mixed", Verdict.NO),
    ],
)
def test_ph_is_above_7_30_as_venous(tmp_path: Path, ph: float, kind: str, verdict: Verdict) -> None:
    case, recipe = _changed("ph-exactly-7-30")
    _last(recipe, "gas")[1:3] = [ph, kind]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("before", "verdict"), [(-6.0, Verdict.YES), (-6.0 - MINUTE, Verdict.LACK)])
def test_the_window_begins_6_hours_before_the_stop(tmp_path: Path, before: float, verdict: Verdict) -> None:
    case, recipe = _changed("no-chemistry-before-stop")
    next(row for row in recipe["chemistry"] if row[0] == -8.0)[0] = before
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("after", "verdict"), [(0.0, Verdict.YES), (MINUTE, Verdict.NO)])
def test_a_panel_at_the_stop_counts_and_none_after_it(tmp_path: Path, after: float, verdict: Verdict) -> None:
    case, recipe = _changed("closed-only-after-the-stop")
    next(row for row in recipe["chemistry"] if row[0] == 2.0)[0] = after
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(2.0, Verdict.YES), (2.0 + MINUTE, Verdict.NO)])
def test_a_pause_of_2_hours_is_no_stop(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    """With a longer one the run ends at the pause, where the gap was 20."""
    case, recipe = _changed("paused-then-continued")
    at = next(n for n, row in enumerate(recipe["infusion"]) if row[3] == "Paused")
    recipe["infusion"][at][1] = recipe["infusion"][at + 1][0] - hours
    recipe["infusion"] = [row for row in recipe["infusion"] if row[0] < row[1]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("rate", "verdict"), [(0.0, Verdict.NO), (2.0, Verdict.YES)])
def test_a_rate_of_zero_is_no_infusion(tmp_path: Path, rate: float, verdict: Verdict) -> None:
    case, recipe = _changed("paused-then-continued")
    at = next(n for n, row in enumerate(recipe["infusion"]) if row[3] == "Paused")
    resumed = recipe["infusion"][at + 1][0]
    recipe["infusion"][at][1] = resumed - 3
    recipe["infusion"] = [row for row in recipe["infusion"] if row[0] < row[1]]
    recipe["infusion"].append([resumed - 3, resumed, rate, "ChangeDose/Rate"])
    recipe["infusion"].sort()
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("chloride", "ketone", "verdict"),
    [(117, 0.3, Verdict.AMBIGUOUS), (117, 0.6, Verdict.NO), (110, 0.5, Verdict.AMBIGUOUS), (109, 0.3, Verdict.NO)],
)
def test_a_closed_gap_with_chloride_of_110(tmp_path: Path, chloride: int, ketone: float, verdict: Verdict) -> None:
    case, recipe = _changed("hyperchloremic")
    row = _last(recipe, "chemistry")
    row[1], row[3] = chloride + row[4] + 10, chloride
    _last(recipe, "bhb")[1] = ketone
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("lactate", "verdict"), [(3.9, Verdict.NO), (4.0, Verdict.AMBIGUOUS)])
def test_an_open_gap_with_lactate_of_4(tmp_path: Path, lactate: float, verdict: Verdict) -> None:
    case, recipe = _changed("ph-exactly-7-30")
    _last(recipe, "gas")[3] = lactate
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_the_highest_lactate_of_the_window_counts(tmp_path: Path) -> None:
    case, recipe = _changed("ph-exactly-7-30")
    recipe["gas"] = sorted([*recipe["gas"], [-4.0, 7.27, "venous", 4.1]])
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS


def test_an_open_gap_on_maintenance_dialysis(tmp_path: Path) -> None:
    case, recipe = _changed("ph-exactly-7-30", past="End stage renal disease on hemodialysis three times a week")
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS


@pytest.mark.parametrize(("highest", "verdict"), [(250, Verdict.AMBIGUOUS), (251, Verdict.YES)])
def test_presentation_glucose_is_above_250(tmp_path: Path, highest: int, verdict: Verdict) -> None:
    case, recipe = _changed("euglycemic-sglt2")
    recipe["presentation"][0] = highest
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("bicarbonate", "ph", "ketone", "verdict"),
    [
        (18, 7.36, "80", Verdict.YES),
        (19, 7.30, "80", Verdict.YES),
        (19, 7.31, "80", Verdict.LACK),
        (18, 7.30, "trace", Verdict.LACK),
    ],
)
def test_ketoacidosis_is_a_low_bicarbonate_or_ph_with_ketones(
    tmp_path: Path, bicarbonate: int, ph: float, ketone: str, verdict: Verdict
) -> None:
    case, recipe = _changed("coded-without-ketoacidosis")
    sodium = recipe["presentation"][3]
    recipe["presentation"][1:3] = [bicarbonate, ph]
    recipe["presentation"][4:6] = [sodium - bicarbonate - 11, ketone]
    for row in recipe["gas"][1:]:
        row[1] = 7.36
    recipe["gas"][0][1] = ph
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
