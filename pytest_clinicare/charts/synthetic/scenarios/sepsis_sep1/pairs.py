"""Edits of one decisive fact of a sepsis-sep1 recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from math import ceil
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_LISTED = ("ceftriaxone", "cefepime", "piperacillin-tazobactam")


def _doses(recipe: Mapping[str, Any]) -> list[list[Any]]:
    return [row for row in recipe["antibiotics"] if row[3] == "Administered"]


def _blood(recipe: Mapping[str, Any]) -> int:
    return min((at for at, kind in recipe["cultures"] if kind == "blood"), default=9999)


def _plain(recipe: Mapping[str, Any]) -> bool:
    """One listed antibiotic after the culture, lactates in time, full care, no shock: every element met."""
    doses, lactates = _doses(recipe), recipe["lactates"]
    return bool(
        len(doses) == 1
        and doses[0][0] in _LISTED
        and _blood(recipe) <= doses[0][1] <= 180
        and len(lactates) == 2
        and lactates[0][0] == 0
        and 2 < lactates[0][1] < 4
        and lactates[1][0] <= 360
        and recipe["source"] == "ed"
        and not recipe["pressures"]
        and not any(row[4] < 90 for row in recipe["readings"])
        and (recipe["code_status"] == "none" or recipe["code_status"][1].startswith("DNR"))
        and not any("seizure" in text for text in recipe["summary"])
    )


def antibiotic_late(recipe: Mapping[str, Any]) -> Edited:
    """The first dose five minutes after the three hours: no."""
    if not _plain(recipe) or recipe["orders"]:
        raise ValueError("needs a bundle that is met with one antibiotic")
    changed = deepcopy(dict(recipe))
    first = recipe["antibiotics"][0][1]
    changed["antibiotics"][0][1] = 185
    changed["orders"] = [[recipe["antibiotics"][0][0], first - 9]]
    return Edited(changed, Verdict.NO, 7, f"first antibiotic: +{first} -> +185 min")


def antibiotic_in_time(recipe: Mapping[str, Any]) -> Edited:
    """The first dose two and a half hours after time zero: yes."""
    doses = _doses(recipe)
    if len(doses) != 1 or doses[0][0] not in _LISTED or doses[0][1] <= 180:
        raise ValueError("needs a listed antibiotic that came late")
    changed = deepcopy(dict(recipe))
    first = doses[0][1]
    changed["antibiotics"][0][1] = 150
    changed["orders"] = []
    return Edited(changed, Verdict.YES, 12, f"first antibiotic: +{first} -> +150 min")


def culture_first(recipe: Mapping[str, Any]) -> Edited:
    """The blood culture five minutes before the dose: yes."""
    doses = _doses(recipe)
    if len(doses) != 1 or not doses[0][1] < _blood(recipe) < 9999:
        raise ValueError("needs a blood culture after the antibiotic")
    changed = deepcopy(dict(recipe))
    before = _blood(recipe)
    for row in changed["cultures"]:
        if row[1] == "blood":
            row[0] = doses[0][1] - 5
    return Edited(changed, Verdict.YES, 12, f"first blood culture: +{before} -> +{doses[0][1] - 5} min")


def repeat_late(recipe: Mapping[str, Any]) -> Edited:
    """The second lactate after the six hours: no."""
    if not _plain(recipe) or recipe["orders"]:
        raise ValueError("needs a bundle that is met, with a repeat lactate")
    changed = deepcopy(dict(recipe))
    before = recipe["lactates"][1][0]
    changed["lactates"][1][0] = 372
    return Edited(changed, Verdict.NO, 8, f"repeat lactate: +{before} -> +372 min")


def repeat_in_time(recipe: Mapping[str, Any]) -> Edited:
    """The second lactate five and a half hours after time zero: yes."""
    lactates = recipe["lactates"]
    if len(lactates) != 2 or not 2 < lactates[0][1] < 4 or lactates[0][0] > 0 or lactates[1][0] <= 360:
        raise ValueError("needs a repeat lactate that came late")
    changed = deepcopy(dict(recipe))
    changed["lactates"][1][0] = 330
    return Edited(changed, Verdict.YES, 12, f"repeat lactate: +{lactates[1][0]} -> +330 min")


def pressor_in_time(recipe: Mapping[str, Any]) -> Edited:
    """Norepinephrine five hours after the trigger: yes."""
    if recipe["norepinephrine"] == "none" or recipe["norepinephrine_order"] == "none":
        raise ValueError("needs norepinephrine that came late")
    changed = deepcopy(dict(recipe))
    trigger = recipe["norepinephrine_order"] - 180
    before = recipe["norepinephrine"][0]
    changed["norepinephrine"][0] = changed["low_until"] = trigger + 300
    return Edited(changed, Verdict.YES, 12, f"norepinephrine from the trigger: +{before - trigger} -> +300 min")


def comfort_care(recipe: Mapping[str, Any]) -> Edited:
    """The code status is comfort measures only: excluded."""
    if recipe["code_status"] == "none" or not recipe["code_status"][1].startswith("DNR"):
        raise ValueError("needs a DNR status")
    changed = deepcopy(dict(recipe))
    changed["code_status"][1] = "Comfort measures only"
    changed["summary"][0] = "Comfort measures only were chosen by the family early on."
    return Edited(changed, Verdict.LACK, 2, f"code status: {recipe['code_status'][1]} -> comfort measures only")


def enough_fluid(recipe: Mapping[str, Any]) -> Edited:
    """The bolus is as large as the weight asks for: yes."""
    total = sum(row[1] for row in recipe["crystalloid"])
    needed = recipe["lactates"] and recipe["lactates"][0][1] >= 4
    if not needed or total / recipe["weight"] >= 27 or "limited" in " ".join(recipe["summary"]):
        raise ValueError("needs crystalloid that fell short without a reason")
    changed = deepcopy(dict(recipe))
    volume = 500 * ceil(28 * recipe["weight"] / 500)
    changed["crystalloid"][0][1:3] = [volume, 1500]
    told = f"crystalloid by trigger + 3 h: {total} -> {volume} mL of {recipe['weight']} kg"
    return Edited(changed, Verdict.YES, 12, told)


EDITS: tuple[Edit, ...] = (
    antibiotic_late,
    antibiotic_in_time,
    culture_first,
    repeat_late,
    repeat_in_time,
    pressor_in_time,
    comfort_care,
    enough_fluid,
)
