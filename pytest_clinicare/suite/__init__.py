"""What is asked: scenarios, cases and rubrics as data."""

from __future__ import annotations

from pytest_clinicare.suite.case import Case
from pytest_clinicare.suite.checks import check_cases, check_suite
from pytest_clinicare.suite.loading import Suite, load_cases, load_suite, with_twins
from pytest_clinicare.suite.location import SuiteRoot, suite_root
from pytest_clinicare.suite.problem import Problem, SuiteError
from pytest_clinicare.suite.query import fill_query
from pytest_clinicare.suite.rubric import Criterion, Rubric
from pytest_clinicare.suite.scenario import Scenario, Source, Variant
from pytest_clinicare.suite.splits import dev_cases, paired_cases
from pytest_clinicare.suite.verdict import Verdict

__all__ = [
    "Case",
    "Criterion",
    "Problem",
    "Rubric",
    "Scenario",
    "Source",
    "Suite",
    "SuiteError",
    "SuiteRoot",
    "Variant",
    "Verdict",
    "check_cases",
    "check_suite",
    "dev_cases",
    "fill_query",
    "load_cases",
    "load_suite",
    "paired_cases",
    "suite_root",
    "with_twins",
]
