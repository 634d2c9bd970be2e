"""The borders of CC-07: windows, limits, gases, heights, modes, and what imaging and summary leave open."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.ards_lung_protective.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.ventilator import control
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "ards-lung-protective"
MINUTE = 1 / 60
PLAIN = "textbook-protective"


def _recipe(variant: str = PLAIN) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, deepcopy(case.recipe)


def _only(recipe: dict[str, Any], rows: list[list[Any]]) -> None:
    """These settings in place of the controlled ones of the window."""
    before = [row for row in recipe["settings"] if row[0] <= 0]
    recipe["settings"] = [*before, *rows]


def _row(hour: float, volume: float, plateau: float = 24, mode: str = "CMV/ASSIST", seen: float = 0) -> list[Any]:
    return [hour, mode, volume, seen or volume, 10, plateau, 50]


@pytest.mark.parametrize(("volume", "verdict"), [(456.456, Verdict.YES), (457, Verdict.NO)])
def test_eight_millilitres_pass(tmp_path: Path, volume: float, verdict: Verdict) -> None:
    case, recipe = _recipe("at-the-limits")
    _only(recipe, [_row(hour, volume) for hour in (2.0, 6.0, 10.0, 14.0)])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("plateau", "verdict"), [(30, Verdict.YES), (30.5, Verdict.NO)])
def test_thirty_passes(tmp_path: Path, plateau: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    _only(recipe, [_row(hour, 440, plateau) for hour in (2.0, 6.0, 10.0, 14.0)])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("last", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.LACK)])
def test_the_window_ends_with_its_twenty_fourth_hour(tmp_path: Path, last: float, verdict: Verdict) -> None:
    """Four volumes are needed, the last of them at the end."""
    case, recipe = _recipe()
    _only(recipe, [_row(hour, 440) for hour in (2.0, 6.0, 10.0, last)])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(0.0, Verdict.LACK), (MINUTE, Verdict.YES)])
def test_the_window_begins_after_the_gas(tmp_path: Path, first: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    _only(recipe, [_row(hour, 440) for hour in (first, 6.0, 10.0, 14.0)])
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_an_even_count_takes_the_middle_of_two(tmp_path: Path) -> None:
    case, recipe = _recipe("at-the-limits")
    _only(recipe, [_row(hour, volume) for hour, volume in ((2.0, 300), (6.0, 450), (10.0, 470), (14.0, 480))])
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("CMV/ASSIST/AutoFlow", "volume"), ("CMV", "volume"), ("PRVC/AC", "volume"), ("APV (cmv)", "volume"),
        ("PCV+Assist", "pressure"), ("PCV+", "pressure"), ("P-CMV", "pressure"),
        ("SIMV/PSV", ""), ("MMV/PSV/AutoFlow", ""), ("CPAP/PSV", ""), ("APRV", ""), ("Standby", ""),
    ],
)  # fmt: skip
def test_controlled_modes(mode: str, kind: str) -> None:
    assert control(mode) == kind


def test_a_pressure_mode_counts_the_observed_volume(tmp_path: Path) -> None:
    case, recipe = _recipe()
    _only(recipe, [_row(hour, 0, mode="PCV+Assist", seen=640) for hour in (2.0, 6.0, 10.0, 14.0)])
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_spontaneous_and_simv_volumes_do_not_count(tmp_path: Path) -> None:
    case, recipe = _recipe()
    fine = [_row(hour, 440) for hour in (2.0, 6.0, 10.0, 14.0)]
    large = [_row(hour, 700, mode="SIMV/PSV") for hour in (15.0, 16.0, 17.0, 18.0, 19.0, 20.0)]
    _only(recipe, [*fine, *large])
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def _one_gas(recipe: dict[str, Any], po2: float, reported: float, charted: float, hour: float) -> None:
    recipe["gases"] = [[0.0, po2, reported, "ART."]]
    recipe["settings"] = [
        *([hour, *row[1:6], charted] for row in recipe["settings"][:1]),
        *(row for row in recipe["settings"] if row[0] > 0),
    ]


@pytest.mark.parametrize(("po2", "verdict"), [(150, Verdict.YES), (151, Verdict.LACK)])
def test_a_ratio_of_300_qualifies(tmp_path: Path, po2: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    _one_gas(recipe, po2, 50, 50, -0.5)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hour", "verdict"), [(-2.0, Verdict.YES), (-2.0 - MINUTE, Verdict.LACK)])
def test_oxygen_and_peep_are_charted_within_two_hours(tmp_path: Path, hour: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    recipe["vent"][0] = -3.0
    recipe["icu"][0] = -4.0
    recipe["arrival"] = -12.0
    _one_gas(recipe, 80, 0, 50, hour)
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_charted_oxygen_may_be_a_fraction(tmp_path: Path) -> None:
    case, recipe = _recipe()
    _one_gas(recipe, 80, 0, 0.5, -0.5)
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(("peep", "verdict"), [(5, Verdict.YES), (4, Verdict.LACK)])
def test_peep_is_at_least_five(tmp_path: Path, peep: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    _one_gas(recipe, 80, 50, 50, -0.5)
    recipe["settings"][0][4] = peep
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hour", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.LACK)])
def test_imaging_is_within_a_day_of_the_gas(tmp_path: Path, hour: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    recipe["gases"] = recipe["gases"][:1]
    recipe["imaging"] = [[hour, *recipe["imaging"][1][1:]]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_of_reports_that_disagree_the_nearest_decides(tmp_path: Path) -> None:
    case, recipe = _recipe()
    recipe["gases"] = recipe["gases"][:1]
    both = recipe["imaging"][1][1:]
    right = ["Right lower lobe consolidation, left lung clear.", "Right lower lobe consolidation."]
    recipe["imaging"] = [[-2.0, *both], [-1.0, *right]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK
    recipe["imaging"] = [[-2.0, *right], [-1.0, *both]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_overload_alone_excludes(tmp_path: Path) -> None:
    case, recipe = _recipe()
    recipe["summary"] = ["The bilateral opacities were attributed entirely to pulmonary edema from heart failure."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_the_summary_settles_an_open_report(tmp_path: Path) -> None:
    case, recipe = _recipe("oedema-or-ards")
    recipe["summary"] = ["Respiratory failure was due to pneumonia; the echo had been normal."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(("days", "verdict"), [(7, Verdict.YES), (7 + MINUTE / 24, Verdict.LACK)])
def test_onset_is_within_a_week_of_arrival(tmp_path: Path, days: float, verdict: Verdict) -> None:
    case, recipe = _recipe()
    recipe["gases"] = recipe["gases"][:1]
    recipe["arrival"] = -24 * days
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("second", "verdict"), [(162.0, Verdict.YES), (162.5, Verdict.AMBIGUOUS)])
def test_heights_five_centimetres_apart_agree(tmp_path: Path, second: float, verdict: Verdict) -> None:
    """Of 157 and 162 cm the one nearest to T0 is taken."""
    case, recipe = _recipe("two-heights")
    _only(recipe, [_row(hour, 445) for hour in (2.0, 6.0, 10.0, 14.0)])
    recipe["heights"] = [["icu", 157.0, "cm", "cm", -0.5], ["icu", second, "cm", "cm", 0.2]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_lower_rank_never_competes(tmp_path: Path) -> None:
    case, recipe = _recipe()
    recipe["heights"] = [["icu", 178.0, "cm", "cm", -0.5], ["outpatient", 58, "in", "in", -900]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["heights"] = recipe["heights"][1:]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_the_summary_may_hold_the_height(tmp_path: Path) -> None:
    case, recipe = _recipe("no-height")
    recipe["heights"] = [["summary", 192, "cm", "cm", 0]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
