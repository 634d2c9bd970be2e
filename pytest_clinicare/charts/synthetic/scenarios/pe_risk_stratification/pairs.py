"""Edits of one decisive fact of a pe-risk-stratification recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict


def _given(recipe: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Row and hour of the first administered dose of each anticoagulant."""
    out = []
    for n, row in enumerate(recipe["anticoagulant"]):
        hours = [h for h, event in row[7] if event in ("Administered", "Started")]
        out += [(n, hours[0])] if hours else []
    return out


def _shocked(recipe: Mapping[str, Any]) -> bool:
    return bool(recipe["vasopressors"]) or sum(row[2] < 90 for row in recipe["bp"]) > 1


def _plain(recipe: Mapping[str, Any]) -> bool:
    """Acute embolism of more than one branch, administrations and pressures recorded, never in shock."""
    acute = "retract" not in recipe["addendum"][1] and "artefact" not in recipe["addendum"][1] + recipe["ct"][3]
    acute = acute and "hronic" not in recipe["ct"][3]
    recorded = recipe["emar"] == "present" and bool(recipe["bp"])
    return acute and recorded and not _shocked(recipe) and recipe["filter"] == "none"


def _in_time(recipe: Mapping[str, Any]) -> bool:
    """The first row is a treatment dose in time."""
    found = _given(recipe)
    if not found or found[0][0] != 0 or found[0][1] > 6:
        return False
    drug, dose, _, route, often = recipe["anticoagulant"][0][:5]
    return route == "IV DRIP" or (drug[:4] == "Enox" and often == "Q12H") or (drug, dose) in _LEAD_IN


_LEAD_IN = (("Apixaban", "10"), ("Rivaroxaban", "15"))
_MAINTENANCE = (("Apixaban", "5"), ("Rivaroxaban", "20"))


def dose_late(recipe: Mapping[str, Any]) -> Edited:
    """The first tablet of 10 mg at +8 h: no."""
    one = recipe["anticoagulant"][0] if recipe["anticoagulant"] else [""]
    if not _plain(recipe) or not _in_time(recipe) or one[0] not in ("Apixaban", "Enoxaparin Sodium"):
        raise ValueError("needs a first dose by mouth or under the skin in time")
    changed = deepcopy(dict(recipe))
    row = changed["anticoagulant"][0]
    before, row[7][0][0] = row[7][0][0], 8.0
    return Edited(changed, Verdict.NO, 10, f"first {row[0]} dose: {before:+g} -> +8 h from the CT")


def dose_in_time(recipe: Mapping[str, Any]) -> Edited:
    """The first Administered row of enoxaparin at +5.5 h: yes."""
    found = _given(recipe)
    late = _plain(recipe) and bool(found) and found[0][1] > 6 and recipe["anticoagulant"][0][4] == "Q12H"
    if not late:
        raise ValueError("needs enoxaparin first administered after +6 h")
    changed = deepcopy(dict(recipe))
    row = changed["anticoagulant"][0]
    before, row[7][-1][0] = row[7][-1][0], 5.5
    return Edited(changed, Verdict.YES, 11, f"first Administered enoxaparin: {before:+g} -> +5.5 h from the CT")


def lead_in_missing(recipe: Mapping[str, Any]) -> Edited:
    """Apixaban 5 mg in place of 10 mg: no."""
    one = recipe["anticoagulant"][0][:2] if recipe["anticoagulant"] else []
    if not _plain(recipe) or tuple(one) not in _LEAD_IN:
        raise ValueError("needs a lead-in dose as the first agent")
    changed = deepcopy(dict(recipe))
    changed["anticoagulant"][0][1] = dict(_MAINTENANCE)[one[0]]
    return Edited(changed, Verdict.NO, 10, f"{one[0]}: {one[1]} -> {dict(_MAINTENANCE)[one[0]]} mg")


def lead_in_given(recipe: Mapping[str, Any]) -> Edited:
    """The lead-in dose in place of the maintenance dose: yes."""
    one = recipe["anticoagulant"][0][:2] if recipe["anticoagulant"] else []
    if not _plain(recipe) or tuple(one) not in _MAINTENANCE:
        raise ValueError("needs a maintenance dose as the first agent")
    changed = deepcopy(dict(recipe))
    changed["anticoagulant"][0][1] = dict(_LEAD_IN)[one[0]]
    return Edited(changed, Verdict.YES, 11, f"{one[0]}: {one[1]} -> {dict(_LEAD_IN)[one[0]]} mg")


def lysed_when_stable(recipe: Mapping[str, Any]) -> Edited:
    """Alteplase 100 mg to a patient who never was in shock: no."""
    if not _plain(recipe) or not _in_time(recipe) or recipe["reperfusion"]:
        raise ValueError("needs a stable patient treated in time without thrombolysis")
    changed = deepcopy(dict(recipe))
    changed["reperfusion"] = [["alteplase", 100, 3.0]]
    return Edited(changed, Verdict.NO, 8, "alteplase: none -> 100 mg at +3 h")


def not_lysed(recipe: Mapping[str, Any]) -> Edited:
    """No alteplase to the stable: yes."""
    if not _plain(recipe) or not _in_time(recipe) or not recipe["reperfusion"]:
        raise ValueError("needs thrombolysis of a stable patient treated in time")
    changed = deepcopy(dict(recipe))
    changed["reperfusion"] = []
    changed["told"][-1] = "Anticoagulation was given and tolerated."
    return Edited(changed, Verdict.YES, 11, "alteplase: 100 mg -> none")


def reperfused(recipe: Mapping[str, Any]) -> Edited:
    """Alteplase 100 mg half an hour after the end of low pressure: yes."""
    shocked = sum(row[2] < 90 for row in recipe["bp"]) > 1 and not recipe["reperfusion"]
    if not shocked or not _in_time(recipe):
        raise ValueError("needs high-risk embolism with heparin alone")
    changed = deepcopy(dict(recipe))
    onset = next(row[0] for row in recipe["bp"] if row[2] < 90)
    changed["reperfusion"] = [["alteplase", 100, onset + 3]]
    return Edited(changed, Verdict.YES, 6, "alteplase: none -> 100 mg 3 h after onset")


EDITS: tuple[Edit, ...] = (
    dose_late,
    dose_in_time,
    lead_in_missing,
    lead_in_given,
    lysed_when_stable,
    not_lysed,
    reperfused,
)
