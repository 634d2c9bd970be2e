"""The case plan of cdi-treatment: 30 recipes drawn from the ranges of the scenario's variants.

Doses in hours from the result, everything else in hours from the collection of the index stool.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.hand import Hand
from pytest_clinicare.suite.case import Case

SCENARIO = "cdi-treatment"
NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
ORAL, IV, FDX = "vancomycin-oral", "vancomycin", "fidaxomicin"
MTZ, MTZ_IV = "metronidazole", "metronidazole-iv"
_USUAL = {
    ORAL: ("125 mg", "Q6H"),
    IV: ("1000 mg", "Q12H"),
    FDX: ("200 mg", "BID"),
    MTZ: ("500 mg", "Q8H"),
    MTZ_IV: ("500 mg", "Q8H"),
}
# First year of a group and the offsets that place an admission in 2018-2020 alone.
_GROUPS = {"2008 - 2010": 10, "2011 - 2013": 7, "2014 - 2016": 4, "2017 - 2019": 1}
Dose = list[Any]


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _dose(
    agent: str, first: float, last: float, amount: str = "", often: str = "", event: str = "Administered"
) -> Dose:
    usual = _USUAL[agent]
    return [agent, amount or usual[0], often or usual[1], first, last, event]


def _calendar(rng: random.Random, edition: str = "2017") -> list[Any]:
    """``edition``: 2017, 2021, both, or before for a year that may lie before 2018."""
    year = rng.randint(2130, 2180)
    if edition == "2017":
        group, offset = rng.choice(sorted(_GROUPS.items()))
    elif edition == "before":
        group, offset = "2014 - 2016", 2
    else:
        group, offset = "2020 - 2022", 2 if edition == "2021" else 0
    return [year, group, year + offset]


def _recipe(
    hand: Hand,
    rng: random.Random,
    doses: list[Dose],
    *,
    stool: str = "watery",
    treatment: str = "vancomycin",
    planned: int | None = 10,
    white: tuple[float, float] = (7.0, 13.0),
    peak: float | None = None,
    kidney: tuple[float, float] = (0.6, 1.3),
    worst: float | None = None,
    edition: str = "2017",
    toxin: str = "positive",
    group: str = "",
    **other: Any,
) -> Recipe:
    """``peak`` and ``worst`` are the white count and creatinine of the draw nearest to collection."""
    collected, delay, leaves = quarter(rng, 20, 60), quarter(rng, 3, 16), quarter(rng, 62, 120)
    sex = rng.choice("MF")
    words = pronouns(sex) | {"n": NUMBERS[rng.randint(4, 8)]}
    told = [hand.sentence("stool", stool, **words)]
    told += [hand.sentence("treatment", treatment)] if treatment else []
    told += [hand.sentence("planned", n=planned)] if planned else []
    extra = rng.random() < 0.3 and not any(row[0] == IV for row in doses)
    doses = list(doses)
    if extra:
        start = -delay - quarter(rng, 6, 18)
        doses.append(_dose(IV, start, start + quarter(rng, 40, 90)))
        told.append(hand.sentence("label", "iv-vancomycin"))
    recipe: Recipe = {
        "patient": [sex, rng.randint(46, 86)],
        "calendar": _calendar(rng, edition),
        "presentation": hand.presentation(group),
        "collected": collected,
        "assays": [[0.0, "pcr", "positive", delay], [0.0, "toxin", toxin, delay]],
        "result": delay,
        "laxative": "none",
        "labs": _labs(rng, collected, delay + leaves, white, peak, kidney, worst),
        "pressures": [],
        "vasopressor": "none",
        "imaging": [quarter(rng, -16, 16), "normal"] if rng.random() < 0.3 else "none",
        "doses": doses,
        "orders": [],
        "administered": "yes",
        "prior_episode": "none",
        "earlier_stay": [rng.randint(70, 400), *hand.presentation()] if rng.random() < 0.35 else "none",
        "summary": told,
        "past": "Clostridium difficile colitis, ___" if rng.random() < 0.35 else "none",
        "codes": ["A0472"],
        "other_issues": hand.issues(),
        "icu": [quarter(rng, 6, 9), quarter(rng, 36, 60)] if rng.random() < 0.3 else "none",
        "exit": [leaves, []],
    }
    recipe |= other
    recipe["orders"] = recipe["orders"] or _orders(rng, recipe["doses"])
    return recipe


def _labs(
    rng: random.Random,
    collected: float,
    until: float,
    white: tuple[float, float],
    peak: float | None,
    kidney: tuple[float, float],
    worst: float | None,
) -> list[list[float]]:
    """On arrival and every morning; the draw nearest to collection holds ``peak`` and ``worst``."""
    first = -collected + 0.75
    at = until - quarter(rng, 6.5, 11.5)
    hours = [first]
    while at > first + 4:
        hours.insert(1, at)
        at -= 24
    nearest = min(hours, key=abs)
    level = tenth(rng, *kidney)
    rows = []
    for hour in hours:
        cells = peak if hour == nearest and peak is not None else tenth(rng, *white)
        creatinine = min(max(round(level + rng.choice((-0.1, 0.0, 0.1)), 1), kidney[0]), kidney[1])
        if worst is not None:
            creatinine = worst if hour == nearest else round(max(worst - rng.choice((0.1, 0.2, 0.3)), 1.0), 1)
        rows.append([hour, cells, creatinine])
    return rows


def _orders(rng: random.Random, doses: list[Dose]) -> list[Dose]:
    """One order an agent and dose, from shortly before its first row to shortly after its last."""
    spans: dict[tuple[str, str, str], list[float]] = {}
    for agent, amount, often, first, last, _ in doses:
        spans.setdefault((agent, amount, often), []).extend((first, last))
    return [[*key, min(hours) - 0.5, max(hours) + quarter(rng, 1, 4)] for key, hours in spans.items()]


def _goes_home_with(recipe: Recipe, *lines: str) -> Recipe:
    recipe["exit"] = [recipe["exit"][0], list(lines)]
    return recipe


def _to_the_end(recipe: Recipe) -> Recipe:
    """Courses marked as open (last dose at 999) run to a few hours before discharge."""
    for row in recipe["doses"]:
        if row[4] >= 999:
            row[4] = recipe["exit"][0] - 2.0
    for row in recipe["orders"]:
        if row[4] >= 999:
            row[4] = recipe["exit"][0]
    return recipe


_QID = "Vancomycin Oral Liquid 125 mg PO QID"
_FDX_LINE = "Fidaxomicin 200 mg PO BID"
OPEN = 999.0


def _initial(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 1, 12)
    recipe = _recipe(
        hand, rng, [_dose(ORAL, first, OPEN), _dose(IV, -20.0, 30.0)], white=(7.0, 14.9), kidney=(0.6, 1.4)
    )
    recipe["summary"].append(hand.sentence("label", "iv-vancomycin"))
    text = f"Toxin-positive diarrhea, non-severe; vancomycin 125 mg PO q6h from {first:+g} h after the result."
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _white_count(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 2, 20)
    recipe = _recipe(
        hand, rng, [_dose(FDX, first, OPEN)], treatment="fidaxomicin", white=(8.0, 14.4), peak=15.0,
        kidney=(0.8, 1.2), codes=["A0472", "A419"],
    )  # fmt: skip
    text = f"White count exactly 15.0 K/uL, hence severe; fidaxomicin 200 mg BID from {first:+g} h after the result."
    return _goes_home_with(_to_the_end(recipe), _FDX_LINE), text


def _creatinine(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, worst = quarter(rng, 2, 20), tenth(rng, 1.7, 2.6)
    recipe = _recipe(hand, rng, [_dose(ORAL, first, OPEN)], white=(9.0, 14.0), worst=worst, edition="2021")
    text = f"Creatinine {worst}, hence severe; 2022 or later; vancomycin 125 mg PO q6h from {first:+g} h."
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _shocked(rng: random.Random, recipe: Recipe, low: int, high: int, apart: tuple[float, float]) -> Recipe:
    """Two low pressures and norepinephrine in intensive care around the collection."""
    at = quarter(rng, -6, 4)
    recipe["pressures"] = [[at, rng.randint(low, high)], [at + quarter(rng, *apart), rng.randint(low, high)]]
    recipe["vasopressor"] = [at + 1.0, at + quarter(rng, 18, 36)]
    recipe["icu"] = [recipe["collected"] - quarter(rng, 9, 14), recipe["collected"] + quarter(rng, 44, 56)]
    return recipe


def _fulminant(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, second = quarter(rng, 1, 9), quarter(rng, 1, 9)
    recipe = _recipe(
        hand, rng, [_dose(ORAL, first, OPEN, "500 mg"), _dose(MTZ_IV, second, OPEN)], stool="ileus", treatment="both",
        white=(13.0, 24.0), kidney=(1.0, 1.8), imaging=[quarter(rng, -18, 18), "ileus"],
    )  # fmt: skip
    recipe = _shocked(rng, recipe, 78, 88, (0.75, 0.75))
    text = f"Ileus and shock; vancomycin 500 mg NG q6h from {first:+g} h and metronidazole IV from {second:+g} h."
    return _goes_home_with(_to_the_end(recipe), "Vancomycin Oral Liquid 500 mg PO QID"), text


def _colonised(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [], stool="formed-none", treatment="", planned=None, toxin="negative")
    return recipe, "PCR positive, toxin negative, one formed stool and no diarrhea; no anti-CDI dose."


def _empiric(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    after = quarter(rng, 4, 10)
    doses = [_dose(ORAL, -9.0, -3.0), _dose(ORAL, after, after)]
    recipe = _recipe(hand, rng, doses, stool="formed-stopped", treatment="", planned=None, toxin="negative")
    return recipe, f"PCR positive, toxin negative, formed stool; oral vancomycin ended {after:+g} h after the result."


def _pulsed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, days = quarter(rng, 1, 12), rng.randint(20, 50)
    recipe = _recipe(
        hand, rng, [_dose(FDX, first, OPEN)], treatment="pulsed", planned=None, edition="2021",
        prior_episode=[days, "vancomycin"], earlier_stay=[days + 3, *hand.presentation()], codes=["A0471"],
    )  # fmt: skip
    recipe["summary"].append(
        hand.sentence("label", "recurrent", Pronoun="He" if recipe["patient"][0] == "M" else "She")
    )
    line = "Fidaxomicin 200 mg PO BID for 5 days, then 200 mg every other day until day 25"
    text = (
        f"First recurrence {days} days after a vancomycin-treated episode; extended-pulsed fidaxomicin, 2022 or later."
    )
    return _goes_home_with(_to_the_end(recipe), line), text


def _not_recurrent(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, days = quarter(rng, 1, 12), rng.randint(60, 200)
    recipe = _recipe(
        hand, rng, [_dose(ORAL, first, OPEN)], white=(8.0, 13.0), prior_episode=[days, "vancomycin"],
        earlier_stay=[days + 3, *hand.presentation()], codes=["A0471"],
    )  # fmt: skip
    recipe["summary"].append(
        hand.sentence("label", "recurrent", Pronoun="He" if recipe["patient"][0] == "M" else "She")
    )
    text = (
        f"The only earlier positive lies {days} days before, hence initial; vancomycin 125 mg PO q6h from {first:+g} h."
    )
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _metronidazole(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 1, 12)
    recipe = _recipe(
        hand, rng, [_dose(MTZ, first, OPEN)], treatment="metronidazole", white=(6.0, 14.0), kidney=(0.7, 1.4)
    )
    text = f"Non-severe; metronidazole 500 mg PO q8h alone from {first:+g} h, no exception documented; 2018-2020."
    return _goes_home_with(_to_the_end(recipe), "MetroNIDAZOLE 500 mg PO TID"), text


def _either_edition(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe, text = _metronidazole(hand, rng, turn)
    recipe["calendar"] = _calendar(rng, "both")
    return recipe, text.replace("2018-2020", "2020-2022, so two editions are possible")


def _iv_only(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 1, 8)
    recipe = _recipe(hand, rng, [_dose(IV, first, OPEN)])
    text = f"Toxin-positive diarrhea; vancomycin 1 g IV q12h from {first:+g} h and no enteral agent."
    return _goes_home_with(_to_the_end(recipe), "Vancomycin 1000 mg IV Q 12H"), text


def _late(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    ordered, first = quarter(rng, 1, 4), quarter(rng, 26, 40)
    doses = [_dose(ORAL, ordered + 2.0, first - 6.0, event="Not Given"), _dose(ORAL, first, OPEN)]
    recipe = _recipe(hand, rng, doses)
    recipe["orders"] = [[*row[:3], ordered if row[0] == ORAL else row[3], row[4]] for row in recipe["orders"]]
    text = f"Vancomycin 125 mg PO ordered {ordered:+g} h after the result, first Administered at {first:+g} h."
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _underdosed(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, second = quarter(rng, 2, 8), quarter(rng, 2, 8)
    recipe = _recipe(
        hand, rng, [_dose(ORAL, first, OPEN), _dose(MTZ_IV, second, OPEN)], treatment="both", white=(13.0, 24.0),
        kidney=(1.0, 1.8),
    )  # fmt: skip
    recipe = _shocked(rng, recipe, 80, 88, (0.75, 1.5))
    recipe["summary"].append(hand.sentence("shock", "c-difficile"))
    text = f"Shock attributed to C. difficile; vancomycin only 125 mg q6h from {first:+g} h, with metronidazole IV."
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _same_course(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first, days = quarter(rng, 2, 10), rng.randint(18, 54)
    recipe = _recipe(
        hand, rng, [_dose(ORAL, first, OPEN)], prior_episode=[days, "vancomycin"],
        earlier_stay=[days + 3, *hand.presentation()],
    )  # fmt: skip
    text = (
        f"Recurrence {days} days after a vancomycin-treated episode, treated again with vancomycin 125 mg q6h, 10 days."
    )
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _carrier_treated(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [_dose(ORAL, 3.0, OPEN)], stool="formed-treated", treatment="", toxin="negative")
    text = "PCR positive, toxin negative, formed stool and no diarrhea; vancomycin 125 mg PO q6h from +3 h on."
    return _goes_home_with(_to_the_end(recipe), _QID), text


def _code_only(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [_dose(ORAL, 6.0, OPEN, often="DAILY")], stool="prophylaxis", treatment="", planned=None,
        past="Clostridium difficile colitis, ___",
    )  # fmt: skip
    recipe["assays"] = [[0.0, "pcr", "negative", recipe["result"]]]
    text = "The one assay is negative; A04.72 is coded and vancomycin 125 mg PO daily is prophylaxis."
    return _goes_home_with(_to_the_end(recipe), "Vancomycin Oral Liquid 125 mg PO DAILY"), text


def _before(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = quarter(rng, 1, 12)
    recipe = _recipe(hand, rng, [_dose(MTZ, first, OPEN)], treatment="metronidazole", edition="before")
    text = f"Possible years 2016-2018, before the 2017 edition; metronidazole 500 mg PO q8h from {first:+g} h."
    return _goes_home_with(_to_the_end(recipe), "MetroNIDAZOLE 500 mg PO TID"), text


def _no_emar(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, [_dose(ORAL, 2.0, OPEN)], administered="no", icu="none", orders=[[ORAL, "125 mg", "Q6H", 2.0, OPEN]]
    )
    recipe = _to_the_end(recipe)
    recipe["doses"] = []
    return _goes_home_with(recipe, _QID), "Vancomycin 125 mg PO q6h prescribed; no administration row of any drug."


def _disagree(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    days = rng.randint(25, 45)
    recipe = _recipe(
        hand, rng, [_dose(FDX, 5.0, OPEN)], treatment="pulsed", planned=None, edition="both",
        prior_episode=[days, "vancomycin"], earlier_stay=[days + 3, *hand.presentation()],
    )  # fmt: skip
    line = "Fidaxomicin 200 mg PO BID for 5 days, then 200 mg every other day until day 25"
    text = f"First recurrence after {days} days, extended-pulsed fidaxomicin; 2020-2022, the two editions disagree."
    return _goes_home_with(_to_the_end(recipe), line), text


def _lactulose(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start = quarter(rng, 10, 40)
    recipe = _recipe(hand, rng, [_dose(ORAL, 3.0, OPEN)], toxin="negative", group="lactulose")
    recipe["collected"] = max(recipe["collected"], start + 8.0)
    recipe["labs"] = _labs(
        rng, recipe["collected"], recipe["result"] + recipe["exit"][0], (6.0, 12.0), None, (0.7, 1.3), None
    )
    recipe["laxative"] = ["lactulose", start]
    text = f"PCR positive, toxin negative, diarrhea with lactulose begun {start:g} h before collection."
    return _goes_home_with(_to_the_end(recipe), _QID, "Lactulose 30 mL PO TID"), text


def _open_shock(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand,
        rng,
        [_dose(ORAL, 4.0, OPEN)],
        white=(12.0, 17.0),
        peak=18.0,
        kidney=(1.0, 1.5),
        group="cardiac",
        imaging="none",
    )
    recipe = _shocked(rng, recipe, 80, 88, (0.75, 1.5))
    recipe["summary"].append(hand.sentence("shock", "open"))
    text = (
        "Shock left open between cardiogenic and C. difficile; vancomycin 125 mg PO q6h from +4 h, no IV metronidazole."
    )
    return _goes_home_with(_to_the_end(recipe), _QID), text


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "initial-nonsevere-vancomycin": _initial,
    "severe-by-white-count": _white_count,
    "severe-by-creatinine": _creatinine,
    "fulminant-complete": _fulminant,
    "colonised-untreated": _colonised,
    "colonised-empiric-stopped": _empiric,
    "recurrence-extended-pulsed": _pulsed,
    "called-recurrent-but-initial": _not_recurrent,
    "metronidazole-alone": _metronidazole,
    "metronidazole-either-edition": _either_edition,
    "iv-vancomycin-only": _iv_only,
    "oral-dose-late": _late,
    "fulminant-underdosed": _underdosed,
    "recurrence-same-course": _same_course,
    "colonised-treated": _carrier_treated,
    "code-only": _code_only,
    "edition-before-2018": _before,
    "no-emar": _no_emar,
    "editions-disagree": _disagree,
    "lactulose-toxin-negative": _lactulose,
    "shock-other-cause": _open_shock,
}
