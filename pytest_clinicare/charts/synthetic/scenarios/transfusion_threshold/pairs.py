"""Edits of one decisive fact of a transfusion-threshold recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict


def _last(recipe: Mapping[str, Any]) -> list[Any]:
    """The value that decides: the last blood count of the 24 h before the start."""
    before = [row for row in recipe["hb"] if -24 <= row[0] <= 0 and row[2] == "cbc"]
    if not before:
        raise ValueError("needs a blood count in the 24 h before the start")
    row: list[Any] = max(before)
    return row


def _stable(recipe: Mapping[str, Any]) -> bool:
    """A unit with a start, no bleeding with a low pressure, no symptoms laid to anaemia, no coronary syndrome."""
    told = " ".join(recipe["summary"])
    overt = any(word in told for word in ("vomited", "Melena began", "melenic", "ematemesis o", "ematemesis r"))
    return (
        recipe["index_source"] == "inputevents"
        and not (overt and recipe["sbp"][0][1] < 90)
        and "rthostatic" not in told
        and recipe["coronary"] == "none"
    )


def _threshold(recipe: Mapping[str, Any]) -> float:
    """Of a stable patient."""
    if recipe["surgery"] != "none":
        return 7.5 if recipe["surgery"][0] in ("valve", "bypass") else 8.0
    return 7.0 if recipe["past"] == "none" else 8.0


def _with_last(recipe: Mapping[str, Any], value: float) -> dict[str, Any]:
    changed = deepcopy(dict(recipe))
    _last(changed)[1] = value
    return changed


def falls_below(recipe: Mapping[str, Any]) -> Edited:
    """The last value 0.1 below the threshold: yes."""
    if not _stable(recipe) or _last(recipe)[1] < _threshold(recipe):
        raise ValueError("needs a stable patient at or above the threshold")
    value = round(_threshold(recipe) - 0.1, 1)
    text = f"last hemoglobin before the unit: {_last(recipe)[1]} -> {value} g/dL"
    return Edited(_with_last(recipe, value), Verdict.YES, 6, text)


def rises_to_the_threshold(recipe: Mapping[str, Any]) -> Edited:
    """The last value equal to the threshold, which is not below it: no."""
    if not _stable(recipe) or _last(recipe)[1] >= _threshold(recipe):
        raise ValueError("needs a stable patient below the threshold")
    value = _threshold(recipe)
    text = f"last hemoglobin before the unit: {_last(recipe)[1]} -> {value} g/dL"
    return Edited(_with_last(recipe, value), Verdict.NO, 8, text)


def pressure_holds(recipe: Mapping[str, Any]) -> Edited:
    """Overt bleeding with a pressure of 90 mmHg: the threshold applies, and the value is above it: no."""
    low = recipe["sbp"][0][1]
    if recipe["index_source"] != "inputevents" or low >= 90 or _stable(recipe) or _last(recipe)[1] < 9:
        raise ValueError("needs unstable bleeding with a hemoglobin of 9 or more")
    changed = deepcopy(dict(recipe))
    changed["sbp"][0][1] = 96
    return Edited(changed, Verdict.NO, 8, f"lowest SBP in the 6 h before the unit: {low} -> 96 mmHg")


def between_eight_and_ten(recipe: Mapping[str, Any]) -> Edited:
    """A type 1 infarction with haemoglobin 8.0: the standard is silent."""
    if recipe["coronary"] == "none" or _last(recipe)[1] >= 8:
        raise ValueError("needs an acute coronary syndrome with hemoglobin below 8")
    text = f"last hemoglobin before the unit: {_last(recipe)[1]} -> 8.0 g/dL"
    return Edited(_with_last(recipe, 8.0), Verdict.AMBIGUOUS, 5, text)


def below_eight(recipe: Mapping[str, Any]) -> Edited:
    """A type 1 infarction with haemoglobin 7.9: yes."""
    if recipe["coronary"] == "none" or _last(recipe)[1] < 8:
        raise ValueError("needs an acute coronary syndrome with hemoglobin of 8 or more")
    text = f"last hemoglobin before the unit: {_last(recipe)[1]} -> 7.9 g/dL"
    return Edited(_with_last(recipe, 7.9), Verdict.YES, 6, text)


def never_hung(recipe: Mapping[str, Any]) -> Edited:
    """No unit in the input record, and the summary says that it went back: lack of data."""
    if recipe["index_source"] != "inputevents" or recipe["surgery"] != "none" or len(recipe["units"]) != 1:
        raise ValueError("needs one charted unit in a patient who was not operated on")
    changed = deepcopy(dict(recipe))
    changed["units"], changed["index_source"] = [], "order only"
    told = [text for text in changed["summary"] if "unit" in text or "acked" in text]
    if len(told) != 1:
        raise ValueError("needs one sentence on the unit")
    at = changed["summary"].index(told[0])
    changed["summary"][at] = "The crossmatched unit was not needed and went back to the blood bank."
    return Edited(changed, Verdict.LACK, 1, "the ordered unit: transfused -> returned to the blood bank")


def time_told(recipe: Mapping[str, Any]) -> Edited:
    """The summary gives the hour of the unit, after a value of 6.8: yes."""
    if recipe["index_source"] != "note without time" or _last(recipe)[1] >= 7:
        raise ValueError("needs a unit that the summary tells of without a time")
    changed = deepcopy(dict(recipe))
    hours = recipe["arrived"] + recipe["start_h"]
    day, clock = int(hours // 24) + 1, hours % 24
    at = next(n for n, text in enumerate(changed["summary"]) if "unit" in text)
    changed["summary"][at] = (
        f"One unit of packed red cells was transfused on hospital day {day}, started at "
        f"{int(clock)}:{round(clock % 1 * 60):02d}."
    )
    changed["index_source"] = "note with time"
    return Edited(changed, Verdict.YES, 6, "start of the unit in the summary: none -> hospital day and hour")


EDITS: tuple[Edit, ...] = (
    falls_below,
    rises_to_the_threshold,
    pressure_holds,
    between_eight_and_ten,
    below_eight,
    never_hung,
    time_told,
)
