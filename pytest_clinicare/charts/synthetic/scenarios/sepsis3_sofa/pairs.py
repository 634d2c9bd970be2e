"""Edits of one decisive fact of a sepsis3-sofa recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_GIVEN, _REFUSED = "Administered", "Not Given"
_CKD = "Chronic kidney disease, stage 4"


def _single(recipe: Mapping[str, Any]) -> list[Any]:
    """The one course of antibiotics of a case with a diagnostic culture."""
    courses: list[list[Any]] = recipe["antibiotics"]
    if len(courses) != 1 or all("screen" in specimen for _, specimen in recipe["cultures"]):
        raise ValueError("needs a diagnostic culture and one antibiotic")
    return courses[0]


def _paired(recipe: Mapping[str, Any]) -> bool:
    _, _, first, _, event = _single(recipe)
    return bool(event == _GIVEN and first <= 72)


def not_given(recipe: Mapping[str, Any]) -> Edited:
    """Every dose of the antibiotic refused: no pair."""
    agent, *_ = _single(recipe)
    if not _paired(recipe):
        raise ValueError("needs a pair")
    changed = deepcopy(dict(recipe))
    changed["antibiotics"][0][4] = _REFUSED
    return Edited(changed, Verdict.NO, 2, f"{agent}: Administered -> Not Given, every dose")


def given_after_all(recipe: Mapping[str, Any]) -> Edited:
    """The ordered antibiotic administered, with platelets below 100: yes."""
    agent, _, first, _, event = _single(recipe)
    if event != _REFUSED or min(row[2] for row in recipe["labs"]) >= 100:
        raise ValueError("needs an order that was not given and low platelets")
    changed = deepcopy(dict(recipe))
    changed["antibiotics"][0][4] = _GIVEN
    return Edited(changed, Verdict.YES, 3, f"{agent} from {first:+g} h: Not Given -> Administered")


def in_time(recipe: Mapping[str, Any]) -> Edited:
    """The first dose within 72 h of the culture: yes."""
    agent, ordered, first, last, _ = _single(recipe)
    if first <= 72 or max(row[1] for row in recipe["labs"] if row[0] <= 24) < 2:
        raise ValueError("needs a first dose after 72 h and a high creatinine near the culture")
    changed = deepcopy(dict(recipe))
    changed["antibiotics"][0][1:4] = [ordered, 71.5, last]
    return Edited(changed, Verdict.YES, 3, f"first dose of {agent}: {first:+g} -> +71.5 h from the culture")


def inside_the_window(recipe: Mapping[str, Any]) -> Edited:
    """The high creatinine and low platelets some hours earlier, within the window: yes."""
    late = [row for row in recipe["labs"] if 27 <= row[0] <= 44 and row[1] >= 2 and row[2] < 100]
    early = [row for row in recipe["labs"] if row[0] <= 24]
    if not _paired(recipe) or not late or any(row[1] >= 2 or row[2] < 100 for row in early):
        raise ValueError("needs dysfunction after the window alone")
    changed = deepcopy(dict(recipe))
    row = next(row for row in changed["labs"] if row[0] == late[0][0])
    row[0] = 23.5
    return Edited(changed, Verdict.YES, 3, f"first abnormal draw: {late[0][0]:+g} -> +23.5 h from onset")


def baseline_found(recipe: Mapping[str, Any]) -> Edited:
    """An earlier creatinine as high as the present one: no rise."""
    worst = max(row[1] for row in recipe["labs"])
    if not _paired(recipe) or _CKD not in recipe["past"] or recipe["prior"] or not 2.0 <= worst <= 3.4:
        raise ValueError("needs kidney disease without an earlier value")
    changed = deepcopy(dict(recipe))
    changed["prior"] = [[60, 2.7]]
    return Edited(changed, Verdict.NO, 7, "creatinine 60 days before admission: none -> 2.7 mg/dL")


def baseline_higher(recipe: Mapping[str, Any]) -> Edited:
    """An earlier creatinine above 5, so that the same value is no rise: no."""
    if not _paired(recipe) or _CKD not in recipe["past"] or not recipe["prior"] or recipe["prior"][0][1] >= 3.5:
        raise ValueError("needs kidney disease with a known and lower baseline")
    changed = deepcopy(dict(recipe))
    before = changed["prior"][0][1]
    changed["prior"][0][1] = 5.2
    return Edited(changed, Verdict.NO, 7, f"creatinine before admission: {before:g} -> 5.2 mg/dL")


def pressure_unattributed(recipe: Mapping[str, Any]) -> Edited:
    """The summary no longer attributes the low pressure: yes."""
    told = next((text for text in recipe["summary"] if "cardiogenic shock" in text), None)
    if told is None:
        raise ValueError("needs points that the summary attributes to cardiogenic shock")
    changed = deepcopy(dict(recipe))
    changed["summary"] = [text.replace("due to cardiogenic shock and ", "") for text in recipe["summary"]]
    return Edited(changed, Verdict.YES, 3, "cause of low pressure in the summary: cardiogenic shock -> none named")


EDITS: tuple[Edit, ...] = (
    not_given,
    given_after_all,
    in_time,
    inside_the_window,
    baseline_found,
    baseline_higher,
    pressure_unattributed,
)
