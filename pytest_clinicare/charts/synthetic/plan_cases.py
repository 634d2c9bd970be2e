"""The loop every case plan shares: a scenario's variants, each drawn as often as the scenario says."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.location import suite_root
from pytest_clinicare.suite.scenario import Scenario

Recipe = dict[str, Any]
Drawn = tuple[Recipe, str]
# ``draw(rng, turn)`` gives the recipe of a variant's ``turn``-th case and the sentence that decides it.
Draw = Callable[[random.Random, int], Drawn]


def draw_cases(
    scenario_id: str, draws: Mapping[str, Draw], abstract: Callable[[Recipe, str], str], seed: int
) -> list[Case]:
    """The cases of a scenario in the order of their ids, which say nothing about variant or verdict.

    Raises KeyError when ``draws`` has no entry for a variant of the scenario.
    """
    scenario = _scenario(scenario_id)
    rng = random.Random(f"{scenario_id}/{seed}")
    variants = [(variant, turn) for variant in scenario.variants for turn in range(variant.count)]
    total = len(variants)
    numbers = rng.sample(range(1, total + 1), total)
    ids = [rng.sample(range(first, first + 10_000_000), total) for first in (10_000_000, 20_000_000, 30_000_000)]
    cases: list[Case] = []
    for at, (variant, turn) in enumerate(variants):
        recipe, decisive = draws[variant.name](rng, turn)
        cases.append(
            Case(
                id=f"{scenario_id}-{numbers[at]:02d}",
                scenario=scenario_id,
                subject_id=ids[0][at],
                hadm_id=ids[1][at],
                stay_id=ids[2][at] if scenario.anchor == "stay" else None,
                verdict=variant.verdict,
                variant=variant.name,
                step=variant.step,
                seed=rng.randrange(1, 2**31),
                abstract=abstract(recipe, decisive),
                trap=variant.trap,
                recipe=recipe,
            )
        )
    return sorted(cases, key=lambda case: case.id)


def _scenario(scenario_id: str) -> Scenario:
    path = suite_root().cases / scenario_id / "scenario.toml"
    return Scenario.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
