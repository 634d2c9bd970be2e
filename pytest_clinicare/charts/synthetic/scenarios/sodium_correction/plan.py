"""The case plan of sodium-correction: 30 recipes drawn from the scenario's variants; hours from the index."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.hand import Hand
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.sodium_correction.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.sodium_correction.summary import PHRASES
from pytest_clinicare.suite.case import Case

SCENARIO = "sodium-correction"
_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019", "2020 - 2022")
_LOW, _NORMAL = (2.7, 3.3), (3.8, 4.4)
VOID = "SPECIMEN CONTAMINATED BY INTRAVENOUS FLUID"
Values = Sequence[tuple[float, int]]


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
    values: Values,
    *,
    kalium: tuple[float, float] = (3.6, 4.2),
    sugars: dict[float, int] | None = None,
    group: str = "",
    told: str = "",
    **other: Any,
) -> Recipe:
    sex, leaves = rng.choice("MF"), quarter(rng, 98, 124)
    entries = [p for p in hand.phrases["presentations"] if p.get("group", "") == group]
    serum: list[list[Any]] = [[hour, value, "none"] for hour, value in values]
    serum += _later(rng, *values[-1], leaves)
    chronic = hand.sentence("onset", "unknown") if rng.random() < 0.6 else "none"
    return {
        "patient": [sex, rng.randint(48, 86)],
        "calendar": [rng.randint(2120, 2190), rng.choice(_GROUPS)],
        "illness": hand.entry(entries, f"presentations {group}"),
        "arrival": -0.75,
        "index_clock": f"{rng.randrange(24):02d}:{rng.randrange(60):02d}",
        "serum_sodium": serum,
        "gas_sodium": [[1.0, values[0][1] + rng.randint(-1, 1)], [quarter(rng, 17, 21), _near(values, 19) + 1]],
        "potassium": [[row[0], tenth(rng, *(kalium if row[0] <= 24 else _NORMAL))] for row in serum],
        "glucose": [[row[0], (sugars or {}).get(row[0], rng.randint(92, 168))] for row in serum],
        "risk_statements": [],
        "onset_statement": chronic,
        "told": hand.sentence("told", told or rng.choice(("neutral", "appropriate"))),
        "treatment": _treatment(rng),
        "urine": rng.choice(("usual", "usual", "brisk")),
        "other_issues": hand.two("other_issues"),
        "leaves": leaves,
    } | other


def _later(rng: random.Random, last: float, value: int, leaves: float) -> list[list[Any]]:
    """Within 3 mmol/L below the last listed value, no more than 12 h apart."""
    rows: list[list[Any]] = []
    hour = last + quarter(rng, 6, 11)
    while hour < leaves - 2:
        rows.append([hour, value - rng.randint(0, 2), "none"])
        hour += quarter(rng, 8, 12)
    return rows


def _near(values: Values, hour: float) -> int:
    return min(values, key=lambda pair: abs(pair[0] - hour))[1]


def _treatment(rng: random.Random) -> list[list[Any]]:
    """Hypertonic saline early; desmopressin now and then."""
    rows: list[list[Any]] = [["hypertonic saline", quarter(rng, 3.5, 5), rng.choice((20, 25, 30))]]
    if rng.random() < 0.4:
        rows.append(["desmopressin", quarter(rng, 14, 22), 2])
    return rows


def _rolling(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 116), (6.0, 118), (12.0, 121), (21.0, 127), (32.0, 126), (36.0, 126)]
    recipe = _recipe(hand, rng, values, index_clock="20:00")
    return recipe, "116 at 20:00 to 127 at 17:00 is +11 in 21 h; mornings 121 and 126 differ by 5."


def _relowered(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 112), (6.0, 117), (14.0, 124), (20.0, 121), (24.0, 119), (34.0, 122)]
    treatment = [["hypertonic saline", 3.5, 30], ["desmopressin", 14.75, 2], ["dextrose", 14.75, 250]]
    recipe = _recipe(hand, rng, values, told="appropriate", treatment=treatment)
    return recipe, "112 to 124 is +12 in 14 h; re-lowered to 119 at 24 h."


def _nadir(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 119), (5.0, 114), (12.0, 117), (20.0, 123), (26.0, 126)]
    return _recipe(hand, rng, values), "From the nadir of 114 at +5 h to 126 at +26 h is +12 in 21 h."


_NINE = [(0.0, 114), (8.0, 118), (20.0, 123), (32.0, 124)]


def _hypokalemia(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    return _recipe(hand, rng, _NINE, kalium=_LOW), "+9 in 20 h with a potassium of 2.7-3.3 within 24 h of the index."


def _alcohol(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, _NINE, kalium=(3.7, 4.2))
    recipe["risk_statements"] = [["course", hand.sentence("alcohol", "withdrawal")]]
    return recipe, "+9 in 20 h; the summary tells of alcohol withdrawal."


def _index_105(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [(0.0, 105), (9.0, 109), (21.0, 114), (33.0, 117)], kalium=(3.8, 4.3))
    return recipe, "Index exactly 105, hence high risk; +9 in 21 h."


def _two_days(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 108), (12.0, 113), (24.0, 118), (36.0, 123), (47.0, 127)]
    return _recipe(hand, rng, values, kalium=(3.9, 4.1)), "108 to 127 is +19 in 47 h; no 24 h passes 10."


def _exactly_ten(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 115), (10.0, 119), (22.0, 125), (34.0, 127), (47.0, 129)]
    return _recipe(hand, rng, values, kalium=(3.8, 4.4)), "115 to 125 is exactly +10 in 22 h; rise48 14; normal risk."


def _exactly_eight(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 110), (12.0, 114), (23.0, 118), (35.0, 121), (47.0, 125)]
    recipe = _recipe(hand, rng, values)
    told = hand.sentence("alcohol", "disorder", **pronouns(recipe["patient"][0]))
    recipe["risk_statements"] = [["course", told], ["code", "F1020"]]
    return recipe, "110 to 118 is exactly +8 in 23 h; high risk; rise48 15."


def _beyond(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 117), (9.0, 120), (20.0, 124), (30.0, 129), (44.0, 130)]
    return _recipe(hand, rng, values, kalium=(4.0, 4.2)), "117 to 129 is +12 over 30 h; rise24 9; normal risk."


def _contaminated(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 116), (6.0, 118), (13.0, 119), (24.0, 123), (36.0, 125)]
    recipe = _recipe(hand, rng, values)
    recipe["serum_sodium"].insert(2, [12.0, 131, VOID])
    recipe["potassium"].insert(2, [12.0, tenth(rng, 3.6, 4.2)])
    recipe["glucose"].insert(2, [12.0, rng.randint(100, 168)])
    return recipe, "131 at +12 h is void by its comment; 116 to 123 is +7 in 24 h."


def _gas(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 117), (10.0, 120), (20.0, 124), (32.0, 126)]
    recipe = _recipe(hand, rng, values, gas_sodium=[[1.0, 112], [19.0, 126]])
    return recipe, "Serum 117 to 124 is +7 in 20 h; 112 and 126 are whole blood."


def _not_the_patients(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [(0.0, 116), (11.0, 120), (22.0, 125), (34.0, 127)], kalium=(3.9, 4.1))
    family, social = hand.sentence("alcohol", "father"), hand.sentence("alcohol", "denies")
    recipe["risk_statements"] = [["family", family], ["social", social]]
    return recipe, "+9 in 22 h; alcoholism is the father's, the patient denies alcohol."


def _premise(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    first = rng.randint(121, 123)
    values = [(0.0, first), (8.0, first + 4), (20.0, first + 12)]
    recipe = _recipe(hand, rng, values, gas_sodium=[[1.0, 118], [19.0, first + 11]])
    return recipe, f"Lowest serum sodium {first}; 118 is whole blood; E87.1 coded; +12 in 20 h."


def _none_in_a_day(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [(0.0, 117), (29.0, 127)], gas_sodium=[[4.0, 119], [16.0, 123]])
    return recipe, "Index 117; the next serum sodium is 127 at +29 h."


def _gap(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [(0.0, 115), (3.0, 117), (19.0, 122), (30.0, 124)], urine="brisk")
    return recipe, "115 to 122 is +7 in 19 h, but nothing was drawn from +3 to +19 h."


def _acute(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 116), (4.0, 121), (10.0, 129)]
    recipe = _recipe(hand, rng, values, group="polydipsia", arrival=-20.5)
    recipe["onset_statement"] = hand.sentence("onset", "acute")
    for part, value in (("potassium", 4.0), ("glucose", rng.randint(92, 140))):
        recipe[part].insert(0, [-20.0, value])
    recipe["serum_sodium"].insert(0, [-20.0, 138, "none"])
    return recipe, "138 at 20 h before the index of 116; 129 at +10 h is +13."


def _sugar(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    values = [(0.0, 118), (10.0, 125), (20.0, 131)]
    recipe = _recipe(hand, rng, values, group="hyperglycemia", sugars={0.0: 900, 10.0: 500, 20.0: 250},
                     treatment=[["insulin", 3.5, 6]])  # fmt: skip
    return recipe, "118 to 131 is +13 in 20 h while glucose fell from 900 to 250; corrected 130.8 to 133.4."


def _conflicting(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(hand, rng, [(0.0, 115), (10.0, 119), (21.0, 124), (33.0, 125)], kalium=(4.0, 4.2))
    daily = hand.sentence("alcohol", "daily", **pronouns(recipe["patient"][0]))
    recipe["risk_statements"] = [["history", daily], ["social", hand.sentence("alcohol", "abstinent")]]
    return recipe, "+9 in 21 h; the history tells of daily vodka, the social history of no alcohol for ten years."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "rolling-across-midnight": _rolling,
    "peak-then-relowered": _relowered,
    "rise-from-the-nadir": _nadir,
    "high-risk-hypokalemia": _hypokalemia,
    "high-risk-alcohol": _alcohol,
    "high-risk-index-105": _index_105,
    "forty-eight-hour-limit": _two_days,
    "exactly-ten-normal-risk": _exactly_ten,
    "exactly-eight-high-risk": _exactly_eight,
    "passes-only-beyond-24h": _beyond,
    "contaminated-value": _contaminated,
    "gas-analyser-mixed-in": _gas,
    "risk-factor-not-the-patients": _not_the_patients,
    "premise-unmet": _premise,
    "no-value-in-24h": _none_in_a_day,
    "gap-in-first-day": _gap,
    "acute-water-intoxication": _acute,
    "falling-glucose": _sugar,
    "conflicting-alcohol-history": _conflicting,
}
