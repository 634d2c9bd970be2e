"""Edits of one decisive fact of a cdi-treatment recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_EFFECTIVE = ("vancomycin-oral", "fidaxomicin", "metronidazole")


def _given(recipe: Mapping[str, Any]) -> list[list[Any]]:
    """Courses of effective agents that were administered."""
    return [row for row in recipe["doses"] if row[0] in _EFFECTIVE and row[5] == "Administered"]


def _formed(recipe: Mapping[str, Any]) -> bool:
    return any("formed" in text and "unformed" not in text for text in recipe["summary"])


def _placed(recipe: Mapping[str, Any]) -> bool:
    """A positive assay, an edition that is placed, and an administration record."""
    anchor, group, year = recipe["calendar"]
    first = int(group[:4]) + year - anchor
    positive = any(row[2] == "positive" for row in recipe["assays"])
    return bool(positive and first >= 2018 and recipe["administered"] == "yes")


def _infected(recipe: Mapping[str, Any]) -> bool:
    return _placed(recipe) and not _formed(recipe) and ["toxin", "positive"] in [row[1:3] for row in recipe["assays"]]


def started_late(recipe: Mapping[str, Any]) -> Edited:
    """The first effective dose an hour past the 24 h: no."""
    given = _given(recipe)
    if not _infected(recipe) or len(given) != 1 or not 0 <= given[0][3] <= 24:
        raise ValueError("needs one effective agent that was started in time")
    changed = deepcopy(dict(recipe))
    first = given[0][3]
    _given(changed)[0][3] = 25.0
    return Edited(changed, Verdict.NO, 9, f"first {given[0][0]} dose: {first:+g} -> +25 h from the result")


def full_dose(recipe: Mapping[str, Any]) -> Edited:
    """Enteral vancomycin 500 mg in fulminant disease without ileus: yes."""
    oral = [row for row in _given(recipe) if row[0] == "vancomycin-oral" and row[1] == "125 mg"]
    if not _infected(recipe) or recipe["vasopressor"] == "none" or not oral:
        raise ValueError("needs shock treated with vancomycin 125 mg")
    changed = deepcopy(dict(recipe))
    for row in (*changed["doses"], *changed["orders"]):
        if row[0] == "vancomycin-oral":
            row[1] = "500 mg"
    return Edited(changed, Verdict.YES, 12, "enteral vancomycin: 125 -> 500 mg four times daily")


def carrier_left_alone(recipe: Mapping[str, Any]) -> Edited:
    """Treatment of a carrier ends within 24 h of the result: yes."""
    given = _given(recipe)
    if not _placed(recipe) or not _formed(recipe) or not given or max(row[4] for row in given) <= 24:
        raise ValueError("needs a carrier with doses more than 24 h after the result")
    changed = deepcopy(dict(recipe))
    for row in _given(changed):
        row[4] = 15.0
    return Edited(changed, Verdict.YES, 6, f"last anti-CDI dose: {given[0][4]:+g} -> +15 h from the result")


def carrier_treated(recipe: Mapping[str, Any]) -> Edited:
    """Empiric doses of a carrier go on past 24 h: no."""
    given = _given(recipe)
    if not _placed(recipe) or not _formed(recipe) or not given or max(row[4] for row in given) > 24:
        raise ValueError("needs a carrier whose empiric doses ended in time")
    changed = deepcopy(dict(recipe))
    last = max(_given(changed), key=lambda row: float(row[4]))
    before, last[4] = last[4], 30.0
    for row in changed["orders"]:
        row[4] = max(row[4], 31.0)
    return Edited(changed, Verdict.NO, 5, f"last anti-CDI dose: {before:+g} -> +30 h from the result")


def before_the_edition(recipe: Mapping[str, Any]) -> Edited:
    """An anchor-year group that leaves 2016 possible: lack of data."""
    if not _placed(recipe):
        raise ValueError("needs an edition that is placed")
    changed = deepcopy(dict(recipe))
    _, group, year = recipe["calendar"]
    changed["calendar"] = [year - 2, "2014 - 2016", year]
    return Edited(changed, Verdict.LACK, 2, f"anchor_year_group: {group} -> 2014 - 2016, possible years 2016-2018")


def past_recurrence(recipe: Mapping[str, Any]) -> Edited:
    """The earlier positive more than 56 days before, hence an initial episode: yes."""
    prior, given = recipe["prior_episode"], _given(recipe)
    if prior == "none" or not 15 <= prior[0] <= 56 or not _infected(recipe) or given[0][0] != "vancomycin-oral":
        raise ValueError("needs a recurrence treated with a standard vancomycin course")
    changed = deepcopy(dict(recipe))
    changed["prior_episode"] = [57, prior[1]]
    return Edited(changed, Verdict.YES, 12, f"days since the earlier positive: {prior[0]} -> 57")


EDITS: tuple[Edit, ...] = (
    started_late,
    full_dose,
    carrier_left_alone,
    carrier_treated,
    before_the_edition,
    past_recurrence,
)
