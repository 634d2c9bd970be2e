"""Forms of the suite: the committed cases, and fresh ones of the same variants that nobody has seen."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping
from importlib import import_module

from pytest_clinicare.charts.chart import ChartError
from pytest_clinicare.charts.synthetic import packages
from pytest_clinicare.suite import Case, Scenario

COMMITTED_SEED = 1
"""The seed of the plans that the committed cases are drawn with."""

# A plan draws all cases of a scenario at once. After so many draws on end without a new case, there are no more.
_PATIENCE = 50


def committed_cases(scenario_id: str) -> list[Case]:
    """The cases of a scenario as they stand in ``cases/``."""
    return _planned(scenario_id, COMMITTED_SEED)


def fresh_cases(
    scenario: Scenario, seed: int, count: int, *, known: Iterable[Case], holdout: bool = False
) -> list[Case]:
    """``count`` new cases in the proportions of the scenario's variants; the same arguments give the same cases.

    None shares a recipe or an identifier with a ``known`` case. Ids carry a code of the form and not the seed, as
    whoever knows the seed can draw the same cases.

    Raises:
        ChartError: the ranges of a variant hold too few different cases.
    """
    rng = random.Random(f"{scenario.id}/form/{seed}")
    wanted = _shares(scenario, count, rng)
    seen = set().union(*map(_marks, known))
    drawn: list[Case] = []
    turn = last = 0
    while len(drawn) < count:
        if turn - last > _PATIENCE:
            missing = ", ".join(f"{number} of {name}" for name, number in wanted.items() if number)
            raise ChartError(
                f"{scenario.id}: there are not that many different cases (missing: {missing}); ask for fewer"
            )
        turn += 1
        for case in _planned(scenario.id, _turn_seed(seed, turn)):
            marks = _marks(case)
            if wanted.get(case.variant or "") and seen.isdisjoint(marks):
                wanted[case.variant or ""] -= 1
                seen |= marks
                drawn.append(case)
                last = turn
    rng.shuffle(drawn)
    code = hashlib.sha256(f"form/{seed}/{count}".encode()).hexdigest()[:6]
    width = max(2, len(str(count)))
    return [
        case.model_copy(update={"id": f"{scenario.id}-{code}-{number:0{width}d}", "holdout": holdout})
        for number, case in enumerate(drawn, 1)
    ]


def _planned(scenario_id: str, seed: int) -> list[Case]:
    plan = import_module(f"{packages.__name__}.{scenario_id.replace('-', '_')}.plan").plan
    cases: list[Case] = plan(seed)
    return cases


def _turn_seed(seed: int, turn: int) -> int:
    return int(hashlib.sha256(f"{seed}/{turn}".encode()).hexdigest()[:16], 16)


def _marks(case: Case) -> set[object]:
    """What two different cases do not share."""
    identifiers = {case.subject_id, case.hadm_id, case.stay_id} - {None}
    return {*identifiers, f"{case.scenario}/{json.dumps(case.recipe, sort_keys=True)}"}


def _shares(scenario: Scenario, count: int, rng: random.Random) -> dict[str, int]:
    """Cases of each variant: first the verdicts in proportion, then the variants of each verdict."""
    verdicts: dict[str, dict[str, int]] = {}
    for variant in scenario.variants:
        verdicts.setdefault(variant.verdict, {})[variant.name] = variant.count
    by_verdict = _apportion(count, {verdict: sum(counts.values()) for verdict, counts in verdicts.items()}, rng)
    shares: dict[str, int] = {}
    for verdict, counts in verdicts.items():
        shares |= _apportion(by_verdict[verdict], counts, rng)
    return shares


def _apportion(count: int, weights: Mapping[str, int], rng: random.Random) -> dict[str, int]:
    """Whole numbers in proportion to the weights that add up to ``count``: largest remainders, ties by lot."""
    total = sum(weights.values())
    shares = {name: count * weight // total for name, weight in weights.items()}
    names = rng.sample(list(weights), len(weights))
    names.sort(key=lambda name: -(count * weights[name] % total))
    for name in names[: count - sum(shares.values())]:
        shares[name] += 1
    return shares
