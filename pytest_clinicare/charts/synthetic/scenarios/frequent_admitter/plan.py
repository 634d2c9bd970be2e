"""The case plan of frequent-admitter: 30 recipes drawn from the ranges of the scenario's variants.

Days and clocks count from the first admission of the group that decides; care around it is added to every case alike.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.hand import (
    DAY,
    PHRASES,
    Hand,
    Stays,
    at,
    clock,
)
from pytest_clinicare.suite.case import Case

SCENARIO = "frequent-admitter"
YEAR = 365
_OBSERVED = ("EU OBSERVATION", "DIRECT OBSERVATION")


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    return draw_cases(SCENARIO, draws(seed), abstract, seed)


def draws(seed: int) -> dict[str, Draw]:
    """One function a variant, all dealing from the same decks of phrases."""
    hand = Hand(random.Random(f"{SCENARIO}/phrases/{seed}"))

    def bound(draw: Callable[[Hand, random.Random, int], Drawn]) -> Draw:
        return lambda rng, turn: draw(hand, rng, turn)

    return {name: bound(draw) for name, draw in _DRAWS.items()}


def _days(rng: random.Random, count: int, last: int, apart: int = 14) -> list[int]:
    """``count`` days from 0 to ``last``, at least ``apart`` days from one to the next."""
    spare = last - apart * (count - 1)
    inner = sorted(rng.randint(0, spare) for _ in range(count - 2))
    return [0, *(day + apart * number for number, day in enumerate(inner, 1)), last]


class _Patient:
    """A patient of a case while the recipe is put together."""

    def __init__(self, hand: Hand, rng: random.Random, ages: tuple[int, int], *diseases: str) -> None:
        self.hand, self.rng = hand, rng
        self.sex = rng.choice("MF")
        self.age = rng.randint(*ages)
        self.diseases = list(diseases)
        self.stays = Stays(hand, rng, self.sex, diseases)
        self.mentions: list[list[Any]] = []
        self.calendar = [rng.randint(2120, 2170), rng.randint(20, 340)]

    def outside(self, number: int, kind: str, dated: str = "no", **words: Any) -> None:
        """A sentence on care elsewhere in the summary of an admission."""
        pronoun, them = ("he", "him") if self.sex == "M" else ("she", "her")
        text: str = self.hand.deal(f"outside {kind}", bank(PHRASES)["outside"][kind])
        told = text.format(pronoun=pronoun, Pronoun=pronoun.capitalize(), object=them, **words)
        self.mentions.append([number, told, dated])

    def _around(self, before_only: bool, older: bool) -> None:
        """Planned and observation stays, and sometimes an admission long before: nothing of it counts."""
        rows = self.stays.rows
        for condition, kinds in (
            ("hernia", ("ELECTIVE", "SURGICAL SAME DAY ADMISSION")),
            ("syncope", _OBSERVED),
        ):
            if self.rng.random() < 0.45:
                last = -40 if before_only else rows[-1][0] + 120
                day = self.rng.randint(-420, last)
                kind = self.rng.choice(kinds)
                if self.stays.free(day, 12):
                    self.stays.add(condition, day, kind, nights=(1, 1) if condition == "syncope" else (1, 2))
        if older and self.rng.random() < 0.4:
            self.stays.add("abscess", self.rng.randint(-900, -420), "EW EMER.")

    def _visits(self, many: bool) -> list[list[Any]]:
        words = bank(PHRASES)["complaints"]
        count = self.rng.randint(12, 20) if many else self.rng.choice((0, 1, 2, 3, 4, 5, 6, 9, 14))
        span = (5, 360) if many else (-300, max(self.stays.rows[-1][0], 300))
        days: set[int] = set()
        for _ in range(4000):
            if len(days) == count:
                break
            day = self.rng.randint(*span)
            if self.stays.free(day, 2) and all(abs(day - other) > 2 for other in days):
                days.add(day)
        which = "alcohol" if "alcohol" in self.diseases else "ed"
        return [
            [day, clock(self.rng.randrange(180, 1380)), "HOME", self.hand.deal(f"complaint {which}", words[which])]
            for day in sorted(days)
        ]

    def recipe(
        self, family: str, *, before_only: bool = False, older: bool = True, many: bool = False, quiet: bool = False
    ) -> Recipe:
        """The whole recipe; ``quiet`` keeps every mention of care elsewhere out."""
        marked = {id(row): number for number, row in enumerate(self.stays.rows)}
        self._around(before_only, older)
        moved = {marked[id(row)]: number for number, row in enumerate(self.stays.rows) if id(row) in marked}
        self.mentions = [[moved[number], *rest] for number, *rest in self.mentions]
        if not quiet and self.rng.random() < 0.4:
            self.outside(self.rng.choice(sorted(moved.values())), "harmless")
        return {
            "patient": [self.sex, self.age],
            "calendar": self.calendar,
            "diseases": self.diseases,
            "admissions": self.stays.rows,
            "summaries": self.stays.summaries,
            "ed_visits": self._visits(many),
            "outside_mentions": self.mentions,
            "family": family,
        }


def _group(
    patient: _Patient, conditions: Sequence[str], days: Sequence[int], kinds: Sequence[str] = ("EW EMER.",)
) -> None:
    for number, (condition, day) in enumerate(zip(conditions, days, strict=True)):
        patient.stays.add(condition, day, kinds[number % len(kinds)])


def _new_year(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (58, 84), "hf")
    count = 4 if turn < 2 else 5
    last = rng.randint(240, 330)
    conditions = ["hf"] * (count - 1)
    conditions.insert(rng.randint(1, count - 1), "pneumonia")
    days = _days(rng, count, last)
    patient.calendar[1] = YEAR - rng.randint(days[1] + 6, days[2] - 6) if days[2] - days[1] > 12 else YEAR - days[1] - 5
    _group(patient, conditions, days)
    text = f"{count} EW EMER. admissions within {last} days across a new year, {count - 1} for heart failure."
    return patient.recipe("HF"), text


def _whole_year(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (58, 80), "copd")
    days = _days(rng, 4, YEAR)
    start = rng.randrange(8 * 60, 20 * 60)
    early = 0 if turn == 0 else rng.randint(1, 359)
    for number, day in enumerate(days):
        time = {0: clock(start), 3: clock(start - early)}.get(number, "")
        patient.stays.add("copd", day, "EW EMER.", time=time)
    told = "equal to" if not early else f"{early} min before"
    return patient.recipe(
        "COPD-ASTHMA", older=False
    ), f"Fourth admittime {told} first + 365 x 24 h, all for COPD exacerbation."


def _liver(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (45, 68), "cirrhosis")
    conditions = ["encephalopathy", "ascites", "varices", "sbp", "fracture"]
    rng.shuffle(conditions)
    last = rng.randint(200, 340)
    _group(patient, conditions, _days(rng, 5, last), ("EW EMER.", "EW EMER.", "URGENT"))
    return patient.recipe("LIVER"), f"5 admissions within {last} days: four of one cirrhosis and a fracture."


def _dialysis(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (45, 75), "dialysis")
    conditions = ["hyperkalemia", "overload", "catheter", "gout"]
    rng.shuffle(conditions)
    last = rng.randint(150, 320)
    code = ("A419", "T80211A")[turn % 2]
    for condition, day in zip(conditions, _days(rng, 4, last), strict=True):
        patient.stays.add(condition, day, code=code if condition == "catheter" else "")
    text = f"4 admissions within {last} days, three tied to dialysis or its access (bacteremia coded {code}), one gout."
    return patient.recipe("RENAL-DIALYSIS"), text


def _elective(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (58, 78), "copd")
    last = rng.randint(280, 350)
    days = _days(rng, 4, last, 40)
    _group(patient, ["copd"] * 4, days)
    for before, after in pairwise(days):
        patient.stays.add("veins", (before + after) // 2 + 2, "ELECTIVE", nights=(1, 2))
    text = f"4 COPD exacerbations within {last} days, with 3 ELECTIVE stages of vein surgery between them."
    return patient.recipe("COPD-ASTHMA", before_only=True), text


def _chemotherapy(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (40, 72), "lymphoma")
    cycles = (6, 8)[turn % 2]
    last = rng.randint(300, 328)
    days = _days(rng, cycles + 2, last, 20)
    urgent = sorted(rng.sample(range(1, cycles + 1), 2))
    kinds = ("ELECTIVE", "URGENT")
    for number, day in enumerate(days):
        if number in urgent:
            patient.stays.add(("neutropenic", "dehydration")[urgent.index(number)], day)
        else:
            patient.stays.add("chemotherapy", day, kinds[rng.random() < 0.4], nights=(3, 5))
    text = f"{cycles + 2} admissions within {last} days, {cycles} first-listed Z51.11; only 2 count."
    return patient.recipe("none", before_only=True, quiet=True), text


def _observation(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (46, 66), "none")
    last = rng.randint(260, 299)
    kinds = [*rng.sample(("EU OBSERVATION", "DIRECT OBSERVATION", "EU OBSERVATION"), 3), "EW EMER.", "EW EMER."]
    rng.shuffle(kinds)
    for day, kind in zip(_days(rng, 5, last), kinds, strict=True):
        length = rng.randint(30 * 60, 50 * 60) if "OBSERVATION" in kind else 0
        patient.stays.add("chest", day, kind, length=length, nights=(1, 3))
    text = f"5 stays for chest pain within {last} days, 3 of them observation; 2 count."
    return patient.recipe("none", before_only=True, quiet=True), text


def _spread(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (58, 80), "hf")
    count = (6, 7)[turn % 2]
    total = rng.randint(1480, 1800)
    close = [rng.randint(50, 120) for _ in range(count // 2)]
    # Two near each other, then more than a year to the next two.
    wide = (total - sum(close)) // ((count - 1) // 2)
    days = [0]
    for number in range(1, count):
        days.append(days[-1] + (close[number // 2] if number % 2 else wide))
    _group(patient, ["hf"] * count, days)
    text = f"{count} heart-failure admissions over {days[-1]} days, at most 2 in any 365."
    return patient.recipe("none", older=False, quiet=True), text


def _split(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (34, 55), "pancreas")
    last = rng.randint(200, 240)
    days = _days(rng, 3, last, 40)
    for number, day in enumerate(days):
        row = patient.stays.add("pancreatitis", day, nights=(1, 3))
        if number < 2:
            moved = at(row) + row[3] + rng.randint(60, 20 * 60)
            patient.stays.add("pancreatitis", moved // DAY, "URGENT", time=clock(moved % DAY))
    text = f"5 qualifying rows within {last} days, two pairs 20 h or less apart: 3 episodes."
    return patient.recipe("none", before_only=True, quiet=True), text


def _unrelated(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (62, 84), "hf", "diabetes")
    conditions = ["fracture", "influenza", "diverticular", "pyelonephritis", *(["cellulitis"] if turn else [])]
    rng.shuffle(conditions)
    last = rng.randint(240, 299)
    _group(patient, conditions, _days(rng, len(conditions), last))
    text = f"{len(conditions)} admissions within {last} days for different reasons; I50.22 and E11.9 on each."
    return patient.recipe("none"), text


def _ed_user(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (32, 58), "alcohol")
    last = rng.randint(120, 300)
    _group(patient, ["withdrawal"] * 2, [0, last])
    recipe = patient.recipe("none", older=False, many=True, quiet=True)
    return recipe, f"{len(recipe['ed_visits'])} ED visits home within a year and 2 admissions."


def _outside_year(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (24, 52), "asthma")
    start, late = rng.randrange(3 * 60, 12 * 60), rng.randint(120, 600)
    for number, day in enumerate(_days(rng, 4, YEAR)):
        time = {0: clock(start), 3: clock(start + late)}.get(number, "")
        patient.stays.add("asthma", day, "EW EMER.", time=time)
    text = f"4 asthma admissions, the fourth 365 d and {late} min after the first: 3 in any period."
    return patient.recipe("none", older=False, quiet=True), text


def _elsewhere(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (58, 82), "hf")
    last = rng.randint(180, 300)
    _group(patient, ["hf"] * 3, _days(rng, 3, last, 30))
    patient.outside(2, "unclear")
    text = f"3 heart-failure admissions within {last} days; the third summary tells of an undated stay elsewhere."
    return patient.recipe("HF", quiet=True), text


def _undocumented(hand: Hand, rng: random.Random, _turn: int) -> Drawn:
    patient = _Patient(hand, rng, (58, 82), "hf")
    last = rng.randint(220, 260)
    silent = set(rng.sample(range(4), 2))
    for number, day in enumerate(_days(rng, 4, last)):
        patient.stays.add("hf", day, certainty="absent" if number in silent else "placed")
    text = f"4 admissions within {last} days, two for heart failure, two with neither summary nor code."
    return patient.recipe("HF"), text


def _open(hand: Hand, rng: random.Random, turn: int) -> Drawn:
    patient = _Patient(hand, rng, (62, 82), "hf", "copd")
    last = rng.randint(200, 340)
    conditions = ["hf", "hf", "open", ("pyelonephritis", "fracture", "pyelonephritis")[turn % 3]]
    rng.shuffle(conditions)
    for condition, day in zip(conditions, _days(rng, 4, last), strict=True):
        patient.stays.add(condition, day, certainty="open" if condition == "open" else "placed")
    text = f"4 admissions within {last} days: two heart failure, one left open with COPD (coded I50.9), one other."
    return patient.recipe("HF"), text


_DRAWS: dict[str, Callable[[Hand, random.Random, int], Drawn]] = {
    "heart-failure-across-new-year": _new_year,
    "exactly-365-days": _whole_year,
    "liver-disease-many-codes": _liver,
    "dialysis-complications": _dialysis,
    "elective-interleaved": _elective,
    "chemotherapy-cycles": _chemotherapy,
    "observation-inflated": _observation,
    "spread-over-years": _spread,
    "split-rows-merge": _split,
    "unrelated-with-shared-comorbidity": _unrelated,
    "ed-user-not-admitter": _ed_user,
    "fourth-just-outside": _outside_year,
    "outside-admission-undated": _elsewhere,
    "reasons-undocumented": _undocumented,
    "open-common-cause": _open,
}
