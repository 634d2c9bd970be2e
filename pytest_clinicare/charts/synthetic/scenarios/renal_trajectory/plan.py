"""The case plan of renal-trajectory: 30 recipes drawn from the ranges of the scenario's variants.

An admission is ``[age, days from first admission, length of stay d, lowest, peak, [last two], sampled dates]``,
creatinine in mg/dL; the last two values fall on different dates.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.illness import Tellings
from pytest_clinicare.charts.synthetic.plan_cases import Draw, Drawn, Recipe, draw_cases
from pytest_clinicare.charts.synthetic.plan_numbers import plus
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.abstract import abstract
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.stays import Stay, kidney_sentences, stays_of
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.summary import BANK
from pytest_clinicare.suite.case import Case

SCENARIO = "renal-trajectory"
Row = list[Any]


def plan(seed: int) -> list[Case]:
    """The 30 cases, ids in an order that says nothing."""
    tellings = Tellings(random.Random(f"{SCENARIO}/tellings/{seed}/5"))
    return draw_cases(SCENARIO, {name: _told(draw, tellings) for name, draw in DRAWS.items()}, abstract, seed)


def _told(draw: Draw, tellings: Tellings) -> Draw:
    """The same draw with the illness of each admission, and the wordings of its summary."""

    def drawn(rng: random.Random, turn: int) -> Drawn:
        recipe, text = draw(rng, turn)
        stays = stays_of(recipe)
        rows = [tellings.deal(*_reason(stay)).row for stay in stays]
        kidneys = [
            [tellings.sentence(key, len(bank(BANK)[key])) for key in kidney_sentences(recipe, stay)] for stay in stays
        ]
        return recipe | {"tellings": rows, "kidneys": kidneys}, text

    return drawn


def _reason(stay: Stay) -> tuple[str, str]:
    """Kind of illness, and what its entry must have."""
    if stay.replacement == "transplant":
        return "transplant", ""
    if stay.replacement == "temporary":
        return "septic", ""
    return "admission", "strain" if stay.injured else ""


def _recipe(sex: str, admissions: list[Row], weight: list[Row] | str, **other: Any) -> Recipe:
    recipe: Recipe = {
        "sex": sex,
        "admissions": admissions,
        "ckd_codes": ["none"] * len(admissions),
        "aki": ["none"] * len(admissions),
        "replacement": "none",
        "weight_lb": weight,
        "cystatin_c": "none",
    }
    return recipe | other


class _Course:
    """Admissions of one patient: ages fix the year of each, ``rng`` the day and the length of stay."""

    def __init__(self, rng: random.Random, sex: str) -> None:
        self.rng = rng
        self.sex = sex
        self.rows: list[Row] = []

    def add(
        self,
        age: int,
        lowest: float,
        peak: float | None = None,
        last: tuple[float, float] | None = None,
        *,
        dates: int | None = None,
        stay: tuple[int, int] = (4, 9),
        days: int | None = None,
    ) -> None:
        """Without ``peak`` a quiet stay: at most 0.2 above its lowest value, and under 1.5 times it."""
        quiet = peak is None
        if peak is None:
            peak = plus(lowest, self.rng.choice((0.1, 0.2) if lowest >= 0.9 else (0.1,)))
        if last is None:
            last = (plus(lowest, 0.1), lowest) if quiet and self.rng.random() < 0.5 else (lowest, lowest)
        length = self.rng.randint(*stay)
        if dates is None:
            dates = self.rng.randint(3, min(length, 6)) if quiet else self.rng.randint(min(5, length), min(length, 8))
        day = self._day(age) if days is None else days
        self.rows.append([age, day, length, lowest, peak, list(last), dates])

    def _day(self, age: int) -> int:
        """The builder admits first between May and August, so that these days fall in the year of that age."""
        if not self.rows:
            return 0
        years = age - self.rows[0][0]
        day: int = round(365.25 * years) + self.rng.randint(-100, 100)
        return day

    def weights(self, change: float = 0.0) -> list[Row]:
        """Outpatient weights near each admission, the last ``change`` (fraction) from the first."""
        start = self.rng.randint(150, 195) if self.sex == "M" else self.rng.randint(128, 165)
        span = max(self.rows[-1][1], 1)
        wobble = 0 if change else 2
        return [
            [
                row[1] - self.rng.randint(8, 40),
                round(start * (1 + change * row[1] / span)) + self.rng.randint(-wobble, wobble),
            ]
            for row in self.rows
        ]


def _sustained(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "F")
    course.add(58, 0.9)
    course.add(60, 1.2, 2.6, (1.3, 1.2), stay=(9, 13))
    course.add(62, 1.4)
    other = {"aki": ["none", "coded; stated in summary", "none"], "ckd_codes": ["none", "none", "N18.9"]}
    text = "Baseline eGFR 74, 52, 43: a fall of 43 % from G2 to G3b; the AKI of the middle admission settled."
    return _recipe("F", course.rows, course.weights(), **other), text


def _normal_range(rng: random.Random, turn: int) -> Drawn:
    course = _Course(rng, "F")
    course.add(72, 0.7)
    course.add(75, 0.9, 1.0)
    latest = (1.0, 1.1)[turn]
    course.add(77, latest, 1.1, (latest, latest))
    fall, egfr = ((37, 58), (44, 52))[turn]
    text = f"Baseline eGFR 92, 67, {egfr}: a fall of {fall} % from G1 to G3a, every creatinine inside its range."
    return _recipe("F", course.rows, course.weights(-0.02)), text


def _one_category(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    course.add(62, 2.6, 2.9)
    course.add(64, 3.6, 3.9)
    text = "Baseline eGFR 27 to 18: a fall of 33 % inside G4, without AKI or dialysis."
    return _recipe("M", course.rows, course.weights(), ckd_codes=["N18.4", "N18.4"]), text


def _no_return(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    course.add(55, 1.0)
    course.add(56, 1.7, 4.2, (1.7, 1.7), stay=(10, 15))
    course.add(58, 1.7)
    other = {"aki": ["none", "coded; stated in summary as resolved", "none"]}
    text = "Baseline eGFR 89 before an AKI and 46 two years after it: a fall of 48 % from G2 to G3a."
    return _recipe("M", course.rows, course.weights(), **other), text


def _dialysis_onset(rng: random.Random, turn: int) -> Drawn:
    sex = "MF"[turn]
    age = rng.randint(54, 66)
    course = _Course(rng, sex)
    first = rng.choice((2.8, 3.0)) if sex == "F" else rng.choice((3.0, 3.4))
    course.add(age, first, plus(first, 0.2))
    later, peak, last = ((2.1, 5.4, (4.6, plus(first, -0.5))), (3.9, 6.8, (5.9, 4.8)))[turn]
    course.add(age + 3, later, peak, last, stay=(7, 10))
    text = (
        f"First admission without dialysis (lowest {first}); maintenance hemodialysis by the second (last {last[1]})."
    )
    other = {"ckd_codes": ["N18.4", "N18.6"], "replacement": "maintenance from 2"}
    return _recipe(sex, course.rows, course.weights(), **other), text


def _transplant_onset(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    course.add(49, 4.6, 4.9)
    course.add(50, 4.8, 5.0)
    course.add(51, 1.5, 4.9, (1.6, 1.5), stay=(7, 9), dates=7)
    course.add(53, 1.3, 1.4)
    text = "Advanced CKD, kidney transplantation in the third admission, creatinine 1.3 in the fourth."
    codes = {"ckd_codes": ["N18.5", "N18.5", "N18.5", "none"], "replacement": "transplant in 3"}
    return _recipe("M", course.rows, course.weights(), **codes), text


def _concordant(rng: random.Random, turn: int) -> Drawn:
    course = _Course(rng, "M")
    first, latest, age = ((2.1, 2.5, 67), (2.2, 2.6, 68))[turn]
    course.add(66, first)
    course.add(age, latest)
    fall = ("34 to 27", "32 to 26")[turn]
    text = f"Baseline eGFR {fall}: a fall of 19 % from G3b to G4, while the coded stage rises from 3 to 4."
    return _recipe("M", course.rows, course.weights(), ckd_codes=["N18.3", "N18.4"]), text


def _flat(rng: random.Random, turn: int) -> Drawn:
    sex, series, code = (
        ("M", ((50, 1.1), (52, 1.2), (55, 1.1)), "none"),
        ("F", ((54, 0.8), (56, 0.9), (58, 0.8)), "none"),
        ("M", ((60, 1.6), (62, 1.7), (63, 1.6)), "N18.3"),
    )[turn]
    course = _Course(rng, sex)
    for age, value in series:
        course.add(age, value)
    text = f"First and last lowest creatinine are both {series[0][1]}; the middle one is 0.1 higher; no stage changes."
    return _recipe(sex, course.rows, course.weights(), ckd_codes=[code] * 3), text


def _improving(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    course.add(60, 1.6)
    course.add(62, 1.4, 2.4, (1.5, 1.4), stay=(7, 10))
    other = {"ckd_codes": ["N18.3", "N18.3"], "aki": ["none", "coded; stated in summary"]}
    text = "Baseline eGFR 49 to 57 after loop diuretic and NSAID were stopped; the AKI of the last admission settles."
    return _recipe("M", course.rows, course.weights(), **other), text


def _reversible(rng: random.Random, turn: int) -> Drawn:
    sex, age = ("M", "F")[turn], rng.randint(45, 60)
    base = rng.choice((0.9, 1.0))
    last = plus(base, rng.choice((0.0, 0.1)))
    course = _Course(rng, sex)
    course.add(age, base)
    course.add(age + 1, last, rng.randint(25, 50) / 10, (plus(last, 0.1), last), stay=(9, 14))
    course.add(age + 3, base)
    text = f"Lowest creatinine {base} before and after an AKI that came back to {last}: no decline beyond age."
    return _recipe(sex, course.rows, course.weights(), aki=["none", "coded; stated in summary", "none"]), text


def _temporary(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    age = rng.randint(48, 60)
    course.add(age, 1.0, 1.1)
    course.add(age + 1, 1.2, 4.6, (1.4, 1.2), stay=(15, 19), dates=10)
    course.add(age + 2, 1.0, 1.1)
    other = {"aki": ["none", "coded; stated in summary", "none"], "replacement": "temporary in 2"}
    text = (
        "Lowest creatinine 1.0 before and after a septic AKI with three days of CRRT that stopped; no end-stage code."
    )
    return _recipe("M", course.rows, course.weights(), **other), text


def _old_frail(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "F")
    for age in (81, rng.choice((83, 84)), 86):
        course.add(age, 1.0)
    loss = -rng.uniform(0.065, 0.095)
    text = (
        "Lowest creatinine 1.0 at all three admissions (eGFR 57 to 55, -3 %) in a frail woman, stage 3 code unchanged."
    )
    return _recipe("F", course.rows, course.weights(loss), ckd_codes=["N18.3"] * 3), text


def _young_mild(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    for age, value in ((40, 1.0), (43, 1.1), (47, 1.2)):
        course.add(age, value)
    text = "Baseline eGFR 98, 85, 75: a fall of 23 % from G1 to G2 in seven years, no age, weight or stay features."
    return _recipe("M", course.rows, course.weights(rng.uniform(0.01, 0.04))), text


def _single(rng: random.Random, _turn: int) -> Drawn:
    sex, age = rng.choice("MF"), rng.randint(50, 75)
    row = [age, 0, 12, 1.0, 1.9, [1.8, 1.9], 10]
    text = "One admission of 12 days in which ten values rise from 1.0 to 1.9; the other contacts are ED visits."
    return _recipe(sex, [row], [[-30, 170], [-200, 171]]), text


def _sparse(rng: random.Random, _turn: int) -> Drawn:
    sex, age = rng.choice("MF"), rng.randint(50, 62)
    course = _Course(rng, sex)
    course.add(age, 0.9, 0.9, (0.9, 0.9), dates=1)
    course.add(age + 2, 1.2, 1.3, (1.3, 1.2), dates=4)
    course.add(age + 3, 1.6, 1.6, (1.6, 1.6), dates=1)
    text = "Creatinine on one date only in the first (0.9) and last (1.6) of three admissions: one evaluable admission."
    return _recipe(sex, course.rows, course.weights()), text


def _unsettled(rng: random.Random, _turn: int) -> Drawn:
    sex, age = rng.choice("MF"), rng.randint(50, 70)
    course = _Course(rng, sex)
    course.add(age, 1.0)
    course.add(age + 1, 2.3, 4.8, (2.9, 2.3), stay=(9, 12), days=rng.randint(418, 434))
    text = "Two admissions 14 months apart; the second ends in mid-recovery of an AKI (4.8, 2.9, 2.3)."
    return _recipe(sex, course.rows, course.weights(), aki=["none", "coded; stated in summary"]), text


def _mild_elderly(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "F")
    for age, value in ((78, 1.0), (80, 1.1), (81, 1.2)):
        course.add(age, value)
    loss = -rng.uniform(0.085, 0.115)
    text = "Baseline eGFR 58, 51, 45.5: a fall of 21 % inside G3a in a woman over 65 who lost weight; stage unchanged."
    return _recipe("F", course.rows, course.weights(loss), ckd_codes=["N18.3"] * 3), text


def _rising_code(rng: random.Random, _turn: int) -> Drawn:
    course = _Course(rng, "M")
    course.add(60, 1.6)
    course.add(62, 1.6)
    text = "Baseline eGFR 49 and 48 while the coded stage rises from 3 to 4."
    return _recipe("M", course.rows, course.weights(), ckd_codes=["N18.3", "N18.4"]), text


DRAWS: dict[str, Draw] = {
    "sustained-decline": _sustained,
    "decline-within-normal-range": _normal_range,
    "decline-within-one-category": _one_category,
    "aki-without-return": _no_return,
    "dialysis-onset": _dialysis_onset,
    "transplant-onset": _transplant_onset,
    "stage-progression-concordant": _concordant,
    "flat-with-mid-course-bump": _flat,
    "improving": _improving,
    "reversible-aki": _reversible,
    "temporary-dialysis-recovered": _temporary,
    "old-frail-flat": _old_frail,
    "young-mild-decline": _young_mild,
    "single-admission": _single,
    "sparse-sampling": _sparse,
    "unsettled-last-aki": _unsettled,
    "mild-decline-elderly": _mild_elderly,
    "rising-code-flat-labs": _rising_code,
}
