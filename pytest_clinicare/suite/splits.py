"""Parts of the suite: the development subset, what an agent may be tried on while it is being made, and the pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_clinicare.suite.case import Case

_DEV_PER_VERDICT = 2


def dev_cases(cases: Iterable[Case]) -> list[Case]:
    """Up to two cases of each verdict of each scenario, the first by id (paper, appendix E).

    Holdout cases, unlabelled ones and twins are in no development subset.
    """
    taken: Counter[tuple[str, str]] = Counter()
    chosen = []
    for case in sorted(cases, key=lambda case: (case.scenario, case.id)):
        if case.verdict is None or case.holdout or case.pair_of:
            continue
        taken[case.scenario, case.verdict] += 1
        if taken[case.scenario, case.verdict] <= _DEV_PER_VERDICT:
            chosen.append(case)
    return chosen


def paired_cases(cases: Iterable[Case]) -> list[Case]:
    """The twins among the cases and the cases whose twins they are, where both are there."""
    listed = list(cases)
    ids = {case.id for case in listed}
    twins = [case for case in listed if case.pair_of in ids]
    members = {case.id for case in twins} | {case.pair_of for case in twins}
    return [case for case in listed if case.id in members]
