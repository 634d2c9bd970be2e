"""Edits of one decisive fact of a pneumonia-curb65 recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.points import bounds, first_bun, items
from pytest_clinicare.suite import Verdict

_RATE, _SYSTOLIC, _DIASTOLIC = 2, 3, 4


def _eligible(recipe: Mapping[str, Any]) -> bool:
    """Pneumonia of the community, on the first film and treated."""
    return bool(recipe["arrival"] != "transfer" and recipe["imaging"][0][1] == "consolidation")


def _exactly(recipe: Mapping[str, Any], score: int) -> bool:
    return _eligible(recipe) and tuple(bounds(recipe)) == (score, score)


def _with_first_bun(recipe: Mapping[str, Any], value: int) -> dict[str, Any]:
    changed = deepcopy(dict(recipe))
    next(row for row in changed["bun"] if row[1] != "none")[1] = value
    return changed


def urea_of_nineteen(recipe: Mapping[str, Any]) -> Edited:
    """A score of 3 loses its point for urea: no."""
    before = first_bun(recipe)
    if not _exactly(recipe, 3) or not items(recipe)["urea"]:
        raise ValueError("needs a score of 3 with a point for urea")
    return Edited(_with_first_bun(recipe, 19), Verdict.NO, 6, f"first urea nitrogen: {before} -> 19 mg/dL")


def urea_of_twenty(recipe: Mapping[str, Any]) -> Edited:
    """A score of 2 gets a point for urea: yes."""
    before = first_bun(recipe)
    if not _exactly(recipe, 2) or items(recipe)["urea"] is not False:
        raise ValueError("needs a score of 2 without a point for urea")
    return Edited(_with_first_bun(recipe, 20), Verdict.YES, 5, f"first urea nitrogen: {before} -> 20 mg/dL")


def diastolic_of_sixty(recipe: Mapping[str, Any]) -> Edited:
    """A score of 2 gets a point for one reading in the window: yes."""
    if not _exactly(recipe, 2) or items(recipe)["pressure"] is not False:
        raise ValueError("needs a score of 2 without a point for pressure")
    changed = deepcopy(dict(recipe))
    row = min((r for r in changed["vitals"] if 0 <= r[0] <= 6), key=lambda r: int(r[_DIASTOLIC]))
    before, row[_DIASTOLIC] = row[_DIASTOLIC], 60
    return Edited(changed, Verdict.YES, 5, f"diastolic pressure at {row[0]:+g} h: {before} -> 60 mmHg")


def rate_of_twenty_nine(recipe: Mapping[str, Any]) -> Edited:
    """A score of 3 loses its point for the respiratory rate: no."""
    if not _exactly(recipe, 3) or not items(recipe)["rate"]:
        raise ValueError("needs a score of 3 with a point for the rate")
    changed = deepcopy(dict(recipe))
    fast = [r for r in changed["vitals"] if 0 <= r[0] <= 6 and r[_RATE] >= 30]
    before = max(r[_RATE] for r in fast)
    for row in fast:
        row[_RATE] = 29
    return Edited(changed, Verdict.NO, 6, f"highest respiratory rate in 6 h: {before} -> 29 per minute")


def confusion_is_new(recipe: Mapping[str, Any]) -> Edited:
    """Disorientation at the baseline, or of unknown standing, is new: yes."""
    least = bounds(recipe).least
    told = recipe["mental_status"][0]
    if not _eligible(recipe) or "ementia" not in recipe["past"] or least != 2 or "new confusion" in told.lower():
        raise ValueError("needs dementia and two points from the other items")
    changed = deepcopy(dict(recipe))
    changed["mental_status"][0] = "Oriented to self only; per family oriented x3 at baseline, so new confusion"
    return Edited(changed, Verdict.YES, 5, "mental status on arrival: new confusion per the family")


def baseline_is_unstated(recipe: Mapping[str, Any]) -> Edited:
    """Disorientation with dementia and nothing on the baseline: ambiguous."""
    told = recipe["mental_status"][0]
    if not _exactly(recipe, 2) or "ementia" not in recipe["past"] or "baseline" not in told.lower():
        raise ValueError("needs a baseline that decides")
    changed = deepcopy(dict(recipe))
    changed["mental_status"][0] = "Disoriented on arrival, no focal weakness"
    return Edited(changed, Verdict.AMBIGUOUS, 4, "mental status on arrival: nothing on the baseline")


def came_by_transfer(recipe: Mapping[str, Any]) -> Edited:
    """Presentation data lie in another hospital's record: lack of data."""
    if not _eligible(recipe) or recipe["arrival"] != "ED":
        raise ValueError("needs an arrival from home")
    changed = deepcopy(dict(recipe))
    changed["arrival"] = "transfer"
    return Edited(changed, Verdict.LACK, 1, "admission_location: EMERGENCY ROOM -> TRANSFER FROM HOSPITAL")


EDITS: tuple[Edit, ...] = (
    urea_of_nineteen,
    urea_of_twenty,
    diastolic_of_sixty,
    rate_of_twenty_nine,
    confusion_is_new,
    baseline_is_unstated,
    came_by_transfer,
)
