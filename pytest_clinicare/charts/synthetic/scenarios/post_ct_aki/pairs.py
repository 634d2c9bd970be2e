"""Edits of one decisive fact of a post-ct-aki recipe that move a case to a neighbouring step.

Creatinine in mg/dL, hours from the index scan.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.plan_numbers import plus
from pytest_clinicare.suite import Verdict

_WINDOW = 48.0
_JUST_PAST = 49.25


def _baseline(recipe: Mapping[str, Any]) -> float:
    """Tier 1, its values in keeping with each other.

    Raises ValueError where the recipe has no scan, dialysis, or another tier.
    """
    prior = [value for days, value in recipe["prior_creatinine"] if 90 <= days <= 365]
    plain = recipe["dialysis"] == "none" and recipe["ct_report"].startswith("present")
    if not plain or not prior or max(prior) >= 1.5 * min(prior):
        raise ValueError("needs a scan, a settled tier 1 baseline and no dialysis")
    return float(min(prior))


def _window(recipe: Mapping[str, Any]) -> list[list[float]]:
    """Rows of the 48 h, as they lie in the recipe."""
    return [row for row in recipe["encounter_creatinine"] if 0 < row[0] <= _WINDOW]


def _rises(value: float, base: float) -> bool:
    return plus(value, -base) >= 0.3 or value >= 1.5 * base


def _advanced(recipe: Mapping[str, Any]) -> bool:
    return recipe["ckd_stage"][0] in "45"


def peak_below(recipe: Mapping[str, Any]) -> Edited:
    """The qualifying values of the window 0.2 above baseline, where two or more were drawn: no."""
    base, window = _baseline(recipe), _window(recipe)
    high = [value for _, value in window if _rises(value, base)]
    if len(window) < 2 or not high or plus(base, 0.2) >= 1.5 * base:
        raise ValueError("needs a rise in a window of two values or more")
    changed = deepcopy(dict(recipe))
    for row in _window(changed):
        row[1] = min(row[1], plus(base, 0.2))
    said = f"highest creatinine in the 48 h: {max(high)} -> {plus(base, 0.2)} mg/dL (baseline {base})"
    verdict, step = (Verdict.AMBIGUOUS, 7) if _advanced(recipe) else (Verdict.NO, 8)
    return Edited(changed, verdict, step, said)


def peak_reached(recipe: Mapping[str, Any]) -> Edited:
    """The last value of a quiet window 0.3 above baseline: yes."""
    base, window = _baseline(recipe), _window(recipe)
    if not window or any(_rises(value, base) for _, value in window):
        raise ValueError("needs a window without a rise")
    changed = deepcopy(dict(recipe))
    last = _window(changed)[-1]
    before, last[1] = last[1], plus(base, 0.3)
    said = f"creatinine at {last[0]:+g} h: {before} -> {last[1]} mg/dL (baseline {base})"
    return Edited(changed, Verdict.YES, 5, said)


def just_past(recipe: Mapping[str, Any]) -> Edited:
    """The only qualifying value drawn after the 48 h: no with two others in the window, else lack of data."""
    base, window = _baseline(recipe), _window(recipe)
    high = [row for row in window if _rises(row[1], base)]
    if len(high) != 1 or high[0] is not window[-1] or _advanced(recipe):
        raise ValueError("needs a rise in the last value of the window alone")
    later = [h for h, _ in recipe["encounter_creatinine"] if h > _WINDOW]
    if later and min(later) <= _JUST_PAST + 2:
        raise ValueError("needs a gap after the window")
    changed = deepcopy(dict(recipe))
    row = _window(changed)[-1]
    before, row[0] = row[0], _JUST_PAST
    said = f"time of creatinine {row[1]}: {before:+g} -> {_JUST_PAST:+g} h from the scan"
    verdict, step = (Verdict.NO, 8) if len(window) > 2 else (Verdict.LACK, 6)
    return Edited(changed, verdict, step, said)


def just_within(recipe: Mapping[str, Any]) -> Edited:
    """A rise that came up to 12 h after the window, drawn at 47 h: yes."""
    base, window = _baseline(recipe), _window(recipe)
    after = [row for row in recipe["encounter_creatinine"] if row[0] > _WINDOW]
    quiet = not any(_rises(value, base) for _, value in window) and (not window or window[-1][0] <= 45)
    if not quiet or not after or after[0][0] > 60 or not _rises(after[0][1], base):
        raise ValueError("needs a first rise soon after the window")
    changed = deepcopy(dict(recipe))
    row = next(row for row in changed["encounter_creatinine"] if row[0] > _WINDOW)
    before, row[0] = row[0], 47.0
    return Edited(changed, Verdict.YES, 5, f"time of creatinine {row[1]}: {before:+g} -> +47 h from the scan")


def lower_baseline(recipe: Mapping[str, Any]) -> Edited:
    """The tier 1 values so low that the highest of the window is 0.3 above them: yes."""
    base, window = _baseline(recipe), _window(recipe)
    if not window or any(_rises(value, base) for _, value in window) or _advanced(recipe):
        raise ValueError("needs a window without a rise, without CKD 4 or 5")
    by = plus(max(value for _, value in window), -0.3) - base
    changed = deepcopy(dict(recipe))
    for row in changed["prior_creatinine"]:
        if 90 <= row[0] <= 365:
            row[1] = plus(row[1], round(by, 1))
    low = min(row[1] for row in changed["prior_creatinine"] if 90 <= row[0] <= 365)
    if low < 0.5:
        raise ValueError("needs a baseline that can be lower")
    return Edited(changed, Verdict.YES, 5, f"tier 1 baseline: {base} -> {low} mg/dL")


def one_drawn(recipe: Mapping[str, Any]) -> Edited:
    """A quiet window in which only the first value was drawn: lack of data."""
    base, window = _baseline(recipe), _window(recipe)
    if len(window) < 2 or any(_rises(value, base) for _, value in window):
        raise ValueError("needs a window of two values or more without a rise")
    changed = deepcopy(dict(recipe))
    dropped = window[1:]
    changed["encounter_creatinine"] = [row for row in changed["encounter_creatinine"] if row not in dropped]
    return Edited(changed, Verdict.LACK, 6, f"creatinine values in the 48 h: {len(window)} -> 1")


EDITS: tuple[Edit, ...] = (peak_below, peak_reached, just_past, just_within, lower_baseline, one_drawn)
