"""Edits of one decisive fact of a frequent-admitter recipe that move a case to a neighbouring step."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.hand import DAY, at, clock
from pytest_clinicare.suite import Verdict

_QUALIFYING = ("EW EMER.", "DIRECT EMER.", "URGENT", "OBSERVATION ADMIT")
_YEAR = 365 * DAY


def _counting(recipe: Mapping[str, Any]) -> list[int]:
    """Admissions that count and belong to the group that decides."""
    rows = enumerate(recipe["admissions"])
    return [n for n, row in rows if row[2] in _QUALIFYING and row[5] != "Z5111" and row[0] >= 0]


def _spans(recipe: Mapping[str, Any], *, related: bool) -> int:
    """Minutes from the first to the fourth of exactly four counting admissions, all far apart."""
    rows = [recipe["admissions"][n] for n in _counting(recipe)]
    if (
        len(rows) != 4
        or (recipe["family"] != "none") is not related
        or any(d == "yes" for _, _, d in recipe["outside_mentions"])
    ):
        raise ValueError("needs four counting admissions")
    if any(at(b) - at(a) - a[3] <= DAY for a, b in itertools.pairwise(rows)):
        raise ValueError("needs admissions more than 24 h apart")
    if recipe["admissions"][-1] is not rows[-1] or any(row[1] != "placed" for row in recipe["summaries"]):
        raise ValueError("needs the fourth to be the last stay, and reasons that are placed")
    return at(rows[3]) - at(rows[0])


def _move_last(recipe: Mapping[str, Any], minute: int) -> dict[str, Any]:
    changed = deepcopy(dict(recipe))
    row = changed["admissions"][-1]
    row[0], row[1] = minute // DAY, clock(minute % DAY)
    return changed


def fourth_too_late(recipe: Mapping[str, Any]) -> Edited:
    """The fourth admission three hours past 365 x 24 h: no."""
    span = _spans(recipe, related=True)
    if span > _YEAR:
        raise ValueError("needs a fourth admission in time")
    first = at(recipe["admissions"][_counting(recipe)[0]])
    changed = _move_last(recipe, first + _YEAR + 180)
    return Edited(changed, Verdict.NO, 2, f"fourth admittime: first + {span / 60:.1f} h -> first + 8763.0 h")


def fourth_in_time(recipe: Mapping[str, Any]) -> Edited:
    """The fourth admission an hour within 365 x 24 h, where all have one reason: yes."""
    span = _spans(recipe, related=False)
    conditions = {recipe["admissions"][n][4] for n in _counting(recipe)}
    if span <= _YEAR or len(conditions) != 1:
        raise ValueError("needs a fourth admission just too late")
    first = at(recipe["admissions"][_counting(recipe)[0]])
    changed = _move_last(recipe, first + _YEAR - 60)
    return Edited(changed, Verdict.YES, 3, f"fourth admittime: first + {span / 60:.1f} h -> first + 8759.0 h")


def observed_only(recipe: Mapping[str, Any]) -> Edited:
    """One of four admissions is an observation stay: no."""
    if _spans(recipe, related=True) > _YEAR:
        raise ValueError("needs four admissions in a year")
    changed = deepcopy(dict(recipe))
    row = changed["admissions"][_counting(recipe)[1]]
    if row[2] != "EW EMER.":
        raise ValueError("needs an admission by way of the emergency room")
    row[2] = "EU OBSERVATION"
    return Edited(changed, Verdict.NO, 2, f"type of the admission of day {row[0]}: EW EMER. -> EU OBSERVATION")


def converted(recipe: Mapping[str, Any]) -> Edited:
    """Observation stays for chest pain became admissions, so four count: yes."""
    watched = [n for n, r in enumerate(recipe["admissions"]) if r[2] == "EU OBSERVATION" and r[4] == "chest"]
    if len(watched) < 2 or len(_counting(recipe)) != 2:
        raise ValueError("needs two observation stays and two admissions for one complaint")
    changed = deepcopy(dict(recipe))
    for number in watched[:2]:
        changed["admissions"][number][2] = "OBSERVATION ADMIT"
    return Edited(changed, Verdict.YES, 3, "type of two stays: EU OBSERVATION -> OBSERVATION ADMIT")


def rows_apart(recipe: Mapping[str, Any]) -> Edited:
    """Re-registrations more than 24 h after the discharge, hence four episodes of one reason: yes."""
    rows = recipe["admissions"]
    close = [n for n in range(1, len(rows)) if at(rows[n]) - at(rows[n - 1]) - rows[n - 1][3] <= DAY]
    if not close or len(_counting(recipe)) - len(close) != 3:
        raise ValueError("needs three episodes of admissions that were merged")
    changed = deepcopy(dict(recipe))
    row, before = changed["admissions"][close[0]], changed["admissions"][close[0] - 1]
    minute = at(before) + before[3] + 25 * 60
    told = (at(row) - at(before) - before[3]) / 60
    row[0], row[1] = minute // DAY, clock(minute % DAY)
    return Edited(changed, Verdict.YES, 3, f"gap between two admissions: {told:.1f} h -> 25 h")


def settled(recipe: Mapping[str, Any]) -> Edited:
    """The summary that left the reason open names heart failure: yes."""
    row = next((r for r in recipe["summaries"] if r[1] == "open"), None)
    if row is None:
        raise ValueError("needs a reason that is left open")
    changed = deepcopy(dict(recipe))
    told = next(r for r in changed["summaries"] if r[1] == "open")
    told[1], told[3] = "placed", "The cause of the admission was heart failure."
    return Edited(changed, Verdict.YES, 3, f'reason of admission {row[0]}: "{row[3]}" -> "{told[3]}"')


def nothing_elsewhere(recipe: Mapping[str, Any]) -> Edited:
    """No word of a stay elsewhere: no."""
    if len(_counting(recipe)) != 3 or not any("hospitaliz" in text for _, text, _ in recipe["outside_mentions"]):
        raise ValueError("needs three admissions and a stay elsewhere")
    changed = deepcopy(dict(recipe))
    changed["outside_mentions"] = []
    return Edited(changed, Verdict.NO, 2, "mention of a stay elsewhere: undated -> none")


EDITS: tuple[Edit, ...] = (
    fourth_too_late,
    settled,
    nothing_elsewhere,
    fourth_in_time,
    observed_only,
    converted,
    rows_apart,
)
