"""Edits of one decisive fact of an overdose-disposition recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.suite import Verdict

_LONG = ("XL", "extended-release", "methadone")


def _least(recipe: Mapping[str, Any]) -> int:
    return 24 if any(part in _LONG for agent in recipe["agents"] for part in agent) else 6


def _released(recipe: Mapping[str, Any]) -> bool:
    """An ingestion, a release, long enough observed, no trigger without intensive care, a summary."""
    hours, where = recipe["release"]
    care = not recipe["triggers"] or recipe["icu"] != "none"
    told = recipe["agents"] and recipe["discharge_summary"] == "present"
    return bool(told and where != "AGAINST ADVICE" and hours >= _least(recipe) and care)


def _evaluated(recipe: Mapping[str, Any]) -> str:
    """inpatient or home, as psychiatry recommended; empty where it evaluated nobody."""
    told = [text for text in recipe["course"] if "sychiatr" in text and "unable" not in text]
    if not told:
        return ""
    return "inpatient" if "inpatient" in told[-1] else "home"


def _concordant(recipe: Mapping[str, Any]) -> bool:
    """Evaluated, and released as recommended."""
    psychiatric = recipe["release"][1] == "PSYCH FACILITY"
    return _released(recipe) and _evaluated(recipe) == ("inpatient" if psychiatric else "home")


def _treated(recipe: Mapping[str, Any]) -> list[float]:
    """First dose and end of acetylcysteine."""
    given = [row for row in recipe["nac"] if row[1] != "Not Given"]
    return [given[0][0], given[-1][0]] if given else []


def _clean(recipe: Mapping[str, Any]) -> bool:
    """Acetylcysteine for 20 h or more with all stopping values in order."""
    times = _treated(recipe)
    if not times or times[1] - times[0] < 20 or recipe["acetaminophen"][-1][1] >= 10:
        return False
    alts = [row[1] for row in recipe["alt_inr"]]
    return bool((alts[-1] <= 50 or alts[-1] < alts[-2]) and recipe["alt_inr"][-1][2] < 2)


def sent_home(recipe: Mapping[str, Any]) -> Edited:
    """Home where inpatient care was recommended: no."""
    if not _concordant(recipe) or _evaluated(recipe) != "inpatient":
        raise ValueError("needs a release to a psychiatric facility as recommended")
    changed = deepcopy(dict(recipe))
    changed["release"][1] = "HOME"
    return Edited(changed, Verdict.NO, 5, "destination: PSYCH FACILITY -> HOME, inpatient care recommended")


def admitted_as_recommended(recipe: Mapping[str, Any]) -> Edited:
    """A psychiatric facility where inpatient care was recommended: yes."""
    plain = recipe["release"][1] == "HOME" and not recipe["nac"] and not _paracetamol(recipe)
    if not _released(recipe) or _evaluated(recipe) != "inpatient" or not plain:
        raise ValueError("needs a release home against the recommendation as the only fault")
    changed = deepcopy(dict(recipe))
    changed["release"][1] = "PSYCH FACILITY"
    return Edited(changed, Verdict.YES, 9, "destination: HOME -> PSYCH FACILITY as recommended")


def _paracetamol(recipe: Mapping[str, Any]) -> bool:
    return any(agent[0] == "acetaminophen" for agent in recipe["agents"])


def level_above(recipe: Mapping[str, Any]) -> Edited:
    """The one level at 5.5 h at 130 mcg/mL without acetylcysteine: no."""
    known = recipe["ingestion_time"] == 4.5 and [row[0] for row in recipe["acetaminophen"]] == [1.0]
    if not _concordant(recipe) or not _paracetamol(recipe) or not known or recipe["nac"]:
        raise ValueError("needs a level below the line at 5.5 h without treatment")
    changed = deepcopy(dict(recipe))
    row = changed["acetaminophen"][0]
    before, row[1] = row[1], 130
    return Edited(changed, Verdict.NO, 6, f"acetaminophen at 5.5 h: {before} -> 130 mcg/mL (line 115.7)")


def level_below(recipe: Mapping[str, Any]) -> Edited:
    """The levels of an untreated patient below the line: yes."""
    untreated = not _treated(recipe) and recipe["ingestion_time"] in (3.0, 4.0)
    if not _concordant(recipe) or not _paracetamol(recipe) or not untreated:
        raise ValueError("needs a level at or above the line without treatment")
    changed = deepcopy(dict(recipe))
    row = changed["acetaminophen"][0]
    before, row[1] = row[1], 90
    hours = row[0] + recipe["ingestion_time"]
    return Edited(changed, Verdict.YES, 9, f"acetaminophen at {hours:g} h: {before} -> 90 mcg/mL")


def still_detectable(recipe: Mapping[str, Any]) -> Edited:
    """Acetaminophen 14 mcg/mL at the end of acetylcysteine: no."""
    if not _concordant(recipe) or not _clean(recipe):
        raise ValueError("needs acetylcysteine ended by criteria")
    changed = deepcopy(dict(recipe))
    changed["acetaminophen"][-1][1] = 14
    return Edited(changed, Verdict.NO, 6, "acetaminophen at the end of acetylcysteine: negative -> 14 mcg/mL")


def cleared_at_the_end(recipe: Mapping[str, Any]) -> Edited:
    """Acetaminophen negative at the end of a full course with a normal ALT: yes."""
    times = _treated(recipe)
    left = bool(times) and times[1] - times[0] >= 20 and recipe["acetaminophen"][-1][1] >= 10
    if not _concordant(recipe) or not left or recipe["alt_inr"][-1][1] > 50:
        raise ValueError("needs acetaminophen left at the end as the only fault")
    changed = deepcopy(dict(recipe))
    before, changed["acetaminophen"][-1][1] = recipe["acetaminophen"][-1][1], 0
    return Edited(changed, Verdict.YES, 9, f"acetaminophen at the end of acetylcysteine: {before} -> negative")


def left_against_advice(recipe: Mapping[str, Any]) -> Edited:
    """Leaving against advice ends the audit: lack of data."""
    if not _released(recipe):
        raise ValueError("needs a release decision")
    changed = deepcopy(dict(recipe))
    before, changed["release"][1] = recipe["release"][1], "AGAINST ADVICE"
    return Edited(changed, Verdict.LACK, 2, f"destination: {before} -> AGAINST ADVICE")


EDITS: tuple[Edit, ...] = (
    sent_home,
    admitted_as_recommended,
    level_above,
    level_below,
    still_detectable,
    cleared_at_the_end,
    left_against_advice,
)
