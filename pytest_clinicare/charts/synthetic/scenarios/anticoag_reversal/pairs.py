"""Edits of one decisive fact of an anticoag-reversal recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict


def _held(recipe: Mapping[str, Any]) -> bool:
    return bool(recipe["home_order"] != "none" and recipe["home_order"][1] == "Hold Dose")


def _concentrate(recipe: Mapping[str, Any]) -> list[Any]:
    """The row of a concentrate given in a critical bleed on warfarin, with a settled INR, weight and vitamin K."""
    first = recipe["agents"][0] if recipe["agents"] else ["", 0, "", 0, [], ""]
    if (
        recipe["anticoagulant"][0] != "warfarin"
        or recipe["site"] in ("gi", "nose")
        or first[0] != "Kcentra"
        or recipe["weight_from"] == "none"
        or recipe["vitamin_k"] == "none"
        or recipe["vitamin_k"][1] != "IV"
        or not any(-6 <= hours <= 0 and value >= 2 for hours, value in recipe["inr"])
    ):
        raise ValueError("needs a concentrate ordered in a critical bleed on warfarin, all else in order")
    return list(first)


def comes_late(recipe: Mapping[str, Any]) -> Edited:
    """The first dose 121 minutes after T0: no."""
    row = _concentrate(recipe)
    if row[5] != "Administered" or not row[4] or row[4][0] > 120:
        raise ValueError("needs a concentrate given in time")
    changed = deepcopy(dict(recipe))
    changed["agents"][0][4] = [121]
    return Edited(changed, Verdict.NO, 8, f"4F-PCC administered: +{row[4][0]} -> +121 min")


def comes_in_time(recipe: Mapping[str, Any]) -> Edited:
    """The first dose 120 minutes after T0: yes."""
    row = _concentrate(recipe)
    if row[5] != "Administered" or not row[4] or row[4][0] <= 120:
        raise ValueError("needs a concentrate given late")
    changed = deepcopy(dict(recipe))
    changed["agents"][0][4] = [120]
    return Edited(changed, Verdict.YES, 7, f"4F-PCC administered: +{row[4][0]} -> +120 min")


def given_after_all(recipe: Mapping[str, Any]) -> Edited:
    """The ordered concentrate has an administered row: yes."""
    row = _concentrate(recipe)
    if row[5] != "Not Given":
        raise ValueError("needs a concentrate that was not given")
    changed = deepcopy(dict(recipe))
    changed["agents"][0][4:] = [row[4] or [64], "Administered"]
    # Plasma and a concentrate are not mixed up: the INR that counts lies before both.
    return Edited(changed, Verdict.YES, 7, "eMAR of 4F-PCC: not given -> Administered within 120 min")


def dose_given_again(recipe: Mapping[str, Any]) -> Edited:
    """The home anticoagulant was administered within 24 h: no."""
    if not _held(recipe) or recipe["site"] != "gi":
        raise ValueError("needs a gastrointestinal bleed whose anticoagulant was held")
    changed = deepcopy(dict(recipe))
    changed["home_order"][1] = "Administered"
    return Edited(changed, Verdict.NO, 4, "eMAR of the home anticoagulant: Hold Dose -> Administered")


def dose_held(recipe: Mapping[str, Any]) -> Edited:
    """The home anticoagulant was not administered: yes."""
    if recipe["home_order"] == "none" or _held(recipe):
        raise ValueError("needs an anticoagulant that was given again")
    changed = deepcopy(dict(recipe))
    changed["home_order"][1] = "Hold Dose"
    return Edited(changed, Verdict.YES, 5, "eMAR of the home anticoagulant: Administered -> Hold Dose")


def becomes_unstable(recipe: Mapping[str, Any]) -> Edited:
    """Two systolic pressures below 90 an hour apart make a gastrointestinal bleed life-threatening: no."""
    if recipe["site"] != "gi" or not _held(recipe) or recipe["agents"]:
        raise ValueError("needs a stable gastrointestinal bleed without an agent")
    changed = deepcopy(dict(recipe))
    changed["sbp"][1][1], changed["sbp"][2][1] = 84, 86
    before = f"{recipe['sbp'][1][1]} and {recipe['sbp'][2][1]}"
    return Edited(changed, Verdict.NO, 8, f"SBP 68 and 127 min after arrival: {before} -> 84 and 86 mmHg")


def inr_of_two(recipe: Mapping[str, Any]) -> Edited:
    """An INR of 2.0 settles the effect, and no agent was given: no."""
    first = next((row for row in recipe["inr"] if -6 <= row[0] <= 0), None)
    if recipe["anticoagulant"][0] != "warfarin" or recipe["agents"] or first is None or first[1] >= 2:
        raise ValueError("needs a critical bleed on warfarin with an INR below 2.0")
    changed = deepcopy(dict(recipe))
    next(row for row in changed["inr"] if -6 <= row[0] <= 0)[1] = 2.0
    return Edited(changed, Verdict.NO, 8, f"INR on arrival: {first[1]} -> 2.0")


def weight_on_record(recipe: Mapping[str, Any]) -> Edited:
    """A clinic weight of this month fits the dose: yes."""
    if recipe["weight_from"] != "none":
        raise ValueError("needs a chart without a weight")
    changed = deepcopy(dict(recipe))
    changed["weight_from"] = "outpatient"
    text = f"weight on record: none -> {recipe['weight_kg']:g} kg in clinic"
    return Edited(changed, Verdict.YES, 7, text)


def one_vial(recipe: Mapping[str, Any]) -> Edited:
    """One vial of idarucizumab is half the dose: no."""
    if recipe["anticoagulant"][0] != "dabigatran" or len(recipe["agents"][0][4]) != 2:
        raise ValueError("needs idarucizumab in two rows")
    changed = deepcopy(dict(recipe))
    changed["agents"][0][4] = changed["agents"][0][4][:1]
    return Edited(changed, Verdict.NO, 8, "administered rows of idarucizumab 2.5 g: two -> one")


EDITS: tuple[Edit, ...] = (
    comes_late,
    comes_in_time,
    given_after_all,
    dose_given_again,
    dose_held,
    becomes_unstable,
    inr_of_two,
    weight_on_record,
    one_vial,
)
