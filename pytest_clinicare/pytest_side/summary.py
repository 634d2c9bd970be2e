"""The end of a session in the terminal: the headline, the scenarios, where to look next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pytest

from pytest_clinicare.pytest_side.explanation import shown
from pytest_clinicare.pytest_side.gating import HELD, Ruling
from pytest_clinicare.pytest_side.options import ALL
from pytest_clinicare.results import Metric, Metrics, RunDir
from pytest_clinicare.scoring import RunRecord
from pytest_clinicare.suite import Suite

# Heading, name of the metric, how it is written.
_HEADLINE: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("accuracy", "accuracy", "{:.3f}".format),
    ("macro-F1", "macro_f1", "{:.3f}".format),
    ("defect-free", "defect_free_accuracy", "{:.3f}".format),
    ("gap (points)", "defect_gap", "{:.1f}".format),
    ("over-commit", "over_commitment", "{:.3f}".format),
    ("over-abstain", "over_abstention", "{:.3f}".format),
    ("ECE", "ece", "{:.3f}".format),
    ("process", "process", "{:.3f}".format),
    ("P_record", "p_record", "{:.3f}".format),
    ("R_retrieval", "r_retrieval", "{:.3f}".format),
    ("cites resolved", "citation_resolution", "{:.3f}".format),
    ("P_doc", "p_doc", "{:.3f}".format),
    ("R_doc", "r_doc", "{:.3f}".format),
    ("calls", "calls", "{:g}".format),
)
# Only where twins were run.
_PAIRS = ("pairs right", "pair_consistency", "{:.3f}".format)
_BY_SCENARIO = ("accuracy", "defect_free_accuracy", "process")
_LISTED = 5


@dataclass(frozen=True)
class Summary:
    """What the controller knows at the end; ``reused`` counts runs that were finished before this session."""

    run_dir: RunDir
    records: tuple[RunRecord, ...]
    metrics: Metrics
    suite: Suite
    ruling: Ruling | None
    reused: int


def write_summary(terminal: pytest.TerminalReporter, summary: Summary) -> None:
    manifest = summary.run_dir.manifest
    width = terminal.config.get_terminal_writer().fullwidth
    many = "case" if len(manifest.cases) == 1 else "cases"
    split = "" if manifest.split == ALL else f", split {manifest.split}"
    terminal.section(f"clinicare: {manifest.system} on {len(manifest.cases)} {many}{split}", sep="=", bold=True)
    _write_table(terminal, _headline(summary.metrics), width)
    terminal.write_line(_counts(summary))
    terminal.write_line("")
    _write_table(terminal, _scenarios(summary.records, summary.metrics), width)
    following = list(_where_to_look(summary))
    if following:
        terminal.write_line("")
        terminal.write_line("Where to look next", bold=True)
        for line in following:
            terminal.write_line(f"  {line}")
    terminal.write_line("")
    terminal.write_line(f"report: {shown(summary.run_dir.path / 'report.html')} (also report.json, junit.xml)")
    if summary.ruling is not None:
        held = summary.ruling.status == HELD
        for line in summary.ruling.lines:
            terminal.write_line(line, green=held, red=not held)


def _headline(metrics: Metrics) -> list[list[str]]:
    wanted = [*_HEADLINE, _PAIRS] if metrics["pair_consistency"].n else _HEADLINE
    columns = [(heading, metrics[name], write) for heading, name, write in wanted]
    return [
        ["", *(heading for heading, _, _ in columns)],
        ["", *(_written(metric, write) for _, metric, write in columns)],
        ["n", *(str(metric.n) for _, metric, _ in columns)],
    ]


def _written(metric: Metric, write: Callable[[float], str]) -> str:
    return "-" if metric.value is None else write(metric.value)


def _scenarios(records: Sequence[RunRecord], metrics: Metrics) -> list[list[str]]:
    shown_metrics = [(heading, name, write) for heading, name, write in _HEADLINE if name in _BY_SCENARIO]
    rows = [["scenario", "runs", "passed", *(heading for heading, _, _ in shown_metrics), "errors"]]
    for scenario in sorted({record.scenario for record in records}):
        own = [record for record in records if record.scenario == scenario]
        rows.append(
            [
                scenario,
                str(len(own)),
                str(sum(record.passed for record in own)),
                *(_written(metrics.scenarios[scenario][name], write) for _, name, write in shown_metrics),
                str(sum(record.ended.infrastructure for record in own)),
            ]
        )
    return rows


def _counts(summary: Summary) -> str:
    records = summary.records
    told = [
        f"{len(records)} of {len(summary.run_dir.manifest.expected)} runs recorded",
        f"{sum(record.passed for record in records)} passed",
    ]
    errors = sum(record.ended.infrastructure for record in records)
    unlabelled = sum(record.reference is None for record in records)
    if errors:
        completed = _written(summary.metrics["accuracy_completed"], "{:.3f}".format)
        told.append(f"{errors} infrastructure errors, counted as wrong (accuracy of completed runs: {completed})")
    if unlabelled:
        told.append(f"{unlabelled} without a reference, hence no accuracy of theirs")
    if summary.reused:
        told.append(f"{summary.reused} reused from an earlier session (--clinicare-fresh starts over)")
    return "; ".join(told)


def _where_to_look(summary: Summary) -> Iterable[str]:
    """What went wrong most, each with a case to begin with."""
    records, texts = summary.records, _criteria(summary.suite)
    for (name, scenario), cases in _most((n, r.scenario, r.case) for r in records for n in r.defects):
        yield f"defect {name} in {_runs(len(cases))}, as in {cases[0]}: {_short(texts[scenario, name])}"
    wrong = ((f"{r.reference} answered {r.verdict or 'not at all'}", r.scenario, r.case) for r in records if _wrong(r))
    for (name, scenario), cases in _most(wrong):
        yield f"verdict {name} in {_runs(len(cases))} of {scenario}, as in {cases[0]}"
    broken = ((r.outcome, r.error or "", r.case) for r in records if r.ended.infrastructure)
    for (name, error), cases in _most(broken):
        yield f"{name} in {_runs(len(cases))}, as in {cases[0]}: {_short(error)}"
    unseen = ((name, r.scenario, r.case) for r in records if r.scores for name in r.scores.sources_missing)
    for (name, scenario), cases in _most(unseen):
        yield f"source {name} not queried in {_runs(len(cases))} of {scenario}, as in {cases[0]}"
    undecided = sorted(summary.metrics.undecided.items(), key=lambda counted: -counted[1])
    if undecided:
        yield f"left undecided by the judge: {', '.join(f'{name} in {_runs(count)}' for name, count in undecided)}"


def _runs(number: int) -> str:
    return "1 run" if number == 1 else f"{number} runs"


def _wrong(record: RunRecord) -> bool:
    return record.finished and record.correct is False


def _criteria(suite: Suite) -> dict[tuple[str, str], str]:
    return {(r.scenario, criterion.id): criterion.text for r in suite.rubrics.values() for criterion in r.criteria}


def _most(found: Iterable[tuple[str, str, str]]) -> list[tuple[tuple[str, str], list[str]]]:
    """(what, where, case) -> the commonest (what, where) with their cases."""
    groups: dict[tuple[str, str], list[str]] = {}
    for what, where, case in found:
        groups.setdefault((what, where), []).append(case)
    return sorted(groups.items(), key=lambda group: -len(group[1]))[:_LISTED]


def _short(text: str, most: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def _write_table(terminal: pytest.TerminalReporter, rows: list[list[str]], width: int) -> None:
    """Columns as wide as they need; what the terminal is too narrow for follows below, under the first column again."""
    first, *widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]))]
    start = 0
    while start < len(widths):
        end = start + 1
        while end < len(widths) and first + sum(widths[start : end + 1]) <= width:
            end += 1
        for number, row in enumerate(rows):
            cells = (row[column + 1].rjust(widths[column]) for column in range(start, end))
            terminal.write_line(f"{row[0]:<{first}}{''.join(cells)}".rstrip(), bold=number == 0)
        start = end
