"""``report.html``: one self-contained page that works without a network; its script only filters the cases."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_clinicare.suite import SuiteError, Verdict, suite_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jinja2 import Template

    from pytest_clinicare.judging import Grade
    from pytest_clinicare.results.aggregate import Metric, Metrics
    from pytest_clinicare.results.manifest import Manifest
    from pytest_clinicare.scoring import RunRecord

_NO_REFERENCE = "no case has a reference verdict"
_ALL_LISTED = 12


class _Shown(NamedTuple):
    """How a metric is shown: its title, what it says, and why it may be undefined."""

    title: str
    says: str
    undefined: str = _NO_REFERENCE


_FIRST = {
    "accuracy": _Shown("Accuracy", "verdict equals the reference"),
    "defect_free_accuracy": _Shown("Defect-free accuracy", "right, and no must-not met"),
    "defect_gap": _Shown("Defect gap", "points lost to defects; lower is better"),
    "process": _Shown("Process score", "must-dos done, less must-nots", "no report was graded"),
}
_SECOND = {
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
}
_PER_SCENARIO = ("accuracy", "defect_free_accuracy", "process", "p_record", "r_retrieval", "r_doc")


@dataclass(frozen=True)
class _Row:
    """One run in the table of cases. ``flags`` are what the filter buttons choose, ``words`` what its box searches."""

    record: RunRecord
    state: str
    flags: str
    words: str
    defects: tuple[Grade, ...]
    unmet: tuple[Grade, ...]
    undecided: tuple[Grade, ...]


@dataclass(frozen=True)
class _Lead:
    """Something to look at next: how often, in which scenario, and the search that shows its cases."""

    count: int
    scenario: str
    what: str
    text: str
    search: str
    case: str


def report_html(manifest: Manifest, run_id: str, records: Sequence[RunRecord], metrics: Metrics) -> str:
    """The page as text, the same for the same arguments and rubrics; traces are linked from the run directory."""
    criteria = _criteria({record.scenario for record in records})
    rows = [_row(record, criteria) for record in records]
    passed = Counter(record.scenario for record in records if record.passed)
    return _template().render(
        manifest=manifest,
        run_id=run_id,
        rows=rows,
        metrics=metrics,
        criteria=criteria,
        states=_states(rows),
        first=[(shown, metrics[name]) for name, shown in _FIRST.items()],
        second=[(shown, metrics[name]) for name, shown in _SECOND.items()],
        scenario_columns=[{**_FIRST, **_SECOND}[name].title for name in _PER_SCENARIO],
        scenarios=[
            (name, values["accuracy"].out_of, passed[name], [values[m] for m in _PER_SCENARIO])
            for name, values in metrics.scenarios.items()
        ],
        leads=_leads(rows, criteria),
        confusion=_confusion(records),
        verdicts=[verdict.value for verdict in Verdict],
        undecided=[(name, *name.split("/", 1), count) for name, count in metrics.undecided.items()],
    )


def _criteria(scenarios: Iterable[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """Text and kind of each criterion; none for a scenario whose rubric is not at hand."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for scenario in sorted(scenarios):
        try:
            text = (suite_root().rubrics / f"{scenario}.toml").read_text(encoding="utf-8")
            listed = tomllib.loads(text).get("criteria", [])
        except (OSError, ValueError, SuiteError):
            continue
        found |= {(scenario, str(c.get("id"))): c for c in listed}
    return found


def _row(record: RunRecord, criteria: dict[tuple[str, str], dict[str, Any]]) -> _Row:
    defects = tuple(g for g in record.grades if g.criterion in record.defects)
    undecided = tuple(g for g in record.grades if g.applicable and g.met is None)
    unmet = tuple(
        g
        for g in record.grades
        if g.applicable and g.met is False and not _must_not(criteria, record.scenario, g.criterion)
    )
    state = (
        "error"
        if record.ended.infrastructure
        else "passed"
        if record.passed
        else "wrong"
        if record.correct is False
        else "defect"
    )
    flags = [state, *(["failed"] if state != "passed" else []), *(["defect"] if defects else [])]
    flags += ["undecided"] if undecided else []
    words = [record.case, record.scenario, state, f"verdict:{record.verdict or record.outcome}"]
    words += [f"reference:{record.reference or 'none'}", *(f"{record.scenario}/{d.criterion}" for d in defects)]
    words += [f"{record.scenario}/{g.criterion}?" for g in undecided]
    words += [f"{record.scenario}/{g.criterion}-" for g in unmet]
    words += [f"{record.scenario}:{name}" for name in (record.scores.sources_missing if record.scores else ())]
    return _Row(record, state, " ".join(dict.fromkeys(flags)), " ".join(words).lower(), defects, unmet, undecided)


def _must_not(criteria: dict[tuple[str, str], dict[str, Any]], scenario: str, name: str) -> bool:
    known = criteria.get((scenario, name))
    return known.get("kind") == "must-not" if known else name.startswith("N")


def _states(rows: Sequence[_Row]) -> list[tuple[str, str, int]]:
    """How the runs ended, for the bar at the top: class, words, number."""
    labelled = any(row.record.reference for row in rows)
    words = {
        "passed": "right, no defect" if labelled else "no defect",
        "defect": "right, but with a defect" if labelled else "with a defect",
        "wrong": "wrong verdict",
        "error": "ended in an error",
    }
    counts = {state: sum(row.state == state for row in rows) for state in words}
    return [(state, text, counts[state]) for state, text in words.items() if counts[state]]


def _leads(rows: Sequence[_Row], criteria: dict[tuple[str, str], dict[str, Any]]) -> list[tuple[str, list[_Lead]]]:
    """What went wrong, the commonest first, in groups that have something."""

    def told(scenario: str, name: str) -> str:
        return str(criteria.get((scenario, name), {}).get("text", ""))

    groups: dict[str, list[tuple[str, str, str, str, str]]] = {
        "Ended in an error": [
            (
                r.record.scenario,
                r.record.outcome,
                r.record.error or "",
                f"error verdict:{r.record.outcome}",
                r.record.case,
            )
            for r in rows
            if r.state == "error"
        ],
        "Defects": [
            (
                r.record.scenario,
                g.criterion,
                told(r.record.scenario, g.criterion),
                f"{r.record.scenario}/{g.criterion}",
                r.record.case,
            )
            for r in rows
            for g in r.defects
        ],
        "Wrong verdicts": [
            (
                r.record.scenario,
                f"{r.record.reference} answered {r.record.verdict or 'with nothing readable'}",
                "",
                f"{r.record.scenario} reference:{r.record.reference} verdict:{r.record.verdict or r.record.outcome}",
                r.record.case,
            )
            for r in rows
            if r.record.finished and r.record.correct is False
        ],
        "Must-dos not done": [
            (
                r.record.scenario,
                g.criterion,
                told(r.record.scenario, g.criterion),
                f"{r.record.scenario}/{g.criterion}-",
                r.record.case,
            )
            for r in rows
            for g in r.unmet
        ],
        "Sources not read": [
            (r.record.scenario, name, "", f"{r.record.scenario}:{name}", r.record.case)
            for r in rows
            for name in (r.record.scores.sources_missing if r.record.scores else ())
        ],
    }
    return [(title, _commonest(found)) for title, found in groups.items() if found]


def _commonest(found: Sequence[tuple[str, str, str, str, str]]) -> list[_Lead]:
    cases: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for scenario, what, text, search, case in found:
        cases[scenario, what, text, search].append(case)
    leads = [_Lead(len(held), *key, held[0]) for key, held in cases.items()]
    return sorted(leads, key=lambda lead: (-lead.count, lead.scenario, lead.what))[:_ALL_LISTED]


def _confusion(records: Sequence[RunRecord]) -> list[tuple[str, list[int], int]]:
    """Per reference class: how often each verdict was given, and how often none could be read."""
    counts: dict[str, dict[str, int]] = {v.value: defaultdict(int) for v in Verdict}
    for record in records:
        if record.reference is not None:
            counts[record.reference.value][record.verdict.value if record.verdict else ""] += 1
    return [
        (name, [row[verdict.value] for verdict in Verdict], row[""])
        for name, row in counts.items()
        if sum(row.values())
    ]


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
