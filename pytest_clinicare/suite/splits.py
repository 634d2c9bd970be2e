"""The development subset: what an agent may be tried on while it is being made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_clinicare.suite.case import Case

_DEV_PER_VERDICT = 2


def dev_cases(cases: Iterable[Case]) -> list[Case]:
    """Up to two cases of each verdict of each scenario, the first by id (paper, appendix E).

    Holdout cases and unlabelled ones are in no development subset.
    """
    taken: Counter[tuple[str, str]] = Counter()
    chosen = []
    for case in sorted(cases, key=lambda case: (case.scenario, case.id)):
        if case.verdict is None or case.holdout:
            continue
        taken[case.scenario, case.verdict] += 1
        if taken[case.scenario, case.verdict] <= _DEV_PER_VERDICT:
            chosen.append(case)
    return chosen
