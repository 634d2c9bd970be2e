"""``report.html``: one self-contained page, no script, no network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Template

    from pytest_clinicare.results.aggregate import Metric, Metrics
    from pytest_clinicare.results.manifest import Manifest
    from pytest_clinicare.scoring import RunRecord

_HEADLINE = {
    "accuracy": "Accuracy",
    "defect_free_accuracy": "Defect-free accuracy",
    "defect_gap": "Defect gap",
    "macro_f1": "Macro-F1",
    "over_commitment": "Over-commitment",
    "over_abstention": "Over-abstention",
    "ece": "ECE",
    "process": "Process score",
    "p_record": "P_record",
    "r_retrieval": "R_retrieval",
    "citation_resolution": "Citation resolution",
    "p_doc": "P_doc",
    "r_doc": "R_doc",
    "calls": "Typed calls (median)",
}
_PER_SCENARIO = ("accuracy", "defect_free_accuracy", "process", "p_record", "r_retrieval", "r_doc")


def report_html(manifest: Manifest, run_id: str, records: Sequence[RunRecord], metrics: Metrics) -> str:
    """The page as text; deterministic in its arguments. Traces are linked relative to the run directory."""
    return _template().render(
        manifest=manifest,
        run_id=run_id,
        records=records,
        metrics=metrics,
        headline=[(title, metrics[name]) for name, title in _HEADLINE.items()],
        scenario_columns=[_HEADLINE[name] for name in _PER_SCENARIO],
        scenarios=[
            (name, values["accuracy"].out_of, [values[m] for m in _PER_SCENARIO])
            for name, values in metrics.scenarios.items()
        ],
    )


@cache
def _template() -> Template:
    from jinja2 import Environment

    environment: Any = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = _shown
    environment.filters["interval"] = _interval
    source = files("pytest_clinicare.results").joinpath("report.html.j2").read_text(encoding="utf-8")
    template: Template = environment.from_string(source)
    return template


def _shown(metric: Metric) -> str:
    if metric.value is None:
        return "\u2013"
    return f"{metric.value:.1f}" if metric.unit else f"{metric.value:.3f}"


def _interval(metric: Metric) -> str:
    """The interval that is shown: Wilson for rates, else the bootstrap's."""
    interval = metric.wilson or metric.bootstrap
    if interval is None or metric.value is None:
        return ""
    digits = 1 if metric.unit else 3
    return f"{interval[0]:.{digits}f} to {interval[1]:.{digits}f}"
