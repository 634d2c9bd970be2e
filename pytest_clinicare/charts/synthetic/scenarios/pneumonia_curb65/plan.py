"""The case plan of pneumonia-curb65: 30 recipes drawn from the ranges of the scenario's variants. Hours are from T0."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import quarter
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.hand import HIP, Hand
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.points import bounds
from pytest_clinicare.suite.case import Case

SCENARIO = "pneumonia-curb65"
Range = tuple[int, int]
Special = tuple[str, float, int, int]  # source, hours, column of the reading (2 rate, 3 systolic, 4 diastolic), value
RATE, SYSTOLIC, DIASTOLIC = 2, 3, 4
_CODES = ("J9601", "A419", "R0902", "E860", "R6521")


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _recipe(
    hand: Hand,
    rng: random.Random,
    *,
    score: tuple[int, int],
    age: Range = (66, 84),
    bun: Range = (22, 40),
    rate: Range = (18, 27),
    systolic: Range = (98, 126),
    diastolic: Range = (64, 78),
    special: Sequence[Special] = (),
    early_icu: bool = False,
    late_icu: bool = False,
    mental: str = "oriented",
    verbal: str = "Oriented",
    dementia: bool = False,
    severity: str = "severe",
    pressor: bool = False,
    minute: int | None = None,
    urea: list[list[Any]] | None = None,
    **other: Any,
) -> Recipe:
    """``score`` are the bounds that must come out; the limits are those of every reading but the ``special`` ones."""
    minute = rng.randrange(24 * 60) if minute is None else minute
    ed = quarter(rng, 3.5, 4) if early_icu else quarter(rng, 6.25, 8)
    icu = [ed, ed + quarter(rng, 40, 62)] if early_icu or late_icu else "none"
    limits = [list(rate), list(systolic), list(diastolic)]
    presentation = hand.presentation(frail=dementia)
    codes = rng.sample(_CODES[:4], 2)
    earlier = hand.earlier() if rng.random() < 0.4 else None
    recipe: Recipe = {
        "patient": _patient(rng, rng.randint(*age)),
        "t0": _t0(rng, minute),
        "arrival": "ED",
        "ed": ed,
        "icu": icu,
        "stay": _stay(rng, minute),
        "presentation": presentation,
        "bun": urea or _urea(rng, minute, bun),
        "vitals": _vitals(rng, ed, limits, special),
        "usual": limits,
        "intubation": "none",
        "vasopressor": [quarter(rng, 25, 30), quarter(rng, 36, 40)] if pressor else "none",
        "mental_status": [hand.sentence("mental", mental), verbal],
        "past": hand.sentence("past", "dementia" if dementia else "plain"),
        "imaging": _films(hand, rng, presentation),
        "diagnosis_text": hand.sentence("diagnosis", "treated"),
        "severity": hand.sentence("severity", severity),
        "codes": ["J189", *(["F0390"] if dementia else codes[:1]), codes[1]],
        "antibiotics": [["ceftriaxone", quarter(rng, 2, 3.5)], ["azithromycin", quarter(rng, 2.5, 4)]],
        "earlier": "none" if earlier is None else [rng.randint(60, 500), earlier],
        "issues": hand.issues(),
    }
    if pressor:
        start = recipe["vasopressor"][0]
        low = [start - 0.5, "icu", rng.randint(*rate), rng.randint(76, 84), rng.randint(50, 58)]
        recipe["vitals"].append(low)
    recipe |= other
    assert tuple(bounds(recipe)) == score, (bounds(recipe), score, recipe)
    return recipe


def _patient(rng: random.Random, age: int, offset: int | None = None) -> list[Any]:
    """Sex, anchor age and year, and the year of the admission, some years after the anchor year."""
    after = rng.randint(0, 4) if offset is None else offset
    year = rng.randint(2130, 2180)
    return [rng.choice("MF"), age - after, year, year + after]


def _t0(rng: random.Random, minute: int) -> str:
    return f"{rng.randint(1, 11):02d}-{rng.randint(5, 27):02d} {minute // 60:02d}:{minute % 60:02d}"


def _stay(rng: random.Random, minute: int, days: Range = (4, 6)) -> float:
    """To an afternoon."""
    return 24.0 * rng.randint(*days) + quarter(rng, 13, 17) - round(minute / 15) / 4


def _mornings(rng: random.Random, minute: int, days: int = 4) -> list[float]:
    """Hours of the draws between five and seven of the following mornings."""
    return [round(24 * day + (rng.randint(310, 410) - minute) / 60, 2) for day in range(1, days + 1)]


def _urea(rng: random.Random, minute: int, limits: Range) -> list[list[Any]]:
    """On arrival, then mornings; the values fall, and stay within the limits for a day."""
    first = rng.randint(*limits)
    rows: list[list[Any]] = [[quarter(rng, 0.5, 1.25), first]]
    level = first
    for hours in _mornings(rng, minute):
        level = max(min(level - rng.randint(0, 4), limits[1]), limits[0] if hours <= 24 else 8)
        rows.append([hours, level])
    return rows


def _vitals(rng: random.Random, ed: float, limits: list[list[int]], special: Sequence[Special]) -> list[list[Any]]:
    """Triage and a reading every hour and a half or so in the ED; ``special`` ones take the place of the nearest."""

    def reading(hours: float, source: str) -> list[Any]:
        return [hours, source, *(rng.randint(low, high) for low, high in limits)]

    rows = [reading(0.0, "triage")]
    hours = quarter(rng, 0.5, 1)
    while hours < ed:
        rows.append(reading(hours, "ed"))
        hours += quarter(rng, 1.25, 1.75)
    for source, at, column, value in special:
        same = [row for row in rows if row[1] == source]
        if source == "icu" and not any(row[0] == at for row in same):
            rows.append(reading(at, "icu"))
            same = [rows[-1]]
        row = min(same, key=lambda r: abs(r[0] - at))
        row[0], row[column] = at, value
    return sorted(rows, key=lambda row: (row[0], row[1]))


def _films(hand: Hand, rng: random.Random, presentation: int, first: str = "consolidation") -> list[list[Any]]:
    later = "follow"
    return [
        [quarter(rng, 1, 3), first, hand.film(first, presentation)],
        [quarter(rng, 50, 80), later, hand.film(later, presentation)],
    ]


def _rating(rng: random.Random, turn: int) -> str:
    """Words that rate the illness say nothing of the score."""
    return "mild" if turn % 3 or rng.random() < 0.4 else "severe"


def _classic(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    rate = rng.randint(30, 38)
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(70, 88), bun=(28, 55), systolic=(98, 130), diastolic=(65, 80), severity="mild",
        special=[("triage", 0.0, RATE, rate)], early_icu=turn == 1, pressor=turn == 1,
    )  # fmt: skip
    return recipe, f"Urea, respiratory rate {rate} at triage, and age score: 3."


def _sixty(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    icu = turn == 1
    at = 5.0 if icu else quarter(rng, 1, 4)
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(66, 80), rate=(20, 28), systolic=(104, 118), diastolic=(64, 75), early_icu=icu,
        special=[("icu" if icu else "ed", at, DIASTOLIC, 60)],
    )  # fmt: skip
    return recipe, f"Diastolic exactly 60 once, at {_at(recipe, DIASTOLIC, 60):+g} h; with urea and age: 3."


def _thirty(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    icu = turn == 1
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(66, 85), bun=(21, 35), rate=(20, 24), diastolic=(62, 80), early_icu=icu,
        pressor=icu, special=[("icu", 5.25, RATE, 30) if icu else ("ed", quarter(rng, 2, 5.5), RATE, 30)],
    )  # fmt: skip
    return recipe, f"Respiratory rate exactly 30 once, at {_at(recipe, RATE, 30):+g} h; with urea and age: 3."


def _silent(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(4, 5), age=(75, 75), bun=(44, 44), mental="silent", severity=("mild", "severe")[turn],
        special=[("triage", 0.0, RATE, 34), ("ed", 1.5, DIASTOLIC, 55)],
    )  # fmt: skip
    return recipe, "Nothing on mental status; the other four items score: 4 to 5."


def _twenty(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    rate = rng.randint(30, 36)
    icu = turn == 1
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(65, 65), bun=(20, 20), special=[("triage", 0.0, RATE, rate)], early_icu=icu,
        patient=_patient(rng, 65, 4), diastolic=(64, 80),
    )  # fmt: skip
    return recipe, f"Age 65 exactly, urea nitrogen 20 mg/dL, respiratory rate {rate}: 3."


def _delirium(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(84, 84), bun=(24, 24), rate=(22, 26), diastolic=(62, 70), mental="new",
        verbal="Confused", dementia=True, early_icu=True,
    )  # fmt: skip
    return recipe, "New confusion on dementia, with urea and age: 3."


def _unit(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    rate = rng.randint(30, 33)
    recipe = _recipe(
        hand, rng, score=(2, 2), age=(68, 82), bun=(9, 18), systolic=(100, 130), diastolic=(64, 80),
        special=[("triage", 0.0, RATE, rate)], severity=_rating(rng, turn),
    )  # fmt: skip
    return recipe, f"Urea nitrogen {recipe['bun'][0][1]} mg/dL does not score; respiratory rate {rate} and age: 2."


def _edge(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(2, 2), age=(70, 70), bun=(19, 19), systolic=(94, 120), diastolic=(62, 76),
        special=[("triage", 0.0, RATE, 31), ("ed", 1.5, DIASTOLIC, 61), ("ed", 3.5, SYSTOLIC, 94)],
        severity=_rating(rng, turn),
    )  # fmt: skip
    return recipe, "Urea nitrogen exactly 19, diastolic 61, systolic 94: none scores; rate 31 and age 70: 2."


def _ninety(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(2, 2), age=(45, 60), bun=(26, 26), systolic=(94, 110), diastolic=(62, 64), early_icu=True,
        special=[("triage", 0.0, RATE, 32), ("ed", 2.0, SYSTOLIC, 90)], pressor=True, codes=["J189", "A419", "R6521"],
    )  # fmt: skip
    return recipe, "Lowest systolic exactly 90, diastolic above 60, age below 65; urea and rate 32: 2."


def _late(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    at = quarter(rng, 9, 15)
    low = rng.randint(78, 86)
    recipe = _recipe(
        hand, rng, score=(2, 2), age=(66, 80), bun=(25, 25), rate=(18, 26), systolic=(105, 125), diastolic=(65, 75),
        special=[("icu", at, SYSTOLIC, low), ("icu", at, DIASTOLIC, 50), ("icu", at + 1.0, RATE, 34)], late_icu=True,
        severity=_rating(rng, turn),
    )  # fmt: skip
    return recipe, f"Systolic {low} at {at:+g} h and rate 34 an hour later lie after the window; urea and age: 2."


def _baseline(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(2, 2), age=(80, 88), bun=(24, 40), rate=(18, 26), diastolic=(62, 75), mental="baseline",
        verbal="Confused", dementia=True, early_icu=True, severity="psi",
    )  # fmt: skip
    return recipe, "Disorientation is the stated baseline, though charted as Confused; urea and age: 2."


def _sixty_four(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(2, 2), age=(64, 64), bun=(30, 30), patient=_patient(rng, 64, 2), diastolic=(66, 75),
        special=[("triage", 0.0, RATE, 32)], severity="elderly",
    )  # fmt: skip
    return recipe, "Age 64 at the admission; urea and rate 32: 2."


def _hospital(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    minute = rng.randrange(8 * 60, 20 * 60)
    onset = quarter(rng, 80, 92)
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(80, 80), bun=(26, 26), special=[("triage", 0.0, RATE, 30)],
        codes=["S72001A", "J189", "R0902"], minute=minute, stay=_stay(rng, minute, (8, 9)),
        antibiotics=[["cefepime", onset + 2.0]],
        imaging=[[1.5, "clear", hand.film("clear", HIP)], [onset, "onset", hand.film("onset", HIP)]],
    )  # fmt: skip
    recipe["presentation"] = HIP
    recipe["diagnosis_text"] = hand.sentence("diagnosis", "hospital")
    return recipe, f"The film on arrival is clear, consolidation is new {onset:g} h after T0."


def _transferred(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(1, 1), age=(68, 78), bun=(10, 17), severity="mild", arrival="transfer",
        diagnosis_text=hand.sentence("diagnosis", "transferred"), late_icu=True,
    )  # fmt: skip
    return recipe, "Transfer from another hospital after two days of antibiotics; local values total 1."


def _no_urea(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    minute = 22 * 60 + 45
    after = [[hours, 24 - n] for n, hours in enumerate(_mornings(rng, minute)[2:])]
    recipe = _recipe(
        hand, rng, score=(2, 3), age=(74, 74), diastolic=(66, 76), special=[("triage", 0.0, RATE, 31)],
        minute=minute, urea=[[0.75, "none"], [7.0, "none"], [31.0, 28], *after],
    )  # fmt: skip
    return recipe, "No urea nitrogen in the first 24 h, 28 mg/dL at +31 h; rate 31 and age: 2 to 3."


def _direct(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    minute = rng.randrange(9 * 60, 17 * 60)
    recipe = _recipe(
        hand, rng, score=(2, 4), age=(71, 71), bun=(27, 27), arrival="direct", ed=0.0, vitals=[],
        minute=minute,
    )  # fmt: skip
    return recipe, "Direct admission without any vital sign in 6 h; urea and age: 2 to 4."


def _unstated(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(2, 3), age=(86, 86), bun=(30, 30), rate=(18, 22), diastolic=(66, 74), mental="unstated",
        dementia=True,
    )  # fmt: skip
    return recipe, "Disoriented with dementia and no baseline stated; urea and age: 2 to 3."


def _edema(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    recipe = _recipe(
        hand, rng, score=(3, 3), age=(78, 78), bun=(31, 31), special=[("triage", 0.0, RATE, 32)], early_icu=True,
        diagnosis_text=hand.sentence("diagnosis", "both"), codes=["J189", "I5023", "J9601"],
        past=hand.sentence("past", "failure"),
    )  # fmt: skip
    recipe["imaging"][0] = [recipe["imaging"][0][0], "edema", hand.film("edema", recipe["presentation"])]
    return recipe, "Edema or pneumonia, not distinguished and both treated; the score would be 3."


def _at(recipe: Recipe, column: int, value: int) -> float:
    hours: float = next(row[0] for row in recipe["vitals"] if row[column] == value)
    return hours


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "classic-severe": _classic,
    "diastolic-exactly-sixty": _sixty,
    "rate-exactly-thirty": _thirty,
    "enough-without-confusion": _silent,
    "urea-twenty": _twenty,
    "new-confusion-on-dementia": _delirium,
    "unit-trap": _unit,
    "three-values-at-the-edge": _edge,
    "systolic-exactly-ninety": _ninety,
    "late-hypotension": _late,
    "baseline-dementia": _baseline,
    "not-yet-sixty-five": _sixty_four,
    "hospital-acquired": _hospital,
    "transferred-in": _transferred,
    "no-urea-in-window": _no_urea,
    "direct-no-vital-signs": _direct,
    "dementia-unstated": _unstated,
    "oedema-or-pneumonia": _edema,
}
