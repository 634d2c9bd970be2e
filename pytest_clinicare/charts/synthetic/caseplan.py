"""How a scenario's case plan becomes cases: variants drawn in turn, ids that say nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.verdict import Verdict

Recipe = dict[str, Any]
Drawn = tuple[Recipe, str]


class Variant(NamedTuple):
    """``draw(rng, turn)`` gives the recipe of the variant's ``turn``-th case and the sentence that decides it."""

    verdict: Verdict
    step: int
    count: int
    draw: Callable[[random.Random, int], Drawn]
    trap: str


def assemble(
    scenario: str,
    seed: int,
    variants: Mapping[str, Variant],
    abstract: Callable[[Recipe, str], str],
    anchor: Literal["subject", "hadm"],
) -> list[Case]:
    """The scenario's cases in the order of their ids; case numbers, subjects and admissions are drawn at random."""
    rng = random.Random(f"{scenario}/{seed}")
    count = sum(variant.count for variant in variants.values())
    numbers = rng.sample(range(1, count + 1), count)
    subjects = rng.sample(range(10_000_000, 20_000_000), count)
    admissions = rng.sample(range(20_000_000, 30_000_000), count)
    cases: list[Case] = []
    for name, variant in variants.items():
        for turn in range(variant.count):
            at = len(cases)
            recipe, decisive = variant.draw(rng, turn)
            cases.append(
                Case(
                    id=f"{scenario}-{numbers[at]:02d}",
                    scenario=scenario,
                    subject_id=subjects[at],
                    hadm_id=admissions[at] if anchor == "hadm" else None,
                    verdict=variant.verdict,
                    variant=name,
                    step=variant.step,
                    seed=rng.randrange(1, 2**31),
                    abstract=abstract(recipe, decisive),
                    trap=variant.trap,
                    recipe=recipe,
                )
            )
    return sorted(cases, key=lambda case: case.id)


def tenth(rng: random.Random, low: float, high: float) -> float:
    """A value in steps of 0.1 from ``low`` to ``high``, both ends included."""
    return rng.randint(round(low * 10), round(high * 10)) / 10


def quarter(rng: random.Random, low: float, high: float) -> float:
    """Hours in steps of a quarter from ``low`` to ``high``, both ends included."""
    return rng.randint(round(low * 4), round(high * 4)) / 4


def plus(value: float, rise: float) -> float:
    """Sum in decimal arithmetic, as creatinine is reported (0.9 + 0.3 is 1.2)."""
    return float(Decimal(str(value)) + Decimal(str(rise)))
