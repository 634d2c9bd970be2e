"""The borders of EPC-003: levels, goal time, starts, the limit of 12 h, the conflict window."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.eol_goal_concordance.pairs import EDITS
from pytest_clinicare.charts.synthetic.twins import committed_twins
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance.chart import level_of
from tests.systems.recipes import answer, case_of, cases_of, check_edits

SCENARIO = "eol-goal-concordance"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _comfort(recipe: dict[str, Any]) -> float:
    return float(next(h for h, level, _, _ in recipe["goals"] if level == "cmo"))


@pytest.mark.parametrize(
    ("value", "level"),
    [
        ("Resuscitate (Full code)", "L0"),
        ("Full code  (attempt resuscitation)", "L0"),
        ("DNAR (DO NOT attempt resuscitation for cardiac arrest)", "L1"),
        ("DNR (do not resuscitate)", "L1"),
        ("Do not resuscitate (DNR/DNI)", "L2"),
        ("DNR / DNI", "L2"),
        ("DNI (do not intubate)", "DNI"),
        ("Comfort measures only", "L3"),
        ("", ""),
    ],
)
def test_values_name_levels(value: str, level: str) -> None:
    assert level_of(value) == level


@pytest.mark.parametrize(("after", "verdict"), [(12.0, Verdict.YES), (12.0 + MINUTE, Verdict.NO)])
def test_twelve_hours_are_within_the_limit(tmp_path: Path, after: float, verdict: Verdict) -> None:
    case, recipe = _changed("ventilation-runs-on")
    comfort = _comfort(recipe)
    for row in recipe["interventions"]:
        if row[0] == "invasive-vent":
            row[2] = comfort + after
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("gap", "verdict"), [(1.0, Verdict.YES), (1.0 + MINUTE, Verdict.NO)])
def test_a_gap_of_an_hour_is_no_new_start(tmp_path: Path, gap: float, verdict: Verdict) -> None:
    case, recipe = _changed("pressor-started-after-cmo")
    comfort = _comfort(recipe)
    recipe["interventions"] = [row for row in recipe["interventions"] if row[0] != "pressor"]
    recipe["interventions"].append(["pressor", comfort - 4.0, comfort, "yes", []])
    recipe["interventions"].append(["pressor", comfort + gap, comfort + 4.0, "yes", []])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("before", "verdict"), [(12.0, Verdict.AMBIGUOUS), (12.0 + MINUTE, Verdict.NO)])
def test_conflict_counts_for_twelve_hours(tmp_path: Path, before: float, verdict: Verdict) -> None:
    case, recipe = _changed("order-against-charted-wish")
    tube = next(row[1] for row in recipe["interventions"] if row[0] == "intubation")
    order = next(h for h, level, source, _ in recipe["goals"] if source == "order" and level == "dnr-dni")
    for row in recipe["goals"]:
        if row[1] == "full" and row[0] > order:
            row[0] = tube - before
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_an_order_withdrawn_leaves_full_treatment(tmp_path: Path) -> None:
    case, recipe = _changed("intubated-after-dni")
    tube = next(row[1] for row in recipe["interventions"] if row[0] == "intubation")
    order = max(h for h, _, source, _ in recipe["goals"] if source == "order")
    recipe["goals"] = [row for row in recipe["goals"] if not (row[2] == "charted" and order < row[0] < tube + 8)]
    recipe["goals"].append([tube - 2.0, "full", "order", "D/C"])
    recipe["goals"].sort(key=lambda row: float(row[0]))
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_goal_of_the_day_before_is_before(tmp_path: Path) -> None:
    case, recipe = _changed("same-day-order-unknown")
    recipe["statements"] = [text.replace("day 4", "day 3") for text in recipe["statements"]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_another_end_is_outside_the_review(tmp_path: Path) -> None:
    case, recipe = _changed("dnr-with-full-icu-care", end="other")
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_a_mask_for_comfort_is_permitted(tmp_path: Path) -> None:
    case, recipe = _changed("niv-under-comfort-care")
    recipe["statements"] = ["Comfort measures only were chosen, and a mask was used for comfort."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)


def test_edits_give_twins_that_cross_yes_and_no() -> None:
    cases = {case.id: case for case in cases_of(SCENARIO)}
    twins = committed_twins(list(cases.values()))
    assert len(twins) >= 6
    crossed = {(cases[str(twin.pair_of)].verdict, twin.verdict) for twin in twins}
    assert {(Verdict.YES, Verdict.NO), (Verdict.NO, Verdict.YES)} <= crossed
