"""Edits of one decisive fact of a hit-4ts recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.drugs import HEPARIN
from pytest_clinicare.suite import Verdict

_OTHERS = ("argatroban", "bivalirudin", "fondaparinux", "apixaban", "rivaroxaban")


def _heparin(recipe: Mapping[str, Any]) -> list[list[Any]]:
    return [row for row in recipe["courses"] if row[0] in HEPARIN and row[3] != "Not Given"]


def _others(recipe: Mapping[str, Any]) -> list[list[Any]]:
    return [row for row in recipe["courses"] if row[0] in _OTHERS]


def _scored(recipe: Mapping[str, Any]) -> float:
    """T0 of a case without a second reading."""
    if recipe["t0"] == "none" or recipe["bypass"] != "none" or recipe["died"] == "yes":
        raise ValueError("needs a total of 4 with one reading")
    return float(recipe["t0"])


def kept_on(recipe: Mapping[str, Any]) -> Edited:
    """Heparin given to 30 h after T0: no."""
    t0, given = _scored(recipe), _heparin(recipe)
    if not _others(recipe) or any(row[2] > t0 + 24 for row in given) or given[0][0] == "iv":
        raise ValueError("needs heparin that stopped in time, and an alternative")
    changed = deepcopy(dict(recipe))
    row = _heparin(changed)[0]
    before, row[2] = row[2] - t0, t0 + 30
    return Edited(changed, Verdict.NO, 6, f"last {row[0]} heparin: {before:+g} -> +30 h from T0")


def stopped(recipe: Mapping[str, Any]) -> Edited:
    """Every heparin ends 4 h after T0: yes."""
    t0 = _scored(recipe)
    if not _others(recipe) or not any(row[2] > t0 + 24 for row in _heparin(recipe)):
        raise ValueError("needs heparin after T0 + 24 h, and an alternative")
    changed = deepcopy(dict(recipe))
    late = max(row[2] for row in _heparin(recipe)) - t0
    for row in _heparin(changed):
        row[2] = min(row[2], t0 + 4)
    return Edited(changed, Verdict.YES, 8, f"last heparin of any form: {late:+g} -> +4 h from T0")


def started_late(recipe: Mapping[str, Any]) -> Edited:
    """The alternative begins 26 h after T0: no."""
    t0, others = _scored(recipe), _others(recipe)
    if not others or any(row[2] > t0 + 24 for row in _heparin(recipe)):
        raise ValueError("needs heparin that stopped in time, and an alternative")
    changed = deepcopy(dict(recipe))
    row = _others(changed)[0]
    before = row[1] - t0
    row[1], row[2] = t0 + 26, max(row[2], t0 + 40)
    return Edited(changed, Verdict.NO, 9, f"first {row[0]}: {before:+g} -> +26 h from T0")


def given_after_all(recipe: Mapping[str, Any]) -> Edited:
    """The prescribed agent is administered 6 h after T0: yes."""
    t0 = _scored(recipe)
    if not recipe["orders"] or _others(recipe):
        raise ValueError("needs an alternative that was ordered alone")
    changed = deepcopy(dict(recipe))
    drug = changed["orders"][0][0]
    changed["orders"] = []
    changed["courses"].append([drug, t0 + 6, t0 + 30, "Administered"])
    return Edited(changed, Verdict.YES, 8, f"{drug}: ordered, never given -> given from +6 h after T0")


def no_earlier_heparin(recipe: Mapping[str, Any]) -> Edited:
    """The earlier heparin lies 130 days back, so a fall within a day is too early: no."""
    if recipe["earlier"] == "none" or recipe["earlier"][0] > 30 or recipe["t0"] == "none" or recipe["t0"] > 24:
        raise ValueError("needs an onset within 24 h after heparin of the last 30 days")
    changed = deepcopy(dict(recipe))
    changed["earlier"] = [130, *recipe["earlier"][1:]]
    return Edited(
        changed, Verdict.NO, 4, f"last heparin of an earlier admission: {recipe['earlier'][0]} -> 130 days before"
    )


def falls_thirty(recipe: Mapping[str, Any]) -> Edited:
    """A count of 168 in place of 171, a fall of 30.3 %: the total reaches 5 with heparin going on: no remains, so the
    heparin is what fails."""
    if recipe["counts"][0][1] != 241:
        raise ValueError("needs the fall of 29.0 %")
    changed = deepcopy(dict(recipe))
    for row in changed["counts"]:
        if row[1] == 171:
            row[1] = 168
    return Edited(changed, Verdict.NO, 6, "platelets on day 6: 171 -> 168, a fall of 29.0 -> 30.3 %")


EDITS: tuple[Edit, ...] = (kept_on, stopped, started_late, given_after_all, no_earlier_heparin, falls_thirty)
