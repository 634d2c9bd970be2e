"""Charts made from a case's recipe: the facts of its variant inside a believable longitudinal record."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_clinicare.charts.draft import Draft
    from pytest_clinicare.suite.case import Case

# Scenario to the module whose ``build`` writes its charts; imported when first needed.
BUILDERS = {
    "post-ct-aki": "post_ct_aki",
    "renal-trajectory": "renal_trajectory",
    "med-reconciliation": "med_reconciliation",
    "advanced-imaging": "advanced_imaging",
}


def build(case: Case) -> Draft:
    """The chart of a synthetic case, a function of its recipe, ids and seed alone.

    Raises:
        ChartError: no builder for the case's scenario, or a recipe that the builder cannot read.
    """
    from pytest_clinicare.charts.chart import ChartError

    if case.scenario not in BUILDERS:
        known = ", ".join(sorted(BUILDERS))
        raise ChartError(f"case {case.id}: no synthetic charts for scenario '{case.scenario}' (there are: {known})")
    module = import_module(f"{__name__}.{BUILDERS[case.scenario]}")
    try:
        draft: Draft = module.build(case)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise ChartError(f"case {case.id}: its recipe cannot be built: {type(error).__name__}: {error}") from error
    return draft
