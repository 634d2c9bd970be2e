"""One module a scenario: who among real patients is eligible, as ``COHORT``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from pytest_clinicare.charts.mimic.cohort import Cohort


def known_cohorts() -> list[str]:
    """Scenarios that real patients can be sampled for."""
    return sorted(found.name.replace("_", "-") for found in iter_modules(__path__))


def cohort_of(scenario: str) -> Cohort:
    """The cohort of a known scenario."""
    cohort: Cohort = import_module(f"{__name__}.{scenario.replace('-', '_')}").COHORT
    return cohort
