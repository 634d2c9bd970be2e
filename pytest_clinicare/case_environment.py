"""One case opened by hand: its chart, the tools over it and the brief, as a run would have them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_clinicare.environment import Brief, Environment


class UnknownCase(Exception):
    """No case of that name; the message says how to find one."""


CHARTS = Path(".clinicare/charts")


@contextmanager
def open_case(name: str, folder: Path | None, trace: Path | None) -> Iterator[tuple[Environment, Brief]]:
    """The environment and brief of a case, of the suite or of a ``folder`` of cases; ``trace`` is where its log goes.

    Raises:
        UnknownCase: there is no such case.
        SuiteError: the suite or the folder cannot be loaded.
        ChartError: its chart cannot be had.
    """
    from pytest_clinicare.charts import MimicSource, SyntheticSource
    from pytest_clinicare.environment import Corpus, Environment
    from pytest_clinicare.suite import fill_query, load_cases, load_suite

    suite = load_suite()
    if folder is not None:
        suite = load_cases(folder, suite)
    case = suite.case(name)
    if case is None:
        raise UnknownCase(f"there is no case '{name}'; `clinicare cases list` names the cases")
    source = (
        SyntheticSource(CHARTS, suite.root.fixtures)
        if case.source == "synthetic"
        else MimicSource(suite.file("case", case.id).parent.parent / "charts")
    )
    with (
        source.chart(case) as chart,
        Environment(
            chart,
            Corpus(suite.root.policy_docs),
            subject_id=case.subject_id,
            hadm_id=case.hadm_id,
            stay_id=case.stay_id,
            trace_path=trace,
            case_id=case.id,
        ) as environment,
    ):
        yield environment, environment.brief(case.scenario, fill_query(suite.scenarios[case.scenario], case))
