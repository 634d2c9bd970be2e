"""The case plan of dka-resolution: 30 recipes drawn from the ranges of the scenario's variants.

Times of infusion and its order in hours from arrival, everything else in hours from the stop.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.course import (
    Point,
    chemistries,
    fingersticks,
    infusion,
    presentation,
)
from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.summary import PHRASES
from pytest_clinicare.suite.case import Case

SCENARIO = "dka-resolution"
WITH, WITHOUT = "with potassium", "without potassium"
_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016")
_LATE = "2017 - 2019"
# Precipitants of type 2 diabetes alone.
_TYPE_TWO = ("foot wound",)
Gas = list[Any]


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
    points: Sequence[Point],
    glucose: int,
    *,
    last: float | None = None,
    arrival: list[Any] | None = None,
    gas: Sequence[Gas] = (),
    claim: str = "",
    found: str = "dka",
    gap: str = "",
    highest: int = 320,
    **other: Any,
) -> Recipe:
    """``points`` are the chemistries that matter up to the stop and the first ones after it; ``glucose`` decides.

    ``gas`` holds those after the one on arrival; where none lies in the window, two earlier ones are drawn.
    """
    sex = rng.choice("MF")
    words = pronouns(sex)
    start, lasts = quarter(rng, 3.25, 4.5), quarter(rng, 14, 19)
    stop = other.pop("stop", start + lasts)
    arrival = arrival or presentation(rng, (450, 700), (8, 14))
    illness = hand.entry(hand.phrases["presentations"], "presentations")
    kind = 2 if illness[0] in _TYPE_TWO else rng.choice((1, 1, 2))
    reported = gap or rng.choice((WITH, WITHOUT))
    group = rng.choice(_GROUPS) if reported == WITH else _LATE
    last = last if last is not None else -quarter(rng, 0.25, 0.75)
    sugars = fingersticks(rng, last, glucose, highest, (140, min(228, highest)))
    points = [*points, *_recovered(rng, points, quarter(rng, 9, 12), quarter(rng, 18, 24))]
    pause = None
    if rng.random() < 0.3:
        begin = start + quarter(rng, 2, 4)
        pause = (begin, begin + quarter(rng, 0.5, 1.25))
    basal = -quarter(rng, 1, 2.25)
    code = "E1010" if kind == 1 else "E1110" if group == _LATE else "E1310"
    recipe: Recipe = {
        "patient": [sex, rng.randint(24, 63), kind],
        "calendar": [rng.randint(2120, 2190), group],
        "illness": illness,
        "presentation": arrival,
        "stop": stop,
        "infusion": infusion(rng, start, stop, pause),
        "infusion_order": [start - 0.5, stop],
        "chemistry": chemistries(rng, arrival, stop, points, sugars),
        "reported_gap": reported,
        "gas": _gases(rng, arrival, stop, gas),
        "fingerstick": sugars,
        "bhb": [[0.5 - stop, tenth(rng, 4.8, 8.9)]] if rng.random() < 0.4 else [],
        "sc_insulin": [["glargine", rng.choice((14, 18, 20, 24, 28)), basal, "given"], *_meals(rng)],
        "told": [hand.sentence("found", found, **words), hand.sentence("started", "infusion", **words)],
        "summary_claim": hand.sentence("claim", claim or rng.choice(("closed", "resolved", "moved")), **words),
        "past": "none",
        "sglt2": "no",
        "codes": [code],
        "other_issues": hand.two("other_issues"),
        "leaves": quarter(rng, 30, 60),
    }
    return recipe | other


def _meals(rng: random.Random) -> list[list[Any]]:
    start = quarter(rng, 0.5, 3)
    return [["lispro", rng.randint(4, 9), start + 5 * n, "given"] for n in range(3)]


def _recovered(rng: random.Random, points: Sequence[Point], *hours: float) -> list[Point]:
    """Panels after the stop in which nothing is open any more; the first as ``points`` give it, else drawn."""
    after = [] if any(p.hour > 0 for p in points) else [quarter(rng, 2.5, 4)]
    level, rows = 19 if not after else max(points[-1].bicarbonate + 2, 17), []
    for hour in (*after, *hours):
        level = min(level + rng.randint(1, 2), 26)
        rows.append(Point(hour, rng.randint(136, 140), level, rng.randint(9, 11)))
    return rows


def _gases(rng: random.Random, arrival: Sequence[Any], stop: float, given: Sequence[Gas]) -> list[Gas]:
    """Three in all on the way: on arrival, one in between, and one of ``given`` or another in between."""
    rows: list[Gas] = [[0.5 - stop, arrival[2], "venous", tenth(rng, 1.6, 2.9)]]
    early = 7.5 - stop if not given else 5.0 - stop
    limit = min([float(g[0]) for g in given] or [-6.0])
    ph = max(float(arrival[2]) + 0.05, 7.2)
    if not given:
        rows.append([4.0 - stop, round(float(arrival[2]) + 0.03, 2), "venous", tenth(rng, 1.3, 2.2)])
    if early < limit - 1:
        rows.append([early, round(ph + rng.choice((0.0, 0.01, 0.02)), 2), "venous", tenth(rng, 1.1, 1.9)])
    return sorted([*rows, *map(list, given)])


def _point(hour: float, sodium: int, chloride: int, bicarbonate: int) -> Point:
    return Point(hour, sodium, bicarbonate, sodium - chloride - bicarbonate)


def _clean(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [_point(-2.0, 138, 109, 18)], rng.randint(150, 190), gap=WITH)
    _set_potassium(recipe, -2.0, 4.2)
    return (
        recipe,
        "HCO3 18 and gap 138 - (109 + 18) = 11 two hours before the stop; the reported gap of 15 adds potassium.",
    )


def _set_potassium(recipe: Recipe, hour: float, value: float) -> None:
    for row in recipe["chemistry"]:
        if row[0] == hour:
            row[2] = value


def _ph_and_bicarbonate(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    at = -quarter(rng, 1, 4)
    gas = [[at, 7.34, rng.choice(("venous", "mixed", "unlabelled")), tenth(rng, 0.9, 1.9)]]
    recipe = _recipe(hand, rng, [_point(at, 139, 109, 16)], rng.randint(140, 195), gas=gas)
    return recipe, f"HCO3 16 and venous pH 7.34 at {at:+g} h; the gap of 14 is open, two of three suffice."


def _ph_and_gap(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    at = -quarter(rng, 2, 3)
    measured = [7.32, "venous"] if turn == 0 else [7.36, "arterial"]
    gas = [[at, *measured, tenth(rng, 0.9, 1.9)]]
    recipe = _recipe(hand, rng, [_point(at, 138, 112, 14)], rng.randint(150, 190), gas=gas)
    return recipe, f"Gap 12 and {measured[1]} pH {measured[0]} at {at:+g} h; HCO3 14 fails, two of three suffice."


def _ketones(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [_point(-2.0, 136, 108, 17)], 180)
    raised = tenth(rng, 0.9, 1.5)
    recipe["bhb"] = [[0.5 - recipe["stop"], tenth(rng, 5.0, 8.5)], [-2.0, raised]]
    return recipe, f"HCO3 17, gap 11 at -2 h; beta-hydroxybutyrate {raised} mmol/L is no criterion of 2009."


def _limits(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [_point(-3.0, 137, 110, 15)], 199, last=-1.0)
    return recipe, "HCO3 15 and gap 12 at -3 h, glucose 199 at -1 h: each just inside its limit."


def _paused(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    start, before, lasts, after = (
        quarter(rng, 3.25, 4.5),
        quarter(rng, 5, 7),
        quarter(rng, 0.75, 1.75),
        quarter(rng, 8, 12),
    )
    stop, at = start + before + lasts + after, -quarter(rng, 1, 3)
    bicarbonate, chloride = rng.choice(((17, 109), (18, 110), (19, 110), (19, 109)))
    open_ = Point(-after - lasts - 0.5, 136, 11, 20)
    points = [open_, Point(-after / 2 - 1.0, 137, 14, 15), _point(at, 138, chloride, bicarbonate)]
    recipe = _recipe(hand, rng, points, rng.randint(160, 190), stop=stop)
    end = start + before
    first = infusion(rng, start, end, None)
    first[-1][3] = "Paused"
    recipe["infusion"] = [*first, *infusion(rng, end + lasts, stop, None)]
    recipe["infusion_order"] = [start - 0.5, stop]
    return recipe, (
        f"Paused for {lasts:g} h with HCO3 11 and gap 20, then run on for {after:g} h; HCO3 {bicarbonate}, "
        f"gap {138 - chloride - bicarbonate} at {at:+g} h before the stop."
    )


def _high(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    at, glucose = -quarter(rng, 1, 3), 200 if turn == 0 else rng.randint(204, 248)
    bicarbonate, gap = rng.randint(19, 21), rng.randint(9, 11)
    recipe = _recipe(hand, rng, [Point(at, 138, bicarbonate, gap)], glucose)
    recipe["sc_insulin"][0][2] = -2.0
    return recipe, f"Latest glucose {glucose} mg/dL; HCO3 {bicarbonate} and gap {gap} are satisfied."


def _open_gap(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    at = -quarter(rng, 1, 4)
    gas = [] if turn == 0 else [[at, rng.choice((7.25, 7.26, 7.27, 7.28, 7.29)), "venous", tenth(rng, 1.0, 2.0)]]
    points = [
        _point(at, 138, 108, 12),
        Point(quarter(rng, 2.5, 4), 138, 14, 16),
        Point(quarter(rng, 6, 8), 138, 18, 11),
    ]
    recipe = _recipe(
        hand, rng, points, rng.randint(130, 180), gas=gas, claim="closed", gap=WITHOUT if turn == 1 else WITH
    )
    return recipe, f"HCO3 12, gap 18 at {at:+g} h, no later chemistry before the stop; the gap closed hours after it."


def _closed_after(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    points = [_point(-3.0, 139, 110, 13), Point(2.0, 139, 18, 11)]
    recipe = _recipe(hand, rng, points, 160)
    return recipe, "HCO3 13, gap 16 at -3 h and no pH; HCO3 18 and gap 11 only 2 h after the stop."


def _reopened(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    early = -9.0 if turn == 0 else -5.0
    points = [Point(early, 138, 17, 11), _point(-1.0, 138, 108, 13)]
    recipe = _recipe(hand, rng, points, rng.randint(150, 190))
    return recipe, f"HCO3 17, gap 11 at {early:+g} h, but HCO3 13, gap 17 at -1 h."


def _exactly(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    measured = [7.30, "venous"] if turn == 0 else [7.33, "arterial"]
    gas = [[-2.0, *measured, tenth(rng, 1.2, 2.0)]]
    recipe = _recipe(hand, rng, [_point(-2.0, 138, 110, 15)], 170, gas=gas)
    return recipe, f"HCO3 15 is met; gap 13 and {measured[1]} pH {measured[0]:.2f} (7.30 as venous) are not."


def _not_given(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    arrival = presentation(rng, (450, 600), (15, 15))
    recipe = _recipe(hand, rng, [Point(-2.0, 137, 18, 11)], rng.randint(150, 190), arrival=arrival)
    start = recipe["infusion_order"][0]
    every = [2.0 + 2 * n for n in range(7)]
    recipe["infusion"], recipe["infusion_order"] = [], [start, start + quarter(rng, 1, 1.75)]
    doses = [["lispro", 6 + n % 3, start + 0.5 + at - recipe["stop"], "given"] for n, at in enumerate(every)]
    recipe["sc_insulin"] = [*doses, *recipe["sc_insulin"]]
    words = pronouns(recipe["patient"][0])
    recipe["told"][1] = hand.sentence("started", "injections", **words)
    recipe["summary_claim"] = hand.sentence("claim", "resolved", **words)
    return recipe, "An insulin infusion was ordered and discontinued before its start; lispro under the skin every 2 h."


def _coded(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    arrival = presentation(rng, (520, 700), (20, 22))
    arrival[2], arrival[5] = rng.choice((7.33, 7.34, 7.35, 7.36)), "trace"
    recipe = _recipe(hand, rng, [Point(-2.0, 138, 24, 9)], 150, arrival=arrival, found="mild", claim="resolved", bhb=[])
    recipe["patient"][2], recipe["calendar"][1] = 2, _LATE
    recipe |= {"codes": ["E1110"], "reported_gap": WITHOUT}
    return recipe, f"Coded and called mild DKA, but HCO3 {arrival[1]}, pH {arrival[2]}, urine ketone trace on arrival."


def _one_criterion(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    gas = [[-11.0, 7.35, "venous", tenth(rng, 1.0, 1.9)]]
    recipe = _recipe(hand, rng, [_point(-2.0, 139, 109, 16)], rng.randint(150, 190), gas=gas, claim="resolved")
    return recipe, "HCO3 16 is met, gap 14 is not, and no gas lies in the 6 h before the stop (pH 7.35 at -11 h)."


def _no_chemistry(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    gas = [[-8.0, 7.33, "venous", tenth(rng, 1.0, 1.9)]]
    points = [Point(-8.0, 138, 16, 12), Point(3.0, 138, 19, 11)]
    recipe = _recipe(hand, rng, points, rng.randint(140, 180), gas=gas)
    return (
        recipe,
        "Last chemistry and gas 8 h before the stop (HCO3 16, gap 12), fingersticks up to it, next panel at +3 h.",
    )


def _hyperchloremic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    gas = [[-2.0, 7.28, "venous", tenth(rng, 1.0, 1.9)]]
    points = [_point(-2.0, 140, 117, 13), Point(3.0, 140, 15, 10)]
    recipe = _recipe(hand, rng, points, 150, gas=gas)
    low = tenth(rng, 0.2, 0.4)
    recipe["bhb"] = [[0.5 - recipe["stop"], tenth(rng, 5.0, 8.5)], [-2.0, low]]
    return recipe, f"Only the gap (10) is met, with chloride 117 and beta-hydroxybutyrate {low}."


def _euglycemic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    arrival = presentation(rng, (180, 245), (9, 9))
    arrival[4] = arrival[3] - arrival[1] - 24
    recipe = _recipe(hand, rng, [Point(-2.0, 138, 18, 11)], 140, arrival=arrival, highest=arrival[0] - 8, sglt2="yes")
    recipe["bhb"] = [[0.5 - recipe["stop"], 6.5]]
    recipe["patient"][2] = 2
    recipe["codes"] = ["E1110" if recipe["calendar"][1] == _LATE else "E1310"]
    return recipe, f"No glucose above 250 mg/dL in the first 24 h (highest {arrival[0]}), on empagliflozin."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "resolved-clean": _clean,
    "ph-and-bicarbonate": _ph_and_bicarbonate,
    "ph-and-gap": _ph_and_gap,
    "ketones-still-raised": _ketones,
    "at-the-limits": _limits,
    "paused-then-continued": _paused,
    "glucose-still-high": _high,
    "open-gap-called-closed": _open_gap,
    "closed-only-after-the-stop": _closed_after,
    "met-then-reopened": _reopened,
    "ph-exactly-7-30": _exactly,
    "no-infusion-given": _not_given,
    "coded-without-ketoacidosis": _coded,
    "no-ph-one-criterion": _one_criterion,
    "no-chemistry-before-stop": _no_chemistry,
    "hyperchloremic": _hyperchloremic,
    "euglycemic-sglt2": _euglycemic,
}
