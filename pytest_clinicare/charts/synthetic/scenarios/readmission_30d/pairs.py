"""Edits of one decisive fact of a readmission-30d recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

Recipe = dict[str, Any]
_PLAIN_PLAN = "No test was pending on the day of leaving."
_PLAIN_BETWEEN = "The first clinic visit after the last discharge had been kept."
_UNPLANNED = ("S72001A", "K922", "J189", "N390", "I5033", "J441", "I214", "E871", "I2699")


def _inside(recipe: Mapping[str, Any]) -> list[int]:
    """Places of the inpatient returns of day 0 to 30."""
    return [n for n, row in enumerate(recipe["returns"]) if row[2] == "inpatient" and row[0] <= 30]


def _counted(recipe: Mapping[str, Any]) -> int:
    """The place of the only return in the window, which is plainly unplanned after an eligible index."""
    found = _inside(recipe)
    own = recipe["index_principal"][0]
    if len(found) != 1 or recipe["index_discharge_location"] == "AGAINST ADVICE":
        raise ValueError("needs one countable return")
    row = recipe["returns"][found[0]]
    if row[5] not in _UNPLANNED or (row[0] == 0 and row[5][:3] == own[:3]):
        raise ValueError("needs an unplanned return")
    return found[0]


def _sentence(recipe: Recipe, note: int, text: str) -> None:
    for row in recipe["statements"]:
        if row[0] == note:
            row[1] = text


def day_31(recipe: Mapping[str, Any]) -> Edited:
    """The unplanned admission comes on day 31: no."""
    at = _counted(recipe)
    changed = deepcopy(dict(recipe))
    day = changed["returns"][at][0]
    changed["returns"][at][0] = 31
    return Edited(changed, Verdict.NO, 4, f"unplanned admission: day {day} -> 31")


def day_30(recipe: Mapping[str, Any]) -> Edited:
    """The next admission comes on day 30, late in the evening: yes."""
    first = next((n for n, row in enumerate(recipe["returns"]) if row[0] == 31 and row[2] == "inpatient"), None)
    if first is None or _inside(recipe):
        raise ValueError("needs an admission on day 31")
    changed = deepcopy(dict(recipe))
    before = changed["returns"][first][1]
    changed["returns"][first][:2] = [30, "23:10"]
    return Edited(changed, Verdict.YES, 8, f"next admission: day 31 {before} -> day 30 23:10")


def converted(recipe: Mapping[str, Any]) -> Edited:
    """The observation stay is converted to admission: yes."""
    found = [n for n, row in enumerate(recipe["returns"]) if row[2] == "observation" and row[0] <= 30]
    if len(found) != 1 or _inside(recipe):
        raise ValueError("needs an observation stay alone in the window")
    changed = deepcopy(dict(recipe))
    row = changed["returns"][found[0]]
    before, row[2], row[3] = row[3], "inpatient", "OBSERVATION ADMIT"
    return Edited(changed, Verdict.YES, 8, f"admission_type of the stay: {before} -> OBSERVATION ADMIT")


def stayed_to_the_end(recipe: Mapping[str, Any]) -> Edited:
    """The index ended with a discharge home: yes."""
    if recipe["index_discharge_location"] != "AGAINST ADVICE":
        raise ValueError("needs an index that ended against advice")
    changed = deepcopy(dict(recipe))
    changed["index_discharge_location"] = "HOME"
    _sentence(changed, 0, _PLAIN_PLAN)
    return Edited(changed, Verdict.YES, 8, "index discharge_location: AGAINST ADVICE -> HOME")


def walked_out(recipe: Mapping[str, Any]) -> Edited:
    """The index ended against advice: the premise is unmet."""
    _counted(recipe)
    changed = deepcopy(dict(recipe))
    before = changed["index_discharge_location"]
    changed["index_discharge_location"] = "AGAINST ADVICE"
    who = "He" if recipe["patient"][0] == "M" else "She"
    _sentence(changed, 0, f"{who} left against medical advice.")
    return Edited(changed, Verdict.LACK, 2, f"index discharge_location: {before} -> AGAINST ADVICE")


def announced(recipe: Mapping[str, Any]) -> Edited:
    """The candidate's summary says that it was scheduled: planned without conflict."""
    found = _inside(recipe)
    if not found or recipe["returns"][found[0]][5] not in ("K8020", "I2510"):
        raise ValueError("needs a planned procedure begun as an emergency")
    changed = deepcopy(dict(recipe))
    _sentence(changed, found[0] + 1, "The admission had been scheduled by the specialist some weeks before.")
    return Edited(changed, Verdict.NO, 7, "candidate summary: no word of scheduling -> scheduled")


def never_announced(recipe: Mapping[str, Any]) -> Edited:
    """No summary speaks of a second stage: unplanned by the algorithm."""
    if "second-stage" not in recipe["statements"][0][1]:
        raise ValueError("needs a staged revision")
    changed = deepcopy(dict(recipe))
    _sentence(changed, 0, _PLAIN_PLAN)
    return Edited(changed, Verdict.YES, 8, "index summary: scheduled second-stage revision -> no plan")


def nothing_elsewhere(recipe: Mapping[str, Any]) -> Edited:
    """The later summary tells of no outside stay: no."""
    told = next((row for row in recipe["statements"] if "outside hospital" in row[1]), None)
    if told is None:
        raise ValueError("needs an outside stay")
    changed = deepcopy(dict(recipe))
    _sentence(changed, told[0], _PLAIN_BETWEEN)
    return Edited(changed, Verdict.NO, 4, "later summary: stay at an outside hospital -> none told")


EDITS: tuple[Edit, ...] = (
    day_31,
    day_30,
    converted,
    stayed_to_the_end,
    walked_out,
    announced,
    never_announced,
    nothing_elsewhere,
)
