"""The suite as the paper has it: 25 scenarios, 750 cases, their verdicts, specialties and skills."""

from __future__ import annotations

from collections import Counter

import pytest

from pytest_clinicare.suite import Suite, load_suite, paired_cases, with_twins
from pytest_clinicare.suite.coverage import OPERATIONS, coverage


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite()


def test_scenarios_cases_and_rubrics(suite: Suite) -> None:
    assert (len(suite.scenarios), len(suite.cases), len(suite.rubrics)) == (25, 750, 25)
    assert set(Counter(case.scenario for case in suite.cases).values()) == {30}


def test_verdicts(suite: Suite) -> None:
    verdicts = Counter(str(case.verdict) for case in suite.cases)
    assert verdicts == {"yes": 300, "no": 300, "lack": 88, "ambiguous": 62}
    for scenario in suite.scenarios:
        own = [case.verdict for case in suite.cases if case.scenario == scenario]
        assert sum(verdict is not None and verdict.definitive for verdict in own) == 24


def test_specialties_and_skills(suite: Suite) -> None:
    covered = coverage(suite)
    assert (len(covered.specialties), len(covered.skills)) == (14, 10)
    assert sum(row.specialty == OPERATIONS for row in covered.rows) == 4


def test_every_scenario_has_pairs(suite: Suite) -> None:
    twins = Counter(case.scenario for case in paired_cases(with_twins(suite).cases) if case.pair_of)
    assert twins.keys() == suite.scenarios.keys()
    assert min(twins.values()) >= 4
