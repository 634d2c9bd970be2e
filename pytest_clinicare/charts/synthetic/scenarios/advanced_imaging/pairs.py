"""Edits of one decisive fact of an advanced-imaging recipe that move a case to a neighbouring step.

Times in hours from the stay's intime.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_CLASS = ("CT Scan", "MRI", "Cross-Sectional Interventional Radiology")
_BODIES = ("CT", "MR", "CT-guided")


def _length(recipe: Mapping[str, Any]) -> float:
    if recipe["outtime"] == "missing":
        raise ValueError("needs a complete window")
    window = datetime.fromisoformat(recipe["outtime"]) - datetime.fromisoformat(recipe["intime"])
    return window.total_seconds() / 3600


def _study(recipe: Mapping[str, Any]) -> tuple[int, int]:
    """Places of the one live order of the class in the admission and of the one report that it has."""
    orders = [n for n, row in enumerate(recipe["orders"]) if row[0] in _CLASS and "D/C" not in row[2]]
    reports = [n for n, row in enumerate(recipe["reports"]) if row[3] in _BODIES and row[2] == "in-house"]
    if len(orders) != 1 or len(reports) != 1 or isinstance(recipe["reports"][reports[0]][1], str):
        raise ValueError("needs a single CT or MRI, ordered once and reported with its time")
    return orders[0], reports[0]


def _received(recipe: Mapping[str, Any]) -> tuple[int, int]:
    order, report = _study(recipe)
    if not 0 <= recipe["orders"][order][1] <= _length(recipe):
        raise ValueError("needs a CT or MRI ordered in the window")
    return order, report


def _radiographs(recipe: Mapping[str, Any]) -> int:
    return sum(row[0] not in (*_CLASS, "Echo") and 0 <= row[1] <= _length(recipe) for row in recipe["orders"])


def _cancelled(recipe: Mapping[str, Any]) -> bool:
    """Whether another order of the class was discontinued."""
    return any(row[0] in _CLASS and "D/C" in row[2] for row in recipe["orders"])


def cancelled_before(recipe: Mapping[str, Any]) -> Edited:
    """A D/C of the order before the study: a report in the window that no live order explains, lack of data."""
    order, report = _received(recipe)
    ordered, kept = recipe["orders"][order][1:]
    performed = recipe["reports"][report][1]
    if kept != "new" or _cancelled(recipe) or performed - ordered < 1 or performed > _length(recipe):
        raise ValueError("needs an order that was neither changed nor entered anew, reported in the window")
    changed = deepcopy(dict(recipe))
    at = round(ordered + 0.5, 2)
    changed["orders"][order][2] = f"new; D/C at {at}"
    return Edited(
        changed, Verdict.LACK, 3, f"transactions of the {recipe['orders'][order][0]} order: new -> D/C at {at} h"
    )


def never_reported(recipe: Mapping[str, Any]) -> Edited:
    """No report of the study: lack of data."""
    order, report = _received(recipe)
    changed = deepcopy(dict(recipe))
    title = changed["reports"].pop(report)[0]
    changed["summary_claim"] = "none"
    said = f"report of the {recipe['orders'][order][0]} order: {title} -> none"
    return Edited(changed, Verdict.LACK, 4, said)


def ordered_before(recipe: Mapping[str, Any]) -> Edited:
    """The order entered half an hour before intime, the scan an hour after it: no."""
    order, report = _received(recipe)
    ordered, kept = recipe["orders"][order][1:]
    if kept != "new" or recipe["other_stays"] or _cancelled(recipe) or not _radiographs(recipe):
        raise ValueError("needs an unchanged order beside radiographs, in the only stay")
    changed = deepcopy(dict(recipe))
    changed["orders"][order][1], changed["reports"][report][1] = -0.5, 1.0
    said = f"{recipe['orders'][order][0]} order: {ordered:+g} -> -0.5 h from intime, scan at +1 h"
    return Edited(changed, Verdict.NO, 7, said)


def ordered_after(recipe: Mapping[str, Any]) -> Edited:
    """A CT of the emergency department ordered half an hour after intime instead: yes."""
    order, report = _study(recipe)
    ordered = recipe["orders"][order][1]
    if ordered >= 0 or recipe["other_stays"]:
        raise ValueError("needs a CT ordered before the only stay")
    changed = deepcopy(dict(recipe))
    changed["orders"][order][1], changed["reports"][report][1] = 0.5, 2.0
    return Edited(changed, Verdict.YES, 2, f"CT Scan order: {ordered:+g} -> +0.5 h from intime, scan at +2 h")


def report_found(recipe: Mapping[str, Any]) -> Edited:
    """The open CT order of the stay has a report two hours after it: yes."""
    open_orders = [row for row in recipe["orders"] if row[0] == "CT Scan" and "D/C" not in row[2]]
    if len(open_orders) != 1 or any(row[3] in _BODIES for row in recipe["reports"]):
        raise ValueError("needs one CT order and no report of a CT or MRI")
    changed = deepcopy(dict(recipe))
    at = round(open_orders[0][1] + 2.0, 2)
    changed["reports"].append(["CT ABD & PELVIS WITH CONTRAST", at, "in-house", "CT"])
    changed["summary_claim"] = "none"
    return Edited(changed, Verdict.YES, 2, f"report of the CT Scan order: none -> CT ABD & PELVIS at {at} h")


EDITS: tuple[Edit, ...] = (cancelled_before, never_reported, ordered_before, ordered_after, report_found)
