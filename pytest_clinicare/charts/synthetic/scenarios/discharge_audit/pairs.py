"""Edits of one decisive fact of a discharge-audit recipe that move a case to another step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.antibiotics import listed
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.words import PHRASES
from pytest_clinicare.suite import Verdict

Recipe = dict[str, Any]


def _needs(met: bool, what: str) -> None:
    if not met:
        raise ValueError(f"needs {what}")


def _line(recipe: Mapping[str, Any]) -> str:
    """The line on pending results."""
    return str(recipe["transitional"][1]) if recipe["transitional"] else ""


def _kind(recipe: Mapping[str, Any], kind: str) -> bool:
    return _line(recipe) in bank(PHRASES)["pending"][kind]


def _owed(recipe: Mapping[str, Any]) -> bool:
    return recipe["location"] != "DIED" and any(stored > 0 for _, _, stored, _ in recipe["specimens"])


def named(recipe: Mapping[str, Any]) -> Edited:
    """The pending culture is named: yes."""
    _needs(_owed(recipe) and (_kind(recipe, "none") or _kind(recipe, "neutral")), "a pending culture that is not named")
    changed = deepcopy(dict(recipe))
    changed["transitional"][1] = bank(PHRASES)["pending"]["named_blood"][0]
    return Edited(changed, Verdict.YES, 9, f"pending results: '{_line(recipe)}' -> blood cultures named")


def not_named(recipe: Mapping[str, Any]) -> Edited:
    """The pending culture is not named: no."""
    _needs(_owed(recipe) and (_kind(recipe, "named_blood") or _kind(recipe, "masked")), "a line on the pending culture")
    changed = deepcopy(dict(recipe))
    changed["transitional"][1] = bank(PHRASES)["pending"]["none"][0]
    return Edited(changed, Verdict.NO, 4, f"pending results: '{_line(recipe)}' -> none")


def condition_told(recipe: Mapping[str, Any]) -> Edited:
    """The condition at discharge is told: yes."""
    _needs(recipe["condition"] == "", "an empty condition")
    changed = deepcopy(dict(recipe))
    changed["condition"] = bank(PHRASES)["condition"]["texts"][0]
    return Edited(changed, Verdict.YES, 9, "condition at discharge: empty -> told")


def place_masked(recipe: Mapping[str, Any]) -> Edited:
    """The disposition of the note is masked as well: lack."""
    _needs(recipe["follow_up"] == "___", "a masked follow-up")
    changed = deepcopy(dict(recipe))
    changed["disposition"] = "___"
    return Edited(changed, Verdict.LACK, 7, "disposition of the note: readable -> masked")


def went_home(recipe: Mapping[str, Any]) -> Edited:
    """The record, too, has home: yes."""
    facility = recipe["location"] in ("SKILLED NURSING FACILITY", "REHAB")
    _needs(facility and recipe["disposition"] == "Home", "a facility against home")
    changed = deepcopy(dict(recipe))
    changed["location"] = "HOME"
    return Edited(changed, Verdict.YES, 9, f"discharge_location: {recipe['location']} -> HOME")


def to_a_facility(recipe: Mapping[str, Any]) -> Edited:
    """The record has a facility where the note has home with service: no."""
    _needs(recipe["location"] == "HOME" and recipe["disposition"] != "Home", "home with service against home")
    changed = deepcopy(dict(recipe))
    changed["location"] = "SKILLED NURSING FACILITY"
    return Edited(changed, Verdict.NO, 3, "discharge_location: HOME -> SKILLED NURSING FACILITY")


def on_the_list(recipe: Mapping[str, Any]) -> Edited:
    """The antibiotic stands on the list: yes."""
    _needs("14 days" in " ".join(recipe["course"]), "an antibiotic lost at discharge")
    changed = deepcopy(dict(recipe))
    changed["drugs"][0][3] = f"{listed('ceftriaxone')}, stop date ___"
    return Edited(changed, Verdict.YES, 9, "discharge list: ceftriaxone missing -> listed")


def drainage_named(recipe: Mapping[str, Any]) -> Edited:
    """The drainage is named: yes."""
    drained = any(code == "0W9G30Z" for code, _ in recipe["procedures"])
    _needs(drained and recipe["procedure_line"] == "None", "a drainage that is not named")
    changed = deepcopy(dict(recipe))
    changed["procedure_line"] = "CT guided drainage of an abscess ___"
    return Edited(changed, Verdict.YES, 9, "procedures of the note: None -> drainage named")


def film_clear(recipe: Mapping[str, Any]) -> Edited:
    """The radiologist, too, sees no pneumonia: yes."""
    _needs("consistent with pneumonia" in recipe["imaging"][4], "an impression of pneumonia")
    changed = deepcopy(dict(recipe))
    changed["imaging"][3:] = ["Septal lines and enlarged heart. No airspace opacity.", "Pulmonary edema."]
    return Edited(changed, Verdict.YES, 9, "impression: consistent with pneumonia -> pulmonary edema")


def bacteremia_told(recipe: Mapping[str, Any]) -> Edited:
    """The note names the bacteremia: yes."""
    _needs(recipe["principal"] == "A4101", "a bacteremia that is not mentioned")
    changed = deepcopy(dict(recipe))
    changed["diagnosis"] = "Cellulitis of the right leg with S. aureus bacteremia"
    return Edited(changed, Verdict.YES, 9, "discharge diagnosis: cellulitis -> cellulitis with bacteremia")


EDITS: tuple[Edit, ...] = (
    named,
    not_named,
    condition_told,
    place_masked,
    went_home,
    to_a_facility,
    on_the_list,
    drainage_named,
    film_clear,
    bacteremia_told,
)
