"""Edits of one decisive fact of an hf-gdmt recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

Recipe = Mapping[str, Any]


def _has(recipe: Recipe, *words: str) -> bool:
    """Whether the discharge list holds a drug of each of these beginnings, in any case."""
    listed = " ; ".join(recipe["discharge_list"]).lower() if recipe["discharge_list"] != "none" else ""
    return all(word in listed for word in words)


def _range(recipe: Recipe) -> tuple[int, int]:
    anchor, group, year = recipe["calendar"]
    first, last = (min(int(part) + year - anchor, 2022) for part in group.split(" - "))
    return first, last


def _reduced(recipe: Recipe) -> bool:
    """One ejection fraction, reduced, and a patient who goes home with a list."""
    values = [int(str(ef).split("-")[-1]) for _, ef, _, _ in recipe["lvef"]]
    near = all(days < 330 for days, _, _, _ in recipe["lvef"])
    listed = recipe["discharge_list"] not in ("none", [])
    return near and listed and len(values) == 1 and values[0] <= 40 and recipe["disposition"] != "hospice"


def _without(lines: list[str], word: str) -> list[str]:
    return [line for line in lines if word not in line.lower()]


def beta_blocker_left_out(recipe: Recipe) -> Edited:
    """Carvedilol is missing from a list that otherwise met every edition: no."""
    if not _reduced(recipe) or not _has(recipe, "carvedilol") or _has(recipe, "sacubitril", "lisinopril"):
        raise ValueError("needs carvedilol on the list")
    if not (_has(recipe, "lisinopril") or _has(recipe, "losartan") or _has(recipe, "sacubitril")):
        raise ValueError("needs a renin-angiotensin drug on the list")
    if _range(recipe)[1] >= 2022 and not _has(recipe, "gliflozin"):
        raise ValueError("needs a list that met its edition")
    changed = deepcopy(dict(recipe))
    changed["discharge_list"] = _without(changed["discharge_list"], "carvedilol")
    return Edited(changed, Verdict.NO, 8, "carvedilol taken off the discharge list")


def beta_blocker_listed(recipe: Recipe) -> Edited:
    """Carvedilol, given to the last morning, is on the list as well: yes."""
    given = [row for row in recipe["inpatient"] if row[0] == "Carvedilol"]
    if not _reduced(recipe) or _has(recipe, "carvedilol") or not given:
        raise ValueError("needs carvedilol in hospital and not on the list")
    changed = deepcopy(dict(recipe))
    line = f"Carvedilol {given[0][1]} mg PO BID"
    changed["discharge_list"].append(line)
    return Edited(changed, Verdict.YES, 7, f"{line} added to the discharge list")


def succinate(recipe: Recipe) -> Edited:
    """The salt on the list is succinate: yes."""
    if not _reduced(recipe) or not _has(recipe, "metoprolol tartrate"):
        raise ValueError("needs metoprolol tartrate on the list")
    changed = deepcopy(dict(recipe))
    changed["discharge_list"] = [
        "Metoprolol Succinate XL 50 mg PO DAILY" if "Tartrate" in line else line for line in changed["discharge_list"]
    ]
    return Edited(
        changed, Verdict.YES, 7, "metoprolol on the discharge list: tartrate twice daily -> succinate XL daily"
    )


def potassium_above(recipe: Recipe) -> Edited:
    """A last potassium of 5.0 leaves the MRA not required: yes."""
    low = all(row[1] < 5.0 for row in recipe["labs"])
    if not _reduced(recipe) or not low or not _has(recipe, "sacubitril", "succinate") or _has(recipe, "spironolactone"):
        raise ValueError("needs an MRA that is missing and required")
    if _has(recipe, "eplerenone") or _range(recipe)[1] >= 2022:
        raise ValueError("needs the 2017 update alone")
    changed = deepcopy(dict(recipe))
    before, changed["labs"][-1][1] = changed["labs"][-1][1], 5.0
    return Edited(changed, Verdict.YES, 7, f"last potassium: {before} -> 5.0 mmol/L")


def potassium_below(recipe: Recipe) -> Edited:
    """A last potassium of 4.9 makes the MRA required: no."""
    last = recipe["labs"][-1]
    if not _reduced(recipe) or last[1] < 5.0 or last[2] > 2.0 or not _has(recipe, "losartan", "carvedilol"):
        raise ValueError("needs an MRA that only the last potassium excuses")
    changed = deepcopy(dict(recipe))
    changed["labs"][-1][1] = 4.9
    return Edited(changed, Verdict.NO, 8, f"last potassium: {last[1]} -> 4.9 mmol/L")


def years_before(recipe: Recipe) -> Edited:
    """The anchor year is that of the admission, so that 2020 and 2021 are possible too: ambiguous."""
    anchor, group, year = recipe["calendar"]
    if not _reduced(recipe) or group != "2020 - 2022" or year - anchor != 2 or _has(recipe, "gliflozin"):
        raise ValueError("needs a list without an SGLT2 inhibitor in 2022")
    changed = deepcopy(dict(recipe))
    changed["calendar"] = [year, group, year]
    return Edited(changed, Verdict.AMBIGUOUS, 6, "years possible: 2022 -> 2020-2022 (d from 2 to 0)")


def years_after(recipe: Recipe) -> Edited:
    """The same list in 2022, where an SGLT2 inhibitor is required: no."""
    good = _has(recipe, "lisinopril") != _has(recipe, "sacubitril")
    if not _reduced(recipe) or not good or _range(recipe)[1] > 2021 or _has(recipe, "gliflozin"):
        raise ValueError("needs an earlier edition and no SGLT2 inhibitor")
    if not (_has(recipe, "carvedilol") or _has(recipe, "succinate")):
        raise ValueError("needs a beta-blocker on the list")
    if _has(recipe, "sacubitril") and not _has(recipe, "spironolactone"):
        raise ValueError("needs a list that met its own edition")
    changed = deepcopy(dict(recipe))
    year = recipe["calendar"][2]
    changed["calendar"] = [year - 2, "2020 - 2022", year]
    first, last = _range(recipe)
    return Edited(changed, Verdict.NO, 8, f"years possible: {first}-{last} -> 2022")


def gliflozin_listed(recipe: Recipe) -> Edited:
    """An SGLT2 inhibitor completes the four classes: yes."""
    full = _has(recipe, "sacubitril", "spironolactone") and (_has(recipe, "carvedilol") or _has(recipe, "succinate"))
    if not _reduced(recipe) or not full or _range(recipe)[1] < 2022 or _has(recipe, "gliflozin"):
        raise ValueError("needs three classes where four are required")
    changed = deepcopy(dict(recipe))
    changed["discharge_list"].append("Dapagliflozin 10 mg PO DAILY")
    return Edited(changed, Verdict.YES, 7, "dapagliflozin 10 mg daily added to the discharge list")


def pair_parted(recipe: Recipe) -> Edited:
    """The ACE inhibitor is not listed beside the ARNI: yes."""
    if not _reduced(recipe) or not _has(recipe, "lisinopril", "sacubitril"):
        raise ValueError("needs an ACE inhibitor beside an ARNI")
    changed = deepcopy(dict(recipe))
    changed["discharge_list"] = _without(changed["discharge_list"], "lisinopril")
    return Edited(changed, Verdict.YES, 7, "lisinopril taken off a discharge list that holds sacubitril-valsartan")


EDITS: tuple[Edit, ...] = (
    beta_blocker_left_out,
    beta_blocker_listed,
    succinate,
    potassium_above,
    potassium_below,
    years_before,
    years_after,
    gliflozin_listed,
    pair_parted,
)
