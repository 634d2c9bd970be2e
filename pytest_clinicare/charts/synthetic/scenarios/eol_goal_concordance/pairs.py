"""Edits of one decisive fact of an eol-goal-concordance recipe that move a case to a neighbouring step.

Hours from admission.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_SUSTAINED = ("pressor", "invasive-vent", "crrt", "hd")


def _comfort(recipe: Mapping[str, Any]) -> float:
    hours = [h for h, level, _, _ in recipe["goals"] if level == "cmo"]
    if not hours or recipe["end"] != "death":
        raise ValueError("needs comfort measures before a death")
    return float(min(hours))


def _starts(recipe: Mapping[str, Any], *kinds: str) -> list[Any]:
    return [row for row in recipe["interventions"] if row[0] in kinds and row[3] == "yes"]


def _limit(recipe: Mapping[str, Any]) -> float:
    """Time of the only limiting order."""
    orders = [row for row in recipe["goals"] if row[2] == "order"]
    limits = [row for row in orders if row[1] != "full"]
    if len(limits) != 1 or orders[-1] is not limits[0]:
        raise ValueError("needs a single limiting order that is the last")
    return float(limits[0][0])


def ventilated_on(recipe: Mapping[str, Any]) -> Edited:
    """Ventilation that ended in time runs 13 h after comfort measures: no."""
    t = _comfort(recipe)
    rows = _starts(recipe, "invasive-vent")
    restricted = [r for r in _starts(recipe, "pressor", "crrt", "hd", "intubation", "niv") if r[1] > t]
    over = [r for r in _starts(recipe, *_SUSTAINED) if r[1] < t and r[2] - t > 12]
    waits = any("until" in text for text in recipe["statements"])
    if len(rows) != 1 or not t < rows[0][2] <= t + 12 or restricted or over or waits:
        raise ValueError("needs ventilation that ended within 12 h of comfort measures")
    if any(row[1] > _limit(recipe) for row in _starts(recipe, "intubation")):
        raise ValueError("needs a tube placed before the limit")
    changed = deepcopy(dict(recipe))
    before, after = rows[0][2] - t, 13.0
    for row in changed["interventions"]:
        if row[0] == "invasive-vent":
            row[2] = t + after
        elif row[0] == "extubation":
            row[1], row[2] = t + after, t + after + 0.1
    changed["death_h"] = max(changed["death_h"], t + after + 2.0)
    changed["morphine"][1] = changed["death_h"] - 0.5
    return Edited(changed, Verdict.NO, 4, f"end of ventilation after comfort measures: {before:g} -> {after:g} h")


def ventilation_ends(recipe: Mapping[str, Any]) -> Edited:
    """Ventilation that ran on is ended 11 h after comfort measures: yes."""
    t = _comfort(recipe)
    rows = _starts(recipe, "invasive-vent")
    started = [r for r in _starts(recipe, "pressor", "crrt", "hd", "intubation", "niv") if r[1] > t]
    waits = any("until" in text for text in recipe["statements"])
    if len(rows) != 1 or rows[0][2] <= t + 12 or started or waits:
        raise ValueError("needs ventilation that ran on without a reason")
    changed = deepcopy(dict(recipe))
    before = rows[0][2] - t
    for row in changed["interventions"]:
        if row[0] == "invasive-vent":
            row[2] = t + 11.0
    changed["interventions"] = [row for row in changed["interventions"] if row[0] != "extubation"]
    changed["interventions"].append(["extubation", t + 11.0, t + 11.1, "yes", []])
    return Edited(changed, Verdict.YES, 8, f"end of ventilation after comfort measures: {before:g} -> 11 h")


def reason_told(recipe: Mapping[str, Any]) -> Edited:
    """The summary tells why the ventilator was left on: yes."""
    t = _comfort(recipe)
    rows = _starts(recipe, "invasive-vent")
    started = [r for r in _starts(recipe, "pressor", "crrt", "hd", "intubation", "niv") if r[1] > t]
    if len(rows) != 1 or rows[0][2] <= t + 12 or started or any("until" in s for s in recipe["statements"]):
        raise ValueError("needs ventilation that ran on without a reason")
    changed = deepcopy(dict(recipe))
    changed["statements"].append("The ventilator was left on until the family had arrived.")
    return Edited(changed, Verdict.YES, 8, "reason for the delay in the summary: none -> until the family had arrived")


def drip_before(recipe: Mapping[str, Any]) -> Edited:
    """Norepinephrine started three hours before comfort measures, and off five hours after them: yes."""
    t = _comfort(recipe)
    late = [r for r in _starts(recipe, "pressor", "crrt", "hd", "niv", "intubation") if r[1] > t]
    if len(late) != 1 or late[0][0] != "pressor":
        raise ValueError("needs norepinephrine as the only treatment begun under comfort measures")
    changed = deepcopy(dict(recipe))
    row = next(r for r in changed["interventions"] if r[0] == "pressor" and r[1] > t)
    before = row[1] - t
    row[1], row[2], row[4] = t - 1.5, t + 5.0, [t + 2.0]
    said = f"start of norepinephrine from comfort measures: {before:+g} -> -1.5 h, off at +5 h"
    return Edited(changed, Verdict.YES, 8, said)


def tube_before(recipe: Mapping[str, Any]) -> Edited:
    """The tube was placed an hour before the DNR/DNI order: yes."""
    limit = _limit(recipe)
    tubes = _starts(recipe, "intubation")
    dni = any(level == "dnr-dni" for _, level, source, _ in recipe["goals"] if source == "order")
    conflict = any(level == "full" and h > limit for h, level, _, _ in recipe["goals"])
    if not dni or len(tubes) != 1 or tubes[0][1] <= limit or conflict:
        raise ValueError("needs an intubation after DNR/DNI, without conflict")
    changed = deepcopy(dict(recipe))
    shift = tubes[0][1] - (limit - 1.0)
    for row in changed["interventions"]:
        if row[0] == "intubation":
            row[1], row[2] = row[1] - shift, row[2] - shift
        elif row[0] == "invasive-vent":
            row[1] -= shift
    return Edited(changed, Verdict.YES, 8, f"intubation from the DNR/DNI order: {tubes[0][1] - limit:+g} -> -1 h")


def tube_after(recipe: Mapping[str, Any]) -> Edited:
    """The tube was placed two hours after the DNR/DNI order: no."""
    limit = _limit(recipe)
    tubes = _starts(recipe, "intubation")
    dni = any(level == "dnr-dni" for _, level, source, _ in recipe["goals"] if source == "order")
    if not dni or len(tubes) != 1 or tubes[0][1] >= limit or any(level == "cmo" for _, level, _, _ in recipe["goals"]):
        raise ValueError("needs an intubation before DNR/DNI, without comfort measures")
    changed = deepcopy(dict(recipe))
    for row in changed["interventions"]:
        if row[0] == "intubation":
            row[1], row[2] = limit + 2.0, limit + 2.25
        elif row[0] == "invasive-vent":
            row[1] = limit + 2.25
    return Edited(changed, Verdict.NO, 3, f"intubation from the DNR/DNI order: {tubes[0][1] - limit:+g} -> +2 h")


def wish_not_charted(recipe: Mapping[str, Any]) -> Edited:
    """No charted wish for full treatment before the intubation: no."""
    limit = _limit(recipe)
    charted = [row for row in recipe["goals"] if row[1] == "full" and row[2] == "charted" and row[0] > limit]
    if len(charted) != 1:
        raise ValueError("needs full code charted under a limiting order")
    changed = deepcopy(dict(recipe))
    changed["goals"].remove(charted[0])
    return Edited(changed, Verdict.NO, 3, f"Full code charted at {charted[0][0]:g} h -> not charted")


EDITS: tuple[Edit, ...] = (
    ventilated_on,
    tube_before,
    drip_before,
    tube_after,
    reason_told,
    wish_not_charted,
    ventilation_ends,
)
