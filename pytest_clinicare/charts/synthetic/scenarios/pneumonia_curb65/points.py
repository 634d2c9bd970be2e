"""The five items as a recipe has them: least and greatest score, with which the plan and the edits check themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Bounds(NamedTuple):
    """Missing and undecided items count 0 in ``least`` and 1 in ``most``."""

    least: int
    most: int


def items(recipe: Mapping[str, Any]) -> dict[str, bool | None]:
    """Each item as positive, negative, or neither known."""
    _, anchor_age, anchor_year, year = recipe["patient"]
    bun = first_bun(recipe)
    inside = [row for row in recipe["vitals"] if 0 <= row[0] <= 6]
    breaths = [row[2] for row in inside if recipe["intubation"] == "none" or row[0] <= recipe["intubation"]]
    pressure = any(row[3] < 90 or row[4] <= 60 for row in inside)
    return {
        "confusion": confusion(recipe),
        "urea": None if bun is None else bun > 19,
        "rate": max(breaths) >= 30 if breaths else None,
        "pressure": pressure if inside else None,
        "age": anchor_age + year - anchor_year >= 65,
    }


def bounds(recipe: Mapping[str, Any]) -> Bounds:
    """The score with every unknown item at 0, and at 1."""
    found = items(recipe).values()
    least = sum(point is True for point in found)
    return Bounds(least, least + sum(point is None for point in found))


def first_bun(recipe: Mapping[str, Any]) -> float | None:
    """The earliest urea nitrogen of the first 24 h."""
    drawn = [value for hours, value in recipe["bun"] if 0 <= hours <= 24 and value != "none"]
    return drawn[0] if drawn else None


def confusion(recipe: Mapping[str, Any]) -> bool | None:
    """Whether the sentence of the examination tells new confusion."""
    told = recipe["mental_status"][0].lower()
    if "new confusion" in told:
        return True
    if "baseline" in told or "x3" in told or "times three" in told or "person, place" in told:
        return False
    return False if "alert and oriented" in told else None
