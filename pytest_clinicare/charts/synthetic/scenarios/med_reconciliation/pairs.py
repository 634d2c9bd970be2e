"""Edits of one decisive fact of a med-reconciliation recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import drug
from pytest_clinicare.suite import Verdict

_ANTIBACTERIAL = "antibacterial"
_TRIVIAL = {"vitamin", "emollient", "bowel-regimen"}
# High-significance home drugs that nothing in these charts gives a reason to stop.
_KEPT = ("levothyroxine", "sertraline", "amlodipine", "metoprolol_succinate", "escitalopram")


def _comparable(recipe: Mapping[str, Any]) -> None:
    """Raises ValueError where a list is missing."""
    if recipe["ed_link"] == "none" or not recipe["medrecon_rows"] or recipe["note_state"] != "complete":
        raise ValueError("needs all three lists")


def _keys(rows: list[list[Any]]) -> set[str]:
    return {row[0] for row in rows}


def _omitted(recipe: Mapping[str, Any]) -> list[Any]:
    """The one home drug that is missing at discharge though it was given to the end, and of which nothing is said."""
    _comparable(recipe)
    missing = [row for row in recipe["home_meds"] if row[0] not in _keys(recipe["discharge_list"])]
    if len(missing) != 1 or missing[0][0] not in _keys(recipe["final_24h"]) or recipe["statements"]:
        raise ValueError("needs a single home drug that was given to the end and is missing at discharge")
    return list(missing[0])


def _named(row: list[Any]) -> str:
    return f"{drug(row[0])['ingredient']} {row[1]}"


def listed_again(recipe: Mapping[str, Any]) -> Edited:
    """The drug that was left out stands on the discharge list: no."""
    row = _omitted(recipe)
    changed = deepcopy(dict(recipe))
    changed["discharge_list"].append([*row[:4], "none", "continued"])
    return Edited(changed, Verdict.NO, 6, f"{_named(row)} on the discharge list: absent -> continued")


def said_stopped(recipe: Mapping[str, Any]) -> Edited:
    """The instructions tell to stop the drug that was left out: no."""
    row = _omitted(recipe)
    changed = deepcopy(dict(recipe))
    sentence = f"STOP taking {drug(row[0])['ingredient']}."
    changed["statements"].append([row[0], sentence, "instructions"])
    return Edited(changed, Verdict.NO, 6, f"statement on {_named(row)}: none -> '{sentence}'")


def _in_order(recipe: Mapping[str, Any]) -> bool:
    """Whether every drug of weight is continued at its dose, or spoken of."""
    said = _keys(recipe["statements"])
    doses = {row[0]: row[1] for row in recipe["discharge_list"]}
    missing = _keys(recipe["home_meds"]) - doses.keys() - said
    changed = [row for row in recipe["home_meds"] if doses.get(row[0], row[1]) != row[1]]
    courses = [row for row in recipe["discharge_list"] if drug(row[0])["class"] == _ANTIBACTERIAL]
    timed = all(row[4] != "none" or row[0] in said for row in courses)
    return not changed and timed and not _held(recipe) and {drug(key)["class"] for key in missing} <= _TRIVIAL


def left_out(recipe: Mapping[str, Any]) -> Edited:
    """A home drug given to the end is missing from the discharge list, and nothing is said of it: yes."""
    _comparable(recipe)
    if not _in_order(recipe):
        raise ValueError("needs a list in order")
    given, named = _keys(recipe["final_24h"]), _keys(recipe["statements"])
    listed = {tuple(row[:4]) for row in recipe["discharge_list"]}
    rows = [row for row in recipe["home_meds"] if tuple(row[:4]) in listed and row[0] in given - named]
    row = next((row for key in _KEPT for row in rows if row[0] == key), None)
    if row is None:
        raise ValueError("needs a continued home drug of high significance")
    changed = deepcopy(dict(recipe))
    changed["discharge_list"] = [entry for entry in changed["discharge_list"] if entry[0] != row[0]]
    return Edited(changed, Verdict.YES, 3, f"{_named(row)} on the discharge list: continued -> absent, nothing said")


def _held(recipe: Mapping[str, Any]) -> bool:
    return any("was held on admission" in sentence for _, sentence, _ in recipe["statements"])


def kidneys_not_recovered(recipe: Mapping[str, Any]) -> Edited:
    """The injury for which a drug was held is still there on the last day: ambiguous."""
    _comparable(recipe)
    baseline, last = recipe["creatinine"][0][1], recipe["creatinine"][-1][1]
    if not _held(recipe) or last >= 1.5 * baseline:
        raise ValueError("needs a hold whose reason has resolved")
    changed = deepcopy(dict(recipe))
    level = round(1.5 * baseline + 0.2, 1)
    for row in changed["creatinine"][1:]:
        row[1] = max(row[1], level)
    said = f"last creatinine: {last} -> {level} mg/dL, baseline {baseline}"
    return Edited(changed, Verdict.AMBIGUOUS, 5, said)


def kidneys_recovered(recipe: Mapping[str, Any]) -> Edited:
    """The injury that could explain a missing drug has resolved by the last day: yes."""
    _comparable(recipe)
    baseline, last = recipe["creatinine"][0][1], recipe["creatinine"][-1][1]
    missing = _keys(recipe["home_meds"]) - _keys(recipe["discharge_list"])
    classes = {drug(key)["class"] for key in missing}
    if recipe["statements"] or last < 1.5 * baseline or not classes or not classes <= {"ace-inhibitor", "arb"}:
        raise ValueError("needs an ACE inhibitor or ARB that is missing with its creatinine still raised")
    changed = deepcopy(dict(recipe))
    first = changed["creatinine"][1][1]
    days = len(changed["creatinine"]) - 2
    for number, row in enumerate(changed["creatinine"][1:]):
        row[1] = round(first + (baseline - first) * number / days, 1)
    return Edited(changed, Verdict.YES, 3, f"last creatinine: {last} -> {baseline} mg/dL, the baseline")


def days_written(recipe: Mapping[str, Any]) -> Edited:
    """The new antibiotic has its days on the discharge list: no."""
    _comparable(recipe)
    new = [row for row in recipe["discharge_list"] if row[5] == "new" and drug(row[0])["class"] == _ANTIBACTERIAL]
    said = _keys(recipe["statements"])
    if len(new) != 1 or new[0][4] != "none" or new[0][0] in said:
        raise ValueError("needs a new antibiotic without a duration")
    changed = deepcopy(dict(recipe))
    next(row for row in changed["discharge_list"] if row[0] == new[0][0])[4] = "5 days"
    return Edited(changed, Verdict.NO, 6, f"duration of {_named(new[0])} on the discharge list: none -> 5 days")


def days_left_out(recipe: Mapping[str, Any]) -> Edited:
    """Nothing tells how long the new antibiotic is to be taken: yes."""
    _comparable(recipe)
    new = [row for row in recipe["discharge_list"] if row[5] == "new" and drug(row[0])["class"] == _ANTIBACTERIAL]
    if len(new) != 1 or new[0][4] != "none" or new[0][0] not in _keys(recipe["statements"]):
        raise ValueError("needs a new antibiotic whose duration stands in the text")
    changed = deepcopy(dict(recipe))
    changed["statements"] = [row for row in changed["statements"] if row[0] != new[0][0]]
    return Edited(changed, Verdict.YES, 4, f"duration of {_named(new[0])} in the hospital course: 7 days -> not told")


def dose_as_at_home(recipe: Mapping[str, Any]) -> Edited:
    """The dose of the discharge list is that of home: no."""
    _comparable(recipe)
    home = {row[0]: row[1] for row in recipe["home_meds"]}
    other = [row for row in recipe["discharge_list"] if row[0] in home and row[1] != home[row[0]]]
    if len(other) != 1 or recipe["statements"] or _keys(recipe["home_meds"]) - _keys(recipe["discharge_list"]):
        raise ValueError("needs a single dose that differs and no missing drug")
    key, before = other[0][:2]
    changed = deepcopy(dict(recipe))
    next(row for row in changed["discharge_list"] if row[0] == key)[1] = home[key]
    name = drug(key)["ingredient"]
    return Edited(changed, Verdict.NO, 6, f"discharge dose of {name}: {before} -> {home[key]}, as at home")


EDITS: tuple[Edit, ...] = (
    listed_again,
    left_out,
    said_stopped,
    kidneys_not_recovered,
    kidneys_recovered,
    days_written,
    days_left_out,
    dose_as_at_home,
)
