"""Edits of one decisive fact of a ssi-surveillance recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.words import PHRASES
from pytest_clinicare.suite import Verdict

Recipe = dict[str, Any]
_SPACE = ("abscess", "peritoneal")


def _drained(recipe: Mapping[str, Any]) -> bool:
    """An abscess drained at a readmission for it, with an organism, in an operation that is coded."""
    grown = any(row[0] in _SPACE and row[1] > 1 and row[2] for row in recipe["cultures"])
    return bool(grown and recipe["operation"] != "none" and recipe["readmission"] != "none")


def _move(recipe: Mapping[str, Any], by: int) -> Recipe:
    """The readmission and all in it on a day that is ``by`` days later; the further admissions stay out of its way."""
    changed = deepcopy(dict(recipe))
    first = recipe["readmission"][0]
    for row in (changed["readmission"], changed["event"]):
        row[0] += by
    for row in changed["cultures"]:
        row[1] += by if row[1] >= first else 0
    for name in ("imaging", "procedures"):
        for row in changed[name]:
            row[0] += by if row[0] >= first else 0
    for row in changed["antibiotics"]:
        row[1], row[2] = row[1] + by, row[2] + by
    last = changed["readmission"][0] + changed["readmission"][1]
    for row in changed["others"]:
        if 0 < row[0] <= last + 2:
            row[0] = last + 3
    if changed["emergency"] != "none" and changed["emergency"][0] <= last:
        changed["emergency"][0] = last + 2
    return changed


def after_the_period(recipe: Mapping[str, Any]) -> Edited:
    """The abscess comes on day 31 of a 30-day category: no."""
    if not _drained(recipe) or recipe["readmission"][0] > 30:
        raise ValueError("needs a drained abscess of the first 30 days at a readmission")
    day = recipe["readmission"][0]
    return Edited(_move(recipe, 31 - day), Verdict.NO, 7, f"readmission with the abscess: day {day} -> 31")


def within_the_period(recipe: Mapping[str, Any]) -> Edited:
    """The abscess comes on day 30: yes."""
    if not _drained(recipe) or recipe["readmission"][0] <= 30:
        raise ValueError("needs a drained abscess after day 30")
    day = recipe["readmission"][0]
    return Edited(_move(recipe, 30 - day), Verdict.YES, 4, f"readmission with the abscess: day {day} -> 30")


def superficial_in_time(recipe: Mapping[str, Any]) -> Edited:
    """Pus from the superficial incision over a prosthesis on day 30: yes."""
    swab = any(row[0] == "swab" for row in recipe["cultures"])
    if recipe["operation"] == "none" or recipe["operation"][0] != "HPRO" or not swab:
        raise ValueError("needs pus over a hip prosthesis")
    day = recipe["readmission"][0]
    return Edited(_move(recipe, 30 - day), Verdict.YES, 2, f"readmission with pus at the skin: day {day} -> 30")


def culture_negative(recipe: Mapping[str, Any]) -> Edited:
    """The specimen of the emergency visit grows nothing: no."""
    if recipe["event"] == "none" or recipe["event"][1] != "ed":
        raise ValueError("needs a culture at an emergency visit")
    changed = deepcopy(dict(recipe))
    before = changed["cultures"][-1][2]
    changed["cultures"][-1][2] = []
    return Edited(changed, Verdict.NO, 7, f"abscess culture of the visit: {before[0]} -> no growth")


def swab_negative(recipe: Mapping[str, Any]) -> Edited:
    """The opened incision was swabbed and nothing grew: no."""
    part = bank(PHRASES)["opened"]
    if len(recipe["summary"]) < 2 or recipe["summary"][1] not in part["second"] or "open" not in recipe["summary"][0]:
        raise ValueError("needs an incision that was opened without a culture")
    changed = deepcopy(dict(recipe))
    changed["summary"][1] = "A culture was sent from it."
    changed["cultures"].append(["swab", recipe["event"][0], []])
    return Edited(changed, Verdict.NO, 7, "culture of the opened incision: none -> swab without growth")


def healed_without_trouble(recipe: Mapping[str, Any]) -> Edited:
    """The later summary tells of ordinary visits: no."""
    texts = bank(PHRASES)["outside"]
    if recipe["past"] not in texts["texts"]:
        raise ValueError("needs a wound treated elsewhere")
    changed = deepcopy(dict(recipe))
    changed["past"] = texts["neutral"][len(recipe["past"]) % len(texts["neutral"])]
    return Edited(changed, Verdict.NO, 7, "later summary: wound treated as infected elsewhere -> ordinary follow-up")


def report_agrees(recipe: Mapping[str, Any]) -> Edited:
    """The drainage report, too, has old blood: no."""
    disputed = [tuple(pair) for pair in bank(PHRASES)["drainage"]["disputed"]]
    if not any(tuple(row[3:]) in disputed for row in recipe["imaging"]):
        raise ValueError("needs a drainage report that the summary contradicts")
    changed = deepcopy(dict(recipe))
    for row in changed["imaging"]:
        if tuple(row[3:]) in disputed:
            row[3:] = [t.replace("purulent fluid", "old blood").replace("Purulent fluid", "Old blood") for t in row[3:]]
    return Edited(changed, Verdict.NO, 7, "drainage report: purulent fluid -> old blood")


def called_an_infection(recipe: Mapping[str, Any]) -> Edited:
    """The physician's diagnosis is wound infection: yes."""
    texts = bank(PHRASES)["versus"]["texts"]
    if not recipe["summary"] or recipe["summary"][0] not in texts:
        raise ValueError("needs wound infection versus cellulitis")
    changed = deepcopy(dict(recipe))
    changed["summary"][0] = "The redness was a wound infection and was treated with cephalexin."
    return Edited(changed, Verdict.YES, 2, "diagnosis: wound infection versus cellulitis -> wound infection")


EDITS: tuple[Edit, ...] = (
    after_the_period,
    within_the_period,
    superficial_in_time,
    culture_negative,
    swab_negative,
    healed_without_trouble,
    report_agrees,
    called_an_infection,
)
