"""The case plan of he-precipitant: 30 recipes drawn from the scenario's variants; hours from admission."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import plus, quarter, tenth
from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.summary import PHRASES
from pytest_clinicare.suite.case import Case

SCENARIO = "he-precipitant"
_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019", "2020 - 2022")
_CODES = (["K7030", "F1021"], ["K7460", "B182"], ["K7460", "K7581"], ["K743"], ["K7469"])
_COMPLAINTS = ("Altered mental status", "Confusion", "Lethargy", "Confusion, weakness")
TAP_CODE, BANDING = "0W9G3ZX", "06L38CZ"
MANY = ">100,000 CFU/ML"
# Places in the course of the summary, which every case fills.
ASCITES, TAP, INFECTION, BLEEDING, BOWELS, SEDATIVES, CAUSE, TREATED = range(8)
_SLOTS = ("ascites", "tap", "infection", "bleeding", "bowels", "sedatives", "cause")
_DRY = {
    "ascites": "none", "tap": "none", "infection": "clear", "bleeding": "none", "bowels": "taking",
    "sedatives": "none", "cause": "none",
}  # fmt: skip


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"), PHRASES)

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _recipe(
    hand: Hand,
    rng: random.Random,
    told: dict[str, str] | None = None,
    *,
    ascites: str = "none",
    tap: float | str = "none",
    fluid: list[Any] | None = None,
    earlier: str = "",
    drug: str = "",
    stay: int = 0,
    **other: Any,
) -> Recipe:
    """A complete work-up that finds nothing, changed by ``told`` (wordings of the course) and the rest."""
    sex = rng.choice("MF")
    words = _words(sex) | {"drug": drug, "Drug": drug.capitalize(), "n": str(rng.randint(4, 7))}
    cause = hand.deal("cause", range(len(_CODES)))
    arrival = quarter(rng, 2.25, 4)
    first = quarter(rng, -1.75, -0.5)
    sodium, potassium, creatinine, hemoglobin = _usual(rng)
    names = {**_DRY, "ascites": ascites, "tap": "done" if fluid else "none", **(told or {})}
    course = [hand.sentence(slot, names[slot], **words) for slot in _SLOTS]
    course.append(hand.sentence("treated", **{**words, "n": str(rng.randint(2, 4))}))
    codes = ["K7290", *_CODES[cause], "K766", *(["R188"] if ascites != "none" and cause else [])]
    if ascites != "none" and not cause:
        codes[1] = "K7031"
    home = ["lactulose", *(["rifaximin"] if rng.random() < 0.5 else [])]
    home += ["furosemide", "spironolactone"] if ascites != "none" else ["nadolol"]
    empirical = quarter(rng, 1, 4)
    given = [["ceftriaxone", empirical, empirical]] if rng.random() < 0.4 else []
    late = rng.randint(99, 118)
    recipe: Recipe = {
        "patient": [sex, rng.randint(44, 71)],
        "calendar": [rng.randint(2120, 2190), rng.choice(_GROUPS)],
        "cause": [hand.phrases["cirrhosis"]["causes"][cause]],
        "frame": hand.deal("frame", range(len(hand.phrases["frames"]["texts"]))),
        "arrival": arrival,
        "stay": stay or rng.randint(5, 9),
        "complaint": rng.choice(_COMPLAINTS),
        "codes": codes,
        "history": [
            hand.sentence("cirrhosis", cause=hand.phrases["cirrhosis"]["causes"][cause], **words),
            hand.sentence("he", **words),
        ],
        "course": course,
        "past": [hand.sentence("past", "plain"), hand.sentence("past", "plain")],
        "family": "none",
        "ascites": [ascites, "ultrasound"],
        "ultrasound": quarter(rng, 0.5, 1.75),
        "tap": tap,
        "tap_order": "none",
        "fluid": fluid or "none",
        "cultures": [
            ["blood", quarter(rng, -1.5, 0.5), "no growth", ""],
            ["urine", quarter(rng, -1.25, 1), "no growth", ""],
            *([["urine", float(late), "no growth", ""]] if rng.random() < 0.4 and (stay or 5) > 5 else []),
        ],
        "dipstick": "NEG",
        "chest": [quarter(rng, -1, 0.25), "clear"],
        "head": [quarter(rng, 1, 3), "clear"] if rng.random() < 0.5 else "none",
        "panels": [[first, sodium, potassium, plus(creatinine, rng.choice((0.0, 0.1)))]],
        "usual": [sodium, potassium, creatinine],
        "clinic": [
            [rng.randint(70, 300), sodium + rng.randint(0, 2), plus(potassium, rng.choice((-0.1, 0.1))), creatinine,
             plus(hemoglobin, rng.choice((0.2, 0.4)))],
            [rng.randint(9, 24), sodium + rng.randint(-1, 1), potassium, creatinine,
             plus(hemoglobin, rng.choice((-0.2, 0.1, 0.3)))],
        ],
        "hb": [[first, hemoglobin]],
        "bleed": "none",
        "procedures": [[TAP_CODE, tap]] if fluid else [["02HV33Z", 20.0]] if rng.random() < 0.4 else [],
        "home": [*home, *([drug] if drug else []), "multivitamin"],
        "antibiotics": given,
        "earlier": _stay(hand, rng, earlier) if earlier else "none",
        "other_issues": hand.two("other_issues"),
    }  # fmt: skip
    return recipe | other


def _usual(rng: random.Random) -> tuple[int, float, float, float]:
    """Sodium, potassium, creatinine and hemoglobin of a patient in whom they are not the cause."""
    return rng.randint(133, 138), tenth(rng, 3.7, 4.5), tenth(rng, 0.7, 1.1), tenth(rng, 10.2, 12.4)


def _stay(hand: Hand, rng: random.Random, kind: str) -> list[Any]:
    """An earlier stay, more than a year before."""
    days = rng.randint(415, 435) if kind == "sbp" else rng.randint(370, 420)
    return [days, kind, hand.deal(f"earlier {kind}", range(len(hand.phrases["earlier"][kind])))]


def _words(sex: str) -> dict[str, str]:
    he, him, his = ("he", "him", "his") if sex == "M" else ("she", "her", "her")
    return {"pronoun": he, "Pronoun": he.capitalize(), "object": him, "possessive": his}


def _once(turn: int) -> str:
    """An earlier stay for every other case."""
    return "other" if turn == 0 else ""


def pmn(fluid: list[Any]) -> float:
    """Corrected PMN of the recipe's fluid, for the decisive sentence."""
    cells, polys, bands, rbc, _ = fluid
    return float(max(cells * (polys + bands) / 100 - (rbc / 250 if rbc > 10000 else 0), 0))


def _quiet(rng: random.Random, low: int, high: int, polys: tuple[int, int]) -> list[Any]:
    """Fluid without infection."""
    return [rng.randint(low, high), rng.randint(*polys), 0, rng.randint(300, 4000), "no growth"]


def _bloody(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    fluid = [10 * rng.randint(170, 260), rng.randint(65, 80), 0, 1000 * rng.randint(30, 60), "no growth"]
    tap = quarter(rng, 3, 10)
    recipe = _recipe(
        hand, rng, {"tap": "bloody", "bowels": "blamed", "cause": "named"}, ascites="moderate", tap=tap, fluid=fluid,
        earlier=_once(turn), antibiotics=[["ceftriaxone", tap + 2, tap + 98]],
    )  # fmt: skip
    return recipe, f"Corrected ascitic PMN {pmn(fluid):.0f} cells/uL, culture negative; missed lactulose is blamed."


def _varix(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    before, low, scope = tenth(rng, 9.6, 11.0), tenth(rng, 6.9, 7.5), quarter(rng, 6, 20)
    recipe = _recipe(
        hand, rng, {"bleeding": "varix", "cause": "named"}, ascites="moderate", earlier=_once(turn), bleed="overt",
        complaint="Hematemesis", procedures=[[BANDING, scope]],
    )  # fmt: skip
    recipe["clinic"][1][0], recipe["clinic"][1][4] = 12, before
    recipe["hb"] = [[recipe["hb"][0][0], low], [8.5, plus(low, 0.6)]]
    recipe["codes"].append("I8511")
    recipe["past"] = ["Portal hypertension", "Esophageal varices"]
    return recipe, f"Hematemesis, Hb {before} to {low} g/dL, bleeding varix at endoscopy; ascites never tapped."


def _urinary(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    again = quarter(rng, 6, 30)
    given = again + quarter(rng, 2, 4)
    recipe = _recipe(
        hand, rng, {"infection": "urine", "cause": "named"}, earlier=_once(turn),
        antibiotics=[["ceftriaxone", given, given + 72]],
    )  # fmt: skip
    recipe["cultures"] = [recipe["cultures"][0], ["urine", -1.0, "mixed", ""], ["urine", again, "e-coli", MANY]]
    return recipe, f"Second urine culture at {again:+g} h E. coli {MANY}, ceftriaxone at {given:+g} h."


def _potassium(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    low, fluid, tap = tenth(rng, 2.5, 3.0), [rng.randint(120, 240), 20, 0, rng.randint(300, 4000), "no growth"], 6.0
    recipe = _recipe(hand, rng, ascites="moderate", tap=tap, fluid=fluid, earlier=_once(turn))
    sodium = rng.randint(131, 136)
    recipe["panels"][0][1:3] = [sodium, low]
    recipe["usual"][:2] = [sodium, tenth(rng, 3.7, 4.0)]
    return recipe, f"Potassium {low} mmol/L on the first panel, later normal; ascitic PMN {pmn(fluid):.0f}."


def _missed(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(hand, rng, {"bowels": "missed", "cause": "named"}, earlier=_once(turn))
    return recipe, "No ascites, work-up negative; lactulose had run out and there was no bowel movement for three days."


def _sedative(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    fluid, tap = _quiet(rng, 130, 280, (12, 48)), quarter(rng, 2, 12)
    recipe = _recipe(
        hand, rng, {"sedatives": "cause", "cause": "named"}, ascites="moderate", tap=tap, fluid=fluid, earlier="sbp",
        drug=("lorazepam", "zolpidem")[turn % 2],
    )  # fmt: skip
    return recipe, f"Ascitic PMN {pmn(fluid):.0f}; the episode is attributed to {('lorazepam', 'zolpidem')[turn % 2]}."


def _negative(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    dose = quarter(rng, 1, 4)
    recipe = _recipe(
        hand, rng, {"infection": "dip"}, earlier=_once(turn), dipstick="TR", antibiotics=[["ceftriaxone", dose, dose]]
    )
    return recipe, "No ascites, core work-up complete and negative, lactulose taken, no sedatives."


def _old_sbp(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    fluid, tap = _quiet(rng, 90, 260, (10, 45)), quarter(rng, 2, 20)
    recipe = _recipe(hand, rng, ascites="moderate", tap=tap, fluid=fluid, earlier="sbp")
    recipe["past"][0] = hand.sentence("past", "sbp")
    recipe["home"].insert(1, "ciprofloxacin")
    recipe["antibiotics"] = [["ciprofloxacin", 5.0, 24.0 * recipe["stay"] - 20]]
    return recipe, f"Ascitic PMN {pmn(fluid):.0f}, culture negative; SBP fourteen months earlier."


def _artefact(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    fluid: list[Any] = [10 * rng.randint(60, 80), rng.randint(50, 56), 0, 1000 * rng.randint(58, 75), "no growth"]
    tap = quarter(rng, 2, 12)
    recipe = _recipe(hand, rng, {"tap": "bloody"}, ascites="moderate", tap=tap, fluid=fluid, earlier=_once(1 - turn))
    raw = fluid[0] * fluid[1] / 100
    return recipe, f"Raw ascitic PMN {raw:.0f}, corrected {pmn(fluid):.0f} cells/uL."


def _old_bleed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, earlier="bleed", family="Father and an uncle with bleeding ulcers.")
    recipe["past"] = [hand.sentence("past", "bleed"), "Portal hypertension"]
    return recipe, "No ascites, work-up negative, no bleeding now; the episode of last year followed a bleed."


def _late(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    at = quarter(rng, 99, 166)
    recipe = _recipe(
        hand, rng, {"infection": "late"}, earlier=_once(turn), stay=rng.randint(8, 10),
        antibiotics=[["ceftriaxone", at + 24, at + 48]],
    )  # fmt: skip
    recipe["cultures"] = [*recipe["cultures"][:2], ["urine", at, "klebsiella", MANY]]
    return recipe, f"Work-up of the window negative; Klebsiella in the urine at {at:+g} h."


def _never(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(hand, rng, {"bowels": "soft", "cause": "named"}, ascites="moderate", earlier=_once(turn))
    return recipe, "Moderate ascites, no paracentesis; the summary offers a soft cause."


def _aborted(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, {"ascites": "large", "tap": "ordered"}, ascites="large", tap="dry",
        tap_order=[quarter(rng, 3, 10), rng.choice(("kept", "discontinued"))],
    )  # fmt: skip
    return recipe, "Large ascites, paracentesis ordered, no safe pocket, aborted; no fluid."


def _incomplete(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, {"infection": "claimed"}, chest="none", earlier="other", stay=rng.randint(6, 8))
    recipe["cultures"] = [["blood", 78.0, "no growth", ""], ["urine", 78.5, "no growth", ""]]
    return recipe, "No ascites; no culture until hospital day 4, no chest film."


def _bacterascites(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    fluid, tap = [rng.randint(300, 400), rng.randint(25, 45), 0, rng.randint(400, 4000), "e-coli"], quarter(rng, 3, 14)
    recipe = _recipe(hand, rng, ascites="moderate", tap=tap, fluid=fluid)
    return recipe, f"Ascitic PMN {pmn(fluid):.0f}, fluid culture E. coli."


def _subdural(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    low = tenth(rng, 2.7, 3.0)
    recipe = _recipe(hand, rng, {"cause": "subdural"}, earlier="other", head=[quarter(rng, 1, 5), rng.randint(6, 9)])
    recipe["panels"][0][2] = low
    recipe["codes"].append("I6201")
    return recipe, f"New acute subdural hematoma not separable from HE; potassium {low} mmol/L."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "sbp-bloody-tap-still-positive": _bloody,
    "variceal-bleed-ascites-untapped": _varix,
    "uti-second-culture": _urinary,
    "hypokalaemia-diuretic": _potassium,
    "missed-lactulose-no-ascites": _missed,
    "sedative-negative-tap": _sedative,
    "negative-work-up-no-ascites": _negative,
    "negative-tap-old-sbp": _old_sbp,
    "bloody-tap-artefact": _artefact,
    "earlier-episode-bleed": _old_bleed,
    "late-catheter-uti": _late,
    "ascites-never-tapped": _never,
    "tap-ordered-dry": _aborted,
    "screen-incomplete": _incomplete,
    "bacterascites": _bacterascites,
    "subdural-competes": _subdural,
}
