"""The case plan of transfusion-threshold: 30 recipes drawn from the ranges of the scenario's variants.

Hours from the start of the index unit (of the order where none was given) unless they are said to be from arrival.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.scenarios.transfusion_threshold.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.transfusion_threshold.hand import Hand
from pytest_clinicare.suite.case import Case

SCENARIO = "transfusion-threshold"
GIVEN = [[0.0, "icu"]]
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _told(
    hand: Hand,
    sex: str,
    day: int,
    *,
    transfused: str = "given",
    bleeding: str = "none",
    heart: str = "none",
    symptoms: str = "none",
    practice: str = "none",
    operated: int = 0,
) -> list[str]:
    """One sentence on each matter; ``day`` and ``operated`` are hospital days, that of arrival the first."""
    words = pronouns(sex) | {"day": NUMBERS[day]}
    told = [hand.sentence("operated", "texts", **{**words, "day": NUMBERS[operated]})] if operated else []
    parts = {
        "bleeding": bleeding, "transfused": transfused, "symptoms": symptoms, "heart": heart, "practice": practice,
    }  # fmt: skip
    return told + [hand.sentence(part, name, **words) for part, name in parts.items()]


def _recipe(
    hand: Hand,
    rng: random.Random,
    last_at: float,
    last: float,
    *,
    floor: int,
    group: str = "",
    sex: str = "",
    start_h: float | None = None,
    first: float | None = None,
    rise: tuple[float, float] = (0.7, 1.4),
    troponin: Sequence[float] = (0.0, 0.0),
    surgery: tuple[str, float] | None = None,
    unit: str = "medical",
    low_at: float | None = None,
    words: dict[str, str] | None = None,
    age: tuple[int, int] = (38, 84),
    codes: Sequence[str] = ("D649",),
    **other: Any,
) -> Recipe:
    """``last`` is the last haemoglobin, ``last_at`` h before the start; ``floor`` the lowest SBP before it."""
    sex = sex or rng.choice("MF")
    arrived = quarter(rng, 7, 14.5)
    if surgery is not None:
        # On the morning after arrival.
        start_h = 24 - arrived + quarter(rng, 8, 11) - surgery[1]
    elif start_h is None:
        start_h = quarter(rng, 34, 70)
    into = quarter(rng, 8, 14)
    if surgery is not None:
        into = start_h + surgery[1] + quarter(rng, 4, 6)
    if start_h - into < 8:
        into = quarter(rng, 8, 9)
    until = start_h + quarter(rng, 60, 96)
    day = int((arrived + start_h) // 24) + 1
    operated = int((arrived + start_h + surgery[1]) // 24) + 1 if surgery is not None else 0
    recipe: Recipe = {
        "patient": [sex, rng.randint(*age)],
        "presentation": hand.presentation(group),
        "arrived": arrived,
        "stay": until,
        "icu": [into, start_h + quarter(rng, 20, 40), unit],
        "index_source": "inputevents",
        "start_h": start_h,
        "units": [list(row) for row in GIVEN],
        "order": [-quarter(rng, 0.5, 2), "none"],
        "hb": _series(rng, start_h, until - start_h, last_at, last, first, rise),
        "troponin": [[1.0, troponin[0]], [quarter(rng, 5, 9), troponin[1]]],
        "sbp": [[low_at if low_at is not None else quarter(rng, 0.5, 5.5), floor]],
        "vasopressor": "none",
        "surgery": list(surgery) if surgery is not None else "none",
        "coronary": "none",
        "summary": _told(hand, sex, day, operated=operated, **(words or {})),
        "past": "none",
        "codes": list(codes),
        "other_issues": hand.issues(),
    }
    recipe["hb"] += _gases(rng, recipe)
    return recipe | other


def _series(
    rng: random.Random,
    start_h: float,
    after: float,
    last_at: float,
    last: float,
    first: float | None,
    rise: tuple[float, float],
) -> list[list[Any]]:
    """On arrival and about twice a day; a slow fall to ``last``, then the effect of the unit."""
    first = first if first is not None else last + tenth(rng, 0.5, 1.4)
    arrival = 0.75 - start_h
    hours = [-last_at]
    while (before := hours[0] - quarter(rng, 9, 13)) > arrival + 4:
        hours.insert(0, before)
    hours.insert(0, arrival)
    rows: list[list[Any]] = []
    for hour in hours[:-1]:
        share = (hour - arrival) / (-last_at - arrival)
        value = first + (last - first) * share + rng.choice((-0.1, 0.0, 0.1))
        rows.append([hour, round(max(value, last), 1), "cbc"])
    rows.append([-last_at, last, "cbc"])
    level, hour = last + tenth(rng, *rise), quarter(rng, 3, 5)
    while hour < after - 2:
        rows.append([hour, round(level + rng.choice((-0.2, -0.1, 0.0, 0.1, 0.2)), 1), "cbc"])
        hour += quarter(rng, 10, 14)
    return rows


def _gases(rng: random.Random, recipe: Recipe) -> list[list[Any]]:
    """A blood gas soon after arrival in intensive care, and one after the unit, each with a haemoglobin."""
    counts = [row for row in recipe["hb"] if row[2] == "cbc"]
    last = max(row[0] for row in counts if row[0] <= 0)
    wanted = [recipe["icu"][0] - recipe["start_h"] + 0.75, quarter(rng, 7, 9)]
    rows = []
    for hour in wanted:
        near = min(counts, key=lambda row: (abs(row[0] - hour), row[0]))
        if hour > 0 or hour < last - 1.5:
            rows.append([hour, round(near[1] + rng.choice((-0.2, -0.1, 0.1, 0.2)), 1), "gas"])
    return rows


def _below_7(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 6.1, 6.9), quarter(rng, 2, 9)
    recipe = _recipe(hand, rng, at, last, floor=rng.randint(104, 112), words={"transfused": "two"})
    recipe["units"] = [[0.0, "icu"], [quarter(rng, 2.75, 3.5), "icu"]]
    shown = tenth(rng, 8.2, 8.8)
    for row in recipe["hb"]:
        if row[0] > 0:
            row[0] = row[0] + 3.0
            row[1] = round(shown + (rng.choice((-0.2, 0.0, 0.1)) if row[0] > 15 else 0.0), 1)
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit, default threshold 7.0."


def _orthopaedic_7(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at, since = tenth(rng, 7.1, 7.9), quarter(rng, 1, 10), quarter(rng, 26, 60)
    recipe = _recipe(
        hand, rng, at, last, floor=rng.randint(100, 110), group="fixation", unit="surgical",
        first=tenth(rng, 9.2, 10.4), surgery=("fixation", -since),
        age=(52, 88), codes=["D62"],
    )  # fmt: skip
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit, {since:g} h after fixation of a fracture: 8.0."


def _noted(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 7.2, 7.9), quarter(rng, 1, 8)
    recipe = _recipe(hand, rng, at, last, floor=rng.randint(106, 114), past=hand.sentence("cvd", "noted"), age=(58, 86))
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit; cardiovascular disease only in the note: 8.0."


def _valve(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at, since = tenth(rng, 7.0, 7.4), quarter(rng, 2, 8), quarter(rng, 40, 52)
    recipe = _cardiac(hand, rng, at, last, since, rng.randint(98, 106), "valve", "none")
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit, two days after valve replacement: 7.5."


def _cardiac(
    hand: Hand, rng: random.Random, at: float, last: float, since: float, floor: int, group: str, practice: str
) -> Recipe:
    """Surgery on the morning after arrival, with two units in the operating room."""
    recipe = _recipe(
        hand, rng, at, last, floor=floor, group=group, unit="cardiac",
        first=last + tenth(rng, 1.6, 2.4), surgery=(group, -since), age=(56, 82), codes=["D62"],
        words={"heart": "graft", "practice": practice},
    )  # fmt: skip
    recipe["troponin"].append([recipe["icu"][0] + 6.0, tenth(rng, 0.2, 0.5)])
    arrival_in_icu = recipe["icu"][0] - recipe["start_h"] + 0.25
    recipe["units"] = [[arrival_in_icu, "operating room"], [arrival_in_icu + 0.1, "operating room"], *recipe["units"]]
    return recipe


def _unstable(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    """The first bled before arrival, the others on the ward side of the stay."""
    last, at, low = tenth(rng, 8.8, 10.8), quarter(rng, 1, 3), rng.randint(72, 88)
    common: dict[str, Any] = {
        "floor": low,
        "low_at": quarter(rng, 0.5, 3),
        "rise": (-1.0, -0.3),
        "first": last + tenth(rng, 0.3, 0.9),
    }
    if turn == 0:
        recipe = _recipe(
            hand, rng, at, last, group="gi", start_h=quarter(rng, 12, 15), words={"bleeding": "arrival"},
            codes=["K920", "D62"], **common,
        )  # fmt: skip
        text = "Hematemesis at triage and in the unit"
    else:
        recipe = _recipe(hand, rng, at, last, words={"bleeding": "overt"}, codes=["K921", "D62"], **common)
        text = "Overt bleeding on the day of the unit"
    return recipe, f"{text}, SBP {low} within 6 h before it; hemoglobin {last} g/dL."


def _acs_low(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 7.2, 7.9), quarter(rng, 2, 8)
    recipe = _infarction(hand, rng, at, last, rng.randint(104, 112), "nstemi")
    return recipe, f"Type 1 NSTEMI with hemoglobin {last} g/dL {at:g} h before the unit, below 8.0."


def _infarction(hand: Hand, rng: random.Random, at: float, last: float, floor: int, kind: str) -> Recipe:
    """``kind`` nstemi or stemi, with a stent in the first hours."""
    recipe = _recipe(
        hand, rng, at, last, floor=floor, group=kind, unit="cardiac", troponin=(0.38, tenth(rng, 1.1, 2.9)),
        words={"heart": kind}, age=(55, 82), codes=["I2510", "D649"], coronary=["027034Z", quarter(rng, 2, 6)],
    )  # fmt: skip
    recipe["troponin"].append([quarter(rng, 14, 20), tenth(rng, 0.6, 1.0)])
    return recipe


def _leukemia(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 6.2, 6.8), quarter(rng, 2, 9)
    recipe = _recipe(
        hand, rng, at, last, floor=rng.randint(100, 110), group="leukemia", words={"practice": "leukemia"}, age=(34, 66)
    )
    return recipe, f"Acute leukemia, stable, hemoglobin {last} g/dL {at:g} h before the unit: 7.0 holds."


def _default_above(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    last = 7.0 if turn == 0 else tenth(rng, 7.2, 8.4)
    at = quarter(rng, 2, 9)
    early = turn == 1
    recipe = _recipe(
        hand, rng, at, last, floor=rng.randint(100, 112), words={"transfused": "under-7" if early else "for-69"},
        first=tenth(rng, 6.7, 6.9) if early else None,
    )  # fmt: skip
    if early:
        _recover(recipe, at, last)
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit is not below 7.0; the summary says otherwise."


def _recover(recipe: Recipe, last_at: float, last: float) -> None:
    """The count rises by itself from its value on arrival to the last one."""
    before = [row for row in recipe["hb"] if row[0] <= 0]
    first = min(before)[0]
    low = min(row[1] for row in before if row[0] == first)
    for row in before:
        share = (row[0] - first) / (-last_at - first)
        row[1] = round(low + (last - low) * share, 1)


def _gas(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    count, gas = tenth(rng, 8.0, 8.5), tenth(rng, 6.5, 6.8)
    at = quarter(rng, 1.0, 1.25)
    recipe = _recipe(hand, rng, at, count, floor=rng.randint(100, 112))
    recipe["hb"].append([-(at - 0.25), gas, "gas"])
    return recipe, f"Blood count {count} g/dL and, 15 min later, blood gas {gas}: the count is used, default 7.0."


def _bypass(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at, since = tenth(rng, 8.0, 9.4), quarter(rng, 2, 8), quarter(rng, 40, 52)
    recipe = _cardiac(hand, rng, at, last, since, rng.randint(96, 106), "bypass", "over-9")
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit, two days after bypass grafting: 7.5."


def _orthopaedic_8(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    last = 8.0 if turn == 0 else tenth(rng, 8.3, 9.2)
    at, since = quarter(rng, 2, 9), quarter(rng, 26, 50)
    recipe = _recipe(
        hand, rng, at, last, floor=rng.randint(102, 110), group="replacement", unit="surgical",
        first=last + tenth(rng, 1.4, 2.2), surgery=("replacement", -since),
        words={"practice": "ten-thirty"}, age=(58, 86), codes=["D62"],
    )  # fmt: skip
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit, {since:g} h after joint replacement: 8.0."


def _demand(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 9.0, 9.6), quarter(rng, 2, 8)
    level = rng.randint(7, 13)
    recipe = _recipe(
        hand, rng, at, last, floor=rng.randint(100, 110), troponin=(level / 100, (level + rng.choice((-1, 1))) / 100),
        words={"heart": "demand"}, past=hand.sentence("cvd", "coronary"), age=(60, 86), codes=["I2510", "I21A1"],
    )  # fmt: skip
    return recipe, f"Coronary disease (8.0), demand troponin, hemoglobin {last} g/dL {at:g} h before the unit."


def _historical(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at, low = tenth(rng, 7.4, 8.6), quarter(rng, 2.5, 8), rng.randint(84, 88)
    recipe = _recipe(
        hand, rng, at, last, floor=low, low_at=2.0, words={"bleeding": "historical"}, codes=["Z8719", "D649"],
    )  # fmt: skip
    return recipe, f"A bleed two years ago only; one SBP {low}; hemoglobin {last} g/dL {at:g} h before, default 7.0."


def _stale(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 7.6, 8.2), 5.0
    recipe = _recipe(hand, rng, at, last, floor=rng.randint(105, 114), first=6.6, start_h=quarter(rng, 72, 80))
    _recover(recipe, at, last)
    for row in recipe["hb"]:
        if row[0] == 0.75 - recipe["start_h"]:
            row[1] = 6.6
    return recipe, f"6.6 g/dL on the day of admission, untreated; {last} five hours before the unit of day 4: 7.0."


def _ordered(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    last, at = tenth(rng, 6.7, 7.2), quarter(rng, 1, 4)
    recipe = _recipe(
        hand, rng, at, last, floor=rng.randint(102, 112), words={"transfused": "not-given"}, units=[],
        index_source="order only", rise=(0.3, 0.3),
    )  # fmt: skip
    for row in recipe["hb"]:
        if row[0] > 0:
            row[1] = 7.4 if row[2] == "cbc" else 7.5
    recipe["order"] = [recipe["order"][0], quarter(rng, 3, 8) if turn == 0 else "none"]
    return recipe, f"Red cells ordered at hemoglobin {last} g/dL; no unit given, returned to the blood bank."


def _no_value(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    at = quarter(rng, 31, 40)
    recipe = _recipe(hand, rng, at, 7.3, floor=rng.randint(100, 110), start_h=quarter(rng, 66, 76))
    return recipe, f"The last hemoglobin lies {at:g} h before the unit (7.3 g/dL), the next after it."


def _sometime(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    """Ordered above 7.0 and before the lowest count, which rises slowly after it: no draw shows when the unit ran."""
    recipe = _recipe(
        hand, rng, quarter(rng, 2, 8), 6.8, floor=rng.randint(100, 112), words={"transfused": "sometime"}, units=[],
        index_source="note without time", first=8.6, rise=(0.8, 1.4),
    )  # fmt: skip
    recipe["stay"] = max(recipe["stay"], 132.0)
    above, lowest = sorted(row for row in recipe["hb"] if row[0] <= 0 and row[2] == "cbc")[-2:]
    above[1] = max(above[1], 7.2)
    recipe["order"] = [lowest[0] - 2.0, "none"]
    for row in recipe["hb"]:
        if row[0] > 0:
            row[1] = round(min(7.1 + row[0] / 40, 7.8), 1)
    return recipe, "The summary tells of one unit during the stay; a procedure code, no input row, no time."


def _acs_between(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 8.2, 9.7), quarter(rng, 2, 8)
    recipe = _infarction(hand, rng, at, last, rng.randint(100, 112), rng.choice(("nstemi", "stemi")))
    return recipe, f"Type 1 infarction on arrival, stable; hemoglobin {last} g/dL {at:g} h before the unit."


def _symptomatic(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    last, at = tenth(rng, 7.3, 8.7), quarter(rng, 2, 8)
    recipe = _recipe(hand, rng, at, last, floor=rng.randint(92, 98), words={"symptoms": "orthostatic"})
    return recipe, f"Hemoglobin {last} g/dL {at:g} h before the unit; orthostasis and tachycardia laid to anemia."


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "below-7-default": _below_7,
    "orthopaedic-7x": _orthopaedic_7,
    "cvd-in-note-only": _noted,
    "cardiac-surgery-7-0-to-7-4": _valve,
    "unstable-bleed-hb-9": _unstable,
    "acs-below-8": _acs_low,
    "haematology-below-7": _leukemia,
    "default-7-0-and-above": _default_above,
    "gas-value-beside-cbc": _gas,
    "cardiac-surgery-8-plus": _bypass,
    "orthopaedic-8-plus": _orthopaedic_8,
    "demand-troponin": _demand,
    "historical-bleed": _historical,
    "stale-low-value": _stale,
    "ordered-never-given": _ordered,
    "no-hb-in-24h": _no_value,
    "time-unknown": _sometime,
    "acs-8-to-10": _acs_between,
    "symptomatic-anaemia": _symptomatic,
}
