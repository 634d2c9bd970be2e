"""Edits of one decisive fact of a stroke-thrombolysis recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict


def _needle(recipe: Mapping[str, Any]) -> int:
    if not recipe["alteplase"] or not isinstance(recipe["lkw"], int):
        raise ValueError("needs a stroke dose and a last-known-well")
    return int(recipe["alteplase"][0][1])


def _last(recipe: Mapping[str, Any]) -> int:
    """Place of the last pressure before the needle."""
    needle = _needle(recipe)
    return max(n for n, row in enumerate(recipe["pressures"]) if row[0] <= needle)


def _high(recipe: Mapping[str, Any]) -> bool:
    row = recipe["pressures"][_last(recipe)]
    return bool(row[1] >= 185 or row[2] >= 110)


def _dosed(recipe: Mapping[str, Any]) -> bool:
    expected = min(0.9 * recipe["weight"], 90)
    return bool(abs(sum(row[0] for row in recipe["alteplase"]) - expected) < 0.09 * expected)


def _sound(recipe: Mapping[str, Any]) -> bool:
    """Treated in time with no fault."""
    needle = _needle(recipe)
    return needle - recipe["lkw"] <= 270 and not _high(recipe) and _dosed(recipe) and recipe["labs"][2] <= 1.7


def needle_late(recipe: Mapping[str, Any]) -> Edited:
    """Last known well 285 min before the needle: no."""
    if not _sound(recipe):
        raise ValueError("needs a sound treatment")
    changed, needle = deepcopy(dict(recipe)), _needle(recipe)
    changed["lkw"] = needle - 285
    return Edited(changed, Verdict.NO, 4, f"last-known-well to needle: {needle - recipe['lkw']} -> 285 min")


def needle_in_time(recipe: Mapping[str, Any]) -> Edited:
    """Last known well 240 min before the needle: yes."""
    needle = _needle(recipe)
    if needle - recipe["lkw"] <= 270 or _high(recipe):
        raise ValueError("needs a late treatment")
    changed = deepcopy(dict(recipe))
    changed["lkw"] = needle - 240
    return Edited(changed, Verdict.YES, 6, f"last-known-well to needle: {needle - recipe['lkw']} -> 240 min")


def pressure_over(recipe: Mapping[str, Any]) -> Edited:
    """The last pressure before the needle is 189 systolic: no."""
    if not _sound(recipe):
        raise ValueError("needs a sound treatment")
    changed, place = deepcopy(dict(recipe)), _last(recipe)
    before = changed["pressures"][place][1]
    changed["pressures"][place][1] = 189
    return Edited(changed, Verdict.NO, 4, f"last systolic pressure before the needle: {before} -> 189")


def pressure_fine(recipe: Mapping[str, Any]) -> Edited:
    """The last pressure before the needle is 176/92: yes."""
    if not _high(recipe):
        raise ValueError("needs a pressure over the limit")
    changed, place = deepcopy(dict(recipe)), _last(recipe)
    before = changed["pressures"][place][1:]
    changed["pressures"][place][1:] = [176, 92]
    return Edited(changed, Verdict.YES, 6, f"last pressure before the needle: {before[0]}/{before[1]} -> 176/92")


def _on_warfarin(recipe: Mapping[str, Any]) -> bool:
    return not recipe["alteplase"] and recipe["anticoagulant"] != "none" and recipe["anticoagulant"][0] == "warfarin"


def inr_over(recipe: Mapping[str, Any]) -> Edited:
    """The INR is 2.3: withholding is justified."""
    if not _on_warfarin(recipe) or recipe["labs"][2] > 1.7:
        raise ValueError("needs an untreated patient on warfarin with an INR within the limit")
    changed = deepcopy(dict(recipe))
    changed["labs"][2:4] = [2.3, 25.4]
    return Edited(changed, Verdict.YES, 7, f"INR: {recipe['labs'][2]} -> 2.3")


def inr_within(recipe: Mapping[str, Any]) -> Edited:
    """The INR is 1.6: withholding is not justified."""
    if not _on_warfarin(recipe) or recipe["labs"][2] <= 1.7:
        raise ValueError("needs an untreated patient on warfarin with an INR over the limit")
    changed = deepcopy(dict(recipe))
    changed["labs"][2:4] = [1.6, 17.6]
    return Edited(changed, Verdict.NO, 11, f"INR: {recipe['labs'][2]} -> 1.6")


def arrived_late(recipe: Mapping[str, Any]) -> Edited:
    """Last known well 305 min before arrival: no reason is needed."""
    known = isinstance(recipe["lkw"], int) and recipe["lkw"] >= -210
    if recipe["alteplase"] or not known or recipe["anticoagulant"] != "none" or recipe["patient"][1] > 80:
        raise ValueError("needs an untreated patient who came early")
    if any(word in recipe["decision"] for word in ("plate", "disabling", "tPA", "referring")):
        raise ValueError("needs a patient without an accepted reason")
    changed = deepcopy(dict(recipe))
    changed["lkw"] = -305
    return Edited(changed, Verdict.YES, 10, f"last-known-well to arrival: {-recipe['lkw']} -> 305 min")


def right_dose(recipe: Mapping[str, Any]) -> Edited:
    """0.9 mg/kg: yes."""
    _needle(recipe)
    if _dosed(recipe):
        raise ValueError("needs a wrong dose")
    changed = deepcopy(dict(recipe))
    before, total = sum(row[0] for row in recipe["alteplase"]), round(0.9 * recipe["weight"], 1)
    changed["alteplase"][0][0], changed["alteplase"][1][0] = (
        round(total / 10, 1),
        round(total - round(total / 10, 1), 1),
    )
    return Edited(changed, Verdict.YES, 6, f"alteplase: {before:g} -> {total:g} mg of {recipe['weight']} kg")


def bleed_recent(recipe: Mapping[str, Any]) -> Edited:
    """The bleed was two weeks ago: an exclusion."""
    if "14 months ago" not in recipe["history"][0] or recipe["alteplase"]:
        raise ValueError("needs an old GI bleed")
    changed = deepcopy(dict(recipe))
    changed["history"] = [recipe["history"][0].replace("14 months ago", "2 weeks ago")]
    return Edited(changed, Verdict.YES, 7, "GI bleed: 14 months -> 2 weeks ago")


EDITS: tuple[Edit, ...] = (
    needle_late,
    needle_in_time,
    pressure_over,
    pressure_fine,
    inr_over,
    inr_within,
    arrived_late,
    right_dose,
    bleed_recent,
)
