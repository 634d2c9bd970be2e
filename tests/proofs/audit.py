"""Runs of the scripted systems over the committed cases, made once a process and shared by the proofs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import SyntheticSource
from pytest_clinicare.environment import Corpus, Limits
from pytest_clinicare.judging import RulesJudge
from pytest_clinicare.pytest_side.bench import Bench, take_fingerprint
from pytest_clinicare.pytest_side.run import execute
from pytest_clinicare.scoring import RunRecord
from pytest_clinicare.suite import Case, load_suite
from pytest_clinicare.systems import resolve_system

CHARTS = Path(".clinicare/charts").resolve()
SUITE = load_suite()
SOURCE = SyntheticSource(CHARTS, SUITE.root.fixtures)


@cache
def bench(system: str) -> Bench:
    answering = resolve_system(system)
    return Bench(
        suite=SUITE,
        charts=SOURCE,
        corpus=Corpus(SUITE.root.policy_docs),
        system=answering,
        judge=RulesJudge(),
        limits=Limits(),
        fingerprint=take_fingerprint(SUITE, answering),
    )


def cases_of(scenario: str) -> tuple[Case, ...]:
    return tuple(case for case in SUITE.cases if case.scenario == scenario)


@cache
def records_of(system: str, scenario: str) -> tuple[RunRecord, ...]:
    """What a system got in the cases of one scenario."""
    return tuple(execute(bench(system), case, 1) for case in cases_of(scenario))


def by_scenario() -> Callable[[Any], Any]:
    """A test for each scenario; those of one scenario stay on one worker, which audits it once."""
    each = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in sorted(SUITE.scenarios)]
    return pytest.mark.parametrize("scenario", each)
