"""``report.html``: one self-contained page that works without a network; its script only filters the cases."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_clinicare.results.leads import groups
from pytest_clinicare.results.report_rows import Criteria, filters, row, states
from pytest_clinicare.suite import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Template

    from pytest_clinicare.results.aggregate import Metric, Metrics
    from pytest_clinicare.results.manifest import Manifest
    from pytest_clinicare.scoring import RunRecord

_NO_REFERENCE = "no case has a reference verdict"
_NO_TWIN = "no twin was run"


class _Shown(NamedTuple):
    """How a metric is shown: its title, what it says, and why it may be undefined."""

    title: str
    says: str
    undefined: str = _NO_REFERENCE


_SHOWN = {
    "accuracy": _Shown("Accuracy", "verdict equals the reference"),
    "defect_free_accuracy": _Shown("Defect-free accuracy", "right, and no must-not met"),
    "defect_gap": _Shown("Defect gap", "points lost to defects; lower is better"),
    "process": _Shown("Process score", "must-dos done, less must-nots", "no report was graded"),
    "macro_f1": _Shown("Macro-F1", "over the four classes"),
    "over_commitment": _Shown("Over-commitment", "answered where abstention was right; lower is better"),
    "over_abstention": _Shown("Over-abstention", "abstained where an answer was right; lower is better"),
    "ece": _Shown("ECE", "confidence against accuracy; lower is better"),
    "p_record": _Shown("P_record", "cited rows that were retrieved", "no report cites a record"),
    "r_retrieval": _Shown("R_retrieval", "required sources read in scope", "no report was graded"),
    "citation_resolution": _Shown("Citation resolution", "policy citations with existing lines", "no policy is cited"),
    "p_doc": _Shown("P_doc", "cited documents that govern", "no policy is cited"),
    "r_doc": _Shown("R_doc", "governing documents cited", "no report was graded"),
    "calls": _Shown("Typed calls", "median of a run", "no run has a trace"),
    "pair_consistency": _Shown("Pair consistency", "case and counterfactual twin both right", _NO_TWIN),
}
_LARGE = 4
_PER_SCENARIO = ("accuracy", "defect_free_accuracy", "process", "p_record", "r_retrieval", "r_doc")


def report_html(manifest: Manifest, run_id: str, records: Sequence[RunRecord], metrics: Metrics) -> str:
    """The page as text, the same for the same arguments and rubrics; traces are linked from the run directory."""
    criteria = Criteria(sorted({record.scenario for record in records}))
    rows = [row(record, criteria) for record in records]
    # Where no case has a reference, metrics that need one are left out: the page says once why.
    unlabelled = bool(records) and metrics.unlabelled == len(records)
    needless = {_NO_REFERENCE} if unlabelled else set()
    if not metrics["pair_consistency"].n:
        needless.add(_NO_TWIN)
    shown = [name for name, how in _SHOWN.items() if how.undefined not in needless]
    per_scenario = [name for name in _PER_SCENARIO if name in shown]
    passed = Counter(record.scenario for record in records if record.passed)
    return _template().render(
        manifest=manifest,
        run_id=run_id,
        rows=rows,
        metrics=metrics,
        criteria=criteria,
        unlabelled=unlabelled,
        states=states(rows),
        filters=filters(rows),
        first=[(_SHOWN[name], metrics[name]) for name in shown[:_LARGE]],
        second=[(_SHOWN[name], metrics[name]) for name in shown[_LARGE:]],
        scenario_columns=[_SHOWN[name].title for name in per_scenario],
        scenarios=[
            (name, values["accuracy"].out_of, passed[name], [values[m] for m in per_scenario])
            for name, values in metrics.scenarios.items()
        ],
        groups=groups(rows, criteria),
        answers=_answers(records, unlabelled=unlabelled),
        verdicts=[verdict.value for verdict in Verdict],
        undecided=[(name, *name.split("/", 1), count) for name, count in metrics.undecided.items()],
    )


def _answers(records: Sequence[RunRecord], *, unlabelled: bool) -> list[tuple[str, list[int], int]]:
    """How often each verdict was given, and how often none could be read: by reference, else by scenario."""
    counts: dict[str, Counter[str]] = {} if unlabelled else {verdict.value: Counter() for verdict in Verdict}
    for record in records:
        name = record.scenario if unlabelled else record.reference and record.reference.value
        if name:
            counts.setdefault(name, Counter())[record.verdict.value if record.verdict else ""] += 1
    return [(name, [given[v.value] for v in Verdict], given[""]) for name, given in counts.items() if given]


@cache
def _template() -> Template:
    from jinja2 import Environment

    environment: Any = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = _shown
    environment.filters["interval"] = _interval
    environment.filters["band"] = _band
    source = files("pytest_clinicare.results").joinpath("report.html.j2").read_text(encoding="utf-8")
    template: Template = environment.from_string(source)
    return template


def _shown(metric: Metric) -> str:
    if metric.value is None:
        return "\u2013"
    return f"{metric.value:.1f}" if metric.unit else f"{metric.value:.3f}"


def _bounds(metric: Metric) -> tuple[float, float] | None:
    """The interval that is shown: Wilson for rates, else the bootstrap's."""
    return None if metric.value is None else metric.wilson or metric.bootstrap


def _interval(metric: Metric) -> str:
    interval = _bounds(metric)
    if interval is None:
        return ""
    digits = 1 if metric.unit else 3
    return f"{interval[0]:.{digits}f} to {interval[1]:.{digits}f}"


def _band(metric: Metric) -> tuple[float, float, float] | None:
    """Start and width of the interval and place of the value, in percent of a scale from 0 to 1, if it has one."""
    if metric.value is None or metric.unit or not 0 <= metric.value <= 1:
        return None
    low, high = _bounds(metric) or (metric.value, metric.value)
    return round(100 * low, 1), round(100 * (high - low), 1), round(100 * metric.value, 1)
