"""Edits of one decisive fact of a sodium-correction recipe that move a case to a neighbouring step."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict


def _valid(recipe: Mapping[str, Any]) -> list[list[Any]]:
    """Values from the index to 96 h after it that no comment voids."""
    return [row for row in recipe["serum_sodium"] if 0 <= row[0] <= 96 and row[2] == "none"]


def _rise(recipe: Mapping[str, Any], hours: float) -> int:
    rows = _valid(recipe)
    rises = [b[1] - a[1] for a in rows for b in rows if a[1] < 130 and 0 < b[0] - a[0] <= hours]
    return max(rises, default=0)


def _judged(recipe: Mapping[str, Any]) -> bool:
    """An index, a value within 24 h of it, no acute onset, no hyperglycemia."""
    rows = _valid(recipe)
    sampled = len(rows) > 1 and rows[1][0] <= 24
    plain = not any(row[1] >= 300 for row in recipe["glucose"]) and recipe["serum_sodium"][0][0] >= 0
    return rows[0][1] <= 120 and sampled and plain


def _sampled(recipe: Mapping[str, Any]) -> bool:
    """No gap of more than 12 h that begins in the first day, none of more than 24 h in the second."""
    rows = _valid(recipe)
    steps = itertools.pairwise(rows)
    return all(b[0] - a[0] <= (12 if a[0] < 24 else 24) for a, b in steps if a[0] < 48 and a[1] < 130)


def _high(recipe: Mapping[str, Any]) -> bool:
    low = any(row[1] < 3.5 for row in recipe["potassium"] if abs(row[0]) <= 24)
    return low or bool(recipe["risk_statements"]) or recipe["serum_sodium"][0][1] <= 105


def potassium_low(recipe: Mapping[str, Any]) -> Edited:
    """A potassium of 3.2 mmol/L at the index where sodium rose by 9 or 10: yes."""
    family = all(row[0] in ("family", "social") for row in recipe["risk_statements"])
    low = any(row[1] < 3.5 for row in recipe["potassium"] if abs(row[0]) <= 24)
    if not _judged(recipe) or not family or low or not 8 < _rise(recipe, 24) <= 10 or _rise(recipe, 48) > 18:
        raise ValueError("needs a rise of 9 or 10 at normal risk")
    changed = deepcopy(dict(recipe))
    before, changed["potassium"][0][1] = recipe["potassium"][0][1], 3.2
    return Edited(changed, Verdict.YES, 6, f"potassium at the index: {before} -> 3.2 mmol/L")


def potassium_normal(recipe: Mapping[str, Any]) -> Edited:
    """No potassium below 3.5 where that alone made the risk high: no."""
    low = [row for row in recipe["potassium"] if abs(row[0]) <= 24 and row[1] < 3.5]
    if not _judged(recipe) or not low or recipe["risk_statements"] or not 8 < _rise(recipe, 24) <= 10:
        raise ValueError("needs a rise of 9 or 10 at a risk that potassium alone makes high")
    changed = deepcopy(dict(recipe))
    for row in changed["potassium"]:
        row[1] = round(row[1] + 0.9, 1) if abs(row[0]) <= 24 else row[1]
    return Edited(changed, Verdict.NO, 9, f"potassium within 24 h of the index: lowest {low[0][1]} -> 3.6 or more")


def peak_lower(recipe: Mapping[str, Any]) -> Edited:
    """The peaks 2 or 3 mmol/L lower, so that 24 h hold a rise of exactly 10: no."""
    if not _judged(recipe) or _high(recipe) or _rise(recipe, 24) <= 10 or not _sampled(recipe):
        raise ValueError("needs a rise24 above 10 at normal risk")
    by = _rise(recipe, 24) - 10
    changed = deepcopy(dict(recipe))
    top = max(row[1] for row in _valid(recipe))
    for row in changed["serum_sodium"]:
        row[1] = min(row[1], top - by)
    if _rise(changed, 24) != 10 or _rise(changed, 48) > 18:
        raise ValueError("the rise does not hang on the peak alone")
    return Edited(changed, Verdict.NO, 9, f"highest sodium: {top} -> {top - by} mmol/L, rise24 10")


def peak_higher(recipe: Mapping[str, Any]) -> Edited:
    """The value that reaches a rise of exactly 10 one mmol/L higher: yes."""
    rows = _valid(recipe)
    ends = [b for a in rows for b in rows if a[1] < 130 and 0 < b[0] - a[0] <= 24 and b[1] - a[1] == 10]
    if not _judged(recipe) or _rise(recipe, 24) != 10 or _rise(recipe, 48) > 18:
        raise ValueError("needs a rise24 of exactly 10")
    changed = deepcopy(dict(recipe))
    row = next(row for row in changed["serum_sodium"] if row[0] == ends[0][0])
    row[1] += 1
    return Edited(changed, Verdict.YES, 5, f"sodium at {row[0]:+g} h: {row[1] - 1} -> {row[1]} mmol/L")


def gap_opened(recipe: Mapping[str, Any]) -> Edited:
    """The values of the first day after the first 6 h but the last are not drawn: lack of data."""
    if not _judged(recipe) or not _sampled(recipe) or _rise(recipe, 24) > 8 or _rise(recipe, 48) > 18:
        raise ValueError("needs a case that passes no limit and is sampled")
    changed = deepcopy(dict(recipe))
    inside = [row for row in changed["serum_sodium"] if 6 < row[0] < 20]
    changed["serum_sodium"] = [row for row in changed["serum_sodium"] if row not in inside]
    if not inside or _sampled(changed) or _valid(changed)[1][0] > 24:
        raise ValueError("no gap arises")
    return Edited(changed, Verdict.LACK, 8, f"sodium at {inside[0][0]:+g} h: drawn -> not drawn")


def contamination_unsaid(recipe: Mapping[str, Any]) -> Edited:
    """The outlying value without the comment that voids it: yes."""
    void = [row for row in recipe["serum_sodium"] if row[2] != "none"]
    if not _judged(recipe) or not void or _rise(recipe, 24) > 10:
        raise ValueError("needs a value that a comment voids")
    changed = deepcopy(dict(recipe))
    for row in changed["serum_sodium"]:
        row[2] = "none"
    return Edited(changed, Verdict.YES, 5, f"comment on {void[0][1]} at {void[0][0]:+g} h: contaminated -> none")


EDITS: tuple[Edit, ...] = (
    potassium_low,
    potassium_normal,
    peak_lower,
    peak_higher,
    gap_opened,
    contamination_unsaid,
)
