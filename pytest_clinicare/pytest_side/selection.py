"""Which cases of the suite a session may run: its split, and whether holdout cases are let in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from pytest_clinicare.pytest_side.options import ALL, DEV, INCLUDE_HOLDOUT, PAIRS, SPLIT
from pytest_clinicare.suite import Suite, dev_cases, paired_cases

_CHOOSE = {DEV: dev_cases, PAIRS: paired_cases}
Holdout = Literal["none", "left out", "included"]


class SelectionError(Exception):
    """Nothing is left to run; the message says why and what to do."""


@dataclass(frozen=True)
class Selection:
    """``left_out`` are the cases outside the split, ``holdout`` those kept back from this system; by id."""

    split: str = ALL
    left_out: frozenset[str] = frozenset()
    holdout: frozenset[str] = frozenset()

    def keeps(self, case_id: str) -> bool:
        return case_id not in self.left_out and case_id not in self.holdout

    def holdout_of(self, suite: Suite, case_ids: Collection[str]) -> Holdout:
        """What a run of these cases did about the holdout cases of the suite."""
        holdout = {case.id for case in suite.cases if case.holdout}
        if not holdout:
            return "none"
        return "left out" if holdout.isdisjoint(case_ids) else "included"

    def told(self, suite: Suite) -> Iterable[str]:
        """For the header of a session: what is not run, counted."""
        if self.split != ALL:
            kept = sum(self.keeps(case.id) for case in suite.cases)
            yield f"split {self.split} ({kept} of {len(suite.cases)} cases)"
        if self.holdout:
            yield f"{_cases(len(self.holdout))} left out ({INCLUDE_HOLDOUT.flag} runs them)"
        elif included := sum(case.holdout and self.keeps(case.id) for case in suite.cases):
            yield f"{_cases(included)} included"


def select(suite: Suite, split: str, *, holdout: bool) -> Selection:
    """``holdout`` lets holdout cases in. Raises SelectionError where no case remains."""
    kept_back = frozenset() if holdout else frozenset(case.id for case in suite.cases if case.holdout)
    left_out: frozenset[str] = frozenset()
    if split in _CHOOSE:
        left_out = frozenset(case.id for case in suite.cases) - {case.id for case in _CHOOSE[split](suite.cases)}
    selection = Selection(split, left_out, kept_back)
    if not any(selection.keeps(case.id) for case in suite.cases):
        raise SelectionError(_why_none(suite, split))
    return selection


def _why_none(suite: Suite, split: str) -> str:
    if split == DEV:
        return f"{SPLIT.flag}={DEV}: no case here is in it, as none has a reference verdict or all are holdout cases"
    if split == PAIRS and not any(case.pair_of for case in suite.cases):
        return f"{SPLIT.flag}={PAIRS}: no case here has a twin; `clinicare cases pair CASE --out DIR` makes some"
    return (
        "every case here is a holdout case, and only scripted systems are given those unasked; to show them to this "
        f"system, add {INCLUDE_HOLDOUT.flag}"
    )


def _cases(number: int) -> str:
    return "1 holdout case" if number == 1 else f"{number} holdout cases"
