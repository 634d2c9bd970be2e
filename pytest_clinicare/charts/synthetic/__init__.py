"""Charts made from a case's recipe: the facts of its variant inside a believable longitudinal record."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic import scenarios as packages

if TYPE_CHECKING:
    from pytest_clinicare.charts.draft import Draft
    from pytest_clinicare.suite.case import Case


def known_scenarios() -> list[str]:
    """Scenarios that synthetic charts can be built for."""
    return sorted(found.name.replace("_", "-") for found in iter_modules(packages.__path__))


def build(case: Case) -> Draft:
    """The chart of a synthetic case, a function of its recipe, ids and seed alone.

    Raises:
        ChartError: no builder for the case's scenario, or a recipe that the builder cannot read.
    """
    from pytest_clinicare.charts.chart import ChartError

    known = known_scenarios()
    if case.scenario not in known:
        there = ", ".join(known)
        raise ChartError(f"case {case.id}: no synthetic charts for scenario '{case.scenario}' (there are: {there})")
    module = import_module(f"{packages.__name__}.{case.scenario.replace('-', '_')}.chart")
    try:
        draft: Draft = module.build(case)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise ChartError(f"case {case.id}: its recipe cannot be built: {type(error).__name__}: {error}") from error
    return draft
