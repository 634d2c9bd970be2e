"""Edits of one decisive fact of a he-precipitant recipe that move a case to a neighbouring step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pytest_clinicare.charts.synthetic.edited import Edit, Edited
from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.plan import BOWELS, CAUSE, TAP, TAP_CODE, pmn
from pytest_clinicare.suite import Verdict

_WINDOW = 48.0


def _tapped(recipe: Mapping[str, Any]) -> bool:
    return bool(recipe["fluid"] != "none")


def _tier_1(recipe: Mapping[str, Any]) -> list[str]:
    """What the recipe meets of Tier 1."""
    out = []
    if _tapped(recipe) and pmn(recipe["fluid"]) >= 250:
        out.append("SBP")
    if recipe["bleed"] != "none":
        out.append("bleeding")
    if any(potassium <= 3.0 for _, _, potassium, _ in recipe["panels"]):
        out.append("hypokalemia")
    if any(count and hours <= _WINDOW for _, hours, _, count in recipe["cultures"]):
        out.append("urine")
    return out


def _soft(recipe: Mapping[str, Any]) -> bool:
    told = " ".join(recipe["course"]).lower()
    return any(word in told for word in ("missed", "run out", "ran out", "constipation", "attributed", "caused"))


def _inseparable(recipe: Mapping[str, Any]) -> bool:
    return "not possible to distinguish" in recipe["course"][CAUSE]


def _negative(recipe: Mapping[str, Any]) -> bool:
    """Complete, nothing found."""
    cultured = any(hours <= _WINDOW for _, hours, _, _ in recipe["cultures"])
    grown = _tapped(recipe) and recipe["fluid"][4] != "no growth"
    gap = recipe["ascites"][0] != "none" and not _tapped(recipe)
    found = _tier_1(recipe) or _soft(recipe) or grown or gap or _inseparable(recipe)
    return not found and cultured and recipe["chest"] != "none"


def _changed(recipe: Mapping[str, Any]) -> dict[str, Any]:
    return deepcopy(dict(recipe))


def more_neutrophils(recipe: Mapping[str, Any]) -> Edited:
    """Fluid with 620 cells, 88 % polys and few red cells: yes."""
    if not _tapped(recipe) or _tier_1(recipe) or _soft(recipe) or _inseparable(recipe):
        raise ValueError("needs a tap below the cut and no other answer")
    changed = _changed(recipe)
    before = pmn(recipe["fluid"])
    changed["fluid"] = [620, 88, 0, 2000, recipe["fluid"][4]]
    return Edited(changed, Verdict.YES, 3, f"corrected ascitic PMN: {before:.0f} -> 546 cells/uL")


def unbloody(recipe: Mapping[str, Any]) -> Edited:
    """The same count with 8,000 red cells: yes."""
    if not _tapped(recipe) or not _negative(recipe) or recipe["fluid"][0] * recipe["fluid"][1] < 25000:
        raise ValueError("needs a raw count above the cut that the red cells explain")
    changed = _changed(recipe)
    before, changed["fluid"][3] = recipe["fluid"][3], 8000
    return Edited(changed, Verdict.YES, 3, f"red cells of the fluid: {before} -> 8000/uL")


def low_potassium(recipe: Mapping[str, Any]) -> Edited:
    """Potassium 2.9 mmol/L on the first panel: yes."""
    untapped = recipe["ascites"][0] != "none" and not _tapped(recipe)
    if not (_negative(recipe) or (untapped and not _tier_1(recipe))):
        raise ValueError("needs no Tier 1 candidate and another answer than yes")
    changed = _changed(recipe)
    before, changed["panels"][0][2] = recipe["panels"][0][2], 2.9
    return Edited(changed, Verdict.YES, 3, f"first potassium: {before} -> 2.9 mmol/L")


def normal_potassium(recipe: Mapping[str, Any]) -> Edited:
    """Potassium 3.8 mmol/L on the first panel: no."""
    if _tier_1(recipe) != ["hypokalemia"] or _soft(recipe) or _inseparable(recipe):
        raise ValueError("needs a low potassium as the only finding")
    changed = _changed(recipe)
    before, changed["panels"][0][2] = recipe["panels"][0][2], 3.8
    return Edited(changed, Verdict.NO, 8, f"first potassium: {before} -> 3.8 mmol/L")


def never_tapped(recipe: Mapping[str, Any]) -> Edited:
    """Ascites and no tap: lack of data."""
    if not _tapped(recipe) or not _negative(recipe):
        raise ValueError("needs a negative tap and a negative work-up")
    changed = _changed(recipe)
    before = pmn(recipe["fluid"])
    changed |= {"tap": "none", "fluid": "none"}
    changed["procedures"] = [row for row in recipe["procedures"] if row[0] != TAP_CODE]
    changed["course"][TAP] = "There was neither fever nor belly pain."
    return Edited(changed, Verdict.LACK, 4, f"ascitic PMN: {before:.0f} cells/uL -> never tapped")


def ran_out(recipe: Mapping[str, Any]) -> Edited:
    """The summary affirms that lactulose had run out: yes."""
    if not _negative(recipe):
        raise ValueError("needs a negative work-up")
    changed = _changed(recipe)
    before = recipe["course"][BOWELS]
    changed["course"][BOWELS] = "Lactulose had run out a week earlier and stools were hard and rare."
    return Edited(changed, Verdict.YES, 5, f'"{before}" -> lactulose had run out')


def took_it(recipe: Mapping[str, Any]) -> Edited:
    """Lactulose taken as prescribed, in a complete work-up without findings: no."""
    told = recipe["course"][BOWELS]
    if ("run out" not in told and "ran out" not in told) or _tier_1(recipe) or recipe["ascites"][0] != "none":
        raise ValueError("needs missed lactulose as the only finding")
    changed = _changed(recipe)
    changed["course"][BOWELS] = "Lactulose had been taken as prescribed, with three stools a day."
    return Edited(changed, Verdict.NO, 8, f'"{told}" -> taken as prescribed')


def second_urine_sterile(recipe: Mapping[str, Any]) -> Edited:
    """The second urine culture without growth: no."""
    if _tier_1(recipe) != ["urine"] or _soft(recipe):
        raise ValueError("needs a urinary infection as the only finding")
    changed = _changed(recipe)
    row = next(row for row in changed["cultures"] if row[3])
    before = f"{row[2]} {row[3]}"
    row[2:] = ["no growth", ""]
    return Edited(changed, Verdict.NO, 8, f"urine culture at {row[1]:+g} h: {before} -> no growth")


def separable(recipe: Mapping[str, Any]) -> Edited:
    """The second cause told apart from HE, with a low potassium: yes."""
    if not _inseparable(recipe) or _tier_1(recipe) != ["hypokalemia"]:
        raise ValueError("needs a second cause that could not be separated")
    changed = _changed(recipe)
    changed["course"][CAUSE] = (
        "The subdural hematoma was small and old in its later films, and the course was that of hepatic encephalopathy."
    )
    return Edited(changed, Verdict.YES, 3, "the subdural hematoma: not separable -> judged not the cause")


EDITS: tuple[Edit, ...] = (
    more_neutrophils,
    unbloody,
    low_potassium,
    normal_potassium,
    never_tapped,
    ran_out,
    took_it,
    second_urine_sterile,
    separable,
)
