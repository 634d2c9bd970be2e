"""Edits of one decisive fact of an ards-lung-protective recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.ards_lung_protective.plan import predicted
from pytest_clinicare.suite import Verdict


def _centimetres(recipe: Mapping[str, Any]) -> list[float]:
    return [v * 2.54 if unit == "in" else v for source, v, unit, _, _ in recipe["heights"] if source == "icu"]


def _volumes(recipe: Mapping[str, Any]) -> list[list[Any]]:
    """Controlled settings of the window."""
    return [row for row in recipe["settings"] if 0 < row[0] <= 24 and row[2]]


def _middle(figures: list[float]) -> float:
    ordered, half = sorted(figures), len(figures) // 2
    return ordered[half] if len(figures) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _scored(recipe: Mapping[str, Any]) -> tuple[float, float, float]:
    """Predicted body weight, median volume per kilogram and median plateau of a case that gets as far as the limits."""
    read = [f"{findings} {impression}".lower() for hour, findings, impression in recipe["imaging"] if abs(hour) <= 24]
    plateaus = [row[5] for row in _volumes(recipe) if row[5]]
    arterial = any(hour == 0 and kind == "ART." for hour, _, _, kind in recipe["gases"])
    heights = _centimetres(recipe)
    left = any("versus" in text or "left lung clear" in text or "left lung is clear" in text for text in read)
    if not arterial or len(heights) != 1 or not plateaus or left:
        raise ValueError("needs established ARDS, one height and plateau pressures")
    weight = predicted(recipe["patient"][0], heights[0])
    return weight, _middle([row[2] for row in _volumes(recipe)]) / weight, _middle(plateaus)


def _fine(recipe: Mapping[str, Any]) -> tuple[float, float, float]:
    found = _scored(recipe)
    if found[1] > 8 or found[2] > 30:
        raise ValueError("needs ventilation inside both limits")
    return found


def larger_breaths(recipe: Mapping[str, Any]) -> Edited:
    """The set volumes of the window at 9 mL/kg: no."""
    weight, per, _ = _fine(recipe)
    changed = deepcopy(dict(recipe))
    volume = round(weight * 0.9) * 10
    for row in _volumes(changed):
        row[2] = volume
    return Edited(changed, Verdict.NO, 8, f"set volumes of the window: {per:.1f} -> {volume / weight:.1f} mL/kg")


def smaller_breaths(recipe: Mapping[str, Any]) -> Edited:
    """The set volumes of the window at 6.5 mL/kg: yes."""
    weight, per, plateau = _scored(recipe)
    if per <= 8 or plateau > 30:
        raise ValueError("needs a volume above the limit")
    changed = deepcopy(dict(recipe))
    volume = round(weight * 0.65) * 10
    for row in _volumes(changed):
        row[2] = volume
    return Edited(changed, Verdict.YES, 11, f"set volumes of the window: {per:.1f} -> {volume / weight:.1f} mL/kg")


def stiffer_lungs(recipe: Mapping[str, Any]) -> Edited:
    """The plateau pressures of the window at 31 or more: no."""
    _, _, plateau = _fine(recipe)
    changed = deepcopy(dict(recipe))
    for row in _volumes(changed):
        row[5] = row[5] + 10 if row[5] and row[5] < 26 else max(row[5], 31) if row[5] else 0
    after = _middle([row[5] for row in _volumes(changed) if row[5]])
    return Edited(changed, Verdict.NO, 10, f"median plateau pressure: {plateau:g} -> {after:g} cmH2O")


def softer_lungs(recipe: Mapping[str, Any]) -> Edited:
    """The plateau pressures of the window at 30 at most: yes."""
    _, per, plateau = _scored(recipe)
    if per > 8 or plateau <= 30:
        raise ValueError("needs a plateau pressure above the limit")
    changed = deepcopy(dict(recipe))
    for row in _volumes(changed):
        row[5] = min(row[5], 30)
    return Edited(changed, Verdict.YES, 11, f"median plateau pressure: {plateau:g} -> 30 cmH2O")


def taller(recipe: Mapping[str, Any]) -> Edited:
    """A charted height that makes the same volume pass: yes."""
    _, per, plateau = _scored(recipe)
    sex = recipe["patient"][0]
    volume = _middle([row[2] for row in _volumes(recipe)])
    heights = [row for row in recipe["heights"] if row[0] == "icu"]
    if per <= 8 or plateau > 30 or heights[0][2] != "cm":
        raise ValueError("needs a volume above the limit for a height in centimetres")
    tall = next((cm for cm in range(150, 200) if volume / predicted(sex, cm) <= 7.6), None)
    if tall is None:
        raise ValueError("no plausible height would do")
    changed = deepcopy(dict(recipe))
    changed["heights"] = [["icu", float(tall), "cm", "cm", heights[0][4]]]
    return Edited(changed, Verdict.YES, 11, f"height: {heights[0][1]:g} -> {tall} cm")


def height_unknown(recipe: Mapping[str, Any]) -> Edited:
    """No height in any source: lack of data."""
    _fine(recipe)
    changed = deepcopy(dict(recipe))
    changed["heights"] = []
    return Edited(changed, Verdict.LACK, 5, f"height: {_centimetres(recipe)[0]:g} cm -> none on record")


EDITS: tuple[Edit, ...] = (larger_breaths, smaller_breaths, stiffer_lungs, softer_lungs, taller, height_unknown)
