"""All scores of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.environment import ToolCall
from pytest_clinicare.judging import Facts, Reads
from pytest_clinicare.scoring.grounding import record_precision, retrieval
from pytest_clinicare.scoring.policy import policy_scores
from pytest_clinicare.scoring.process import process_scores
from pytest_clinicare.scoring.resources import turns_of
from pytest_clinicare.scoring.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_clinicare.charts import Chart
    from pytest_clinicare.environment import Corpus, Report, TraceEvent
    from pytest_clinicare.judging import Grade
    from pytest_clinicare.suite import Case, Rubric, Scenario

_FALLBACK = "run_sql"
_REPORTING = "submit_report"


def score_run(
    *,
    case: Case,
    scenario: Scenario,
    rubric: Rubric,
    report: Report | None,
    trace: Sequence[TraceEvent],
    grades: Sequence[Grade],
    chart: Chart,
    corpus: Corpus,
) -> Scores:
    """Scores of a run that the system ended, with a report or without one; ``grades`` are empty without one."""
    reads = Reads(trace)
    policy = policy_scores(report, scenario.evidence.governing, corpus)
    scores = Scores(
        correct=None if case.verdict is None else report is not None and report.verdict == case.verdict,
        report_present=report is not None,
        scoreable=report is not None and bool(reads.refs),
        policy_cited=policy.cited,
        policy_resolved=policy.resolved,
        policy_unresolved=policy.unresolved,
        p_doc=policy.p_doc,
        r_doc=policy.r_doc,
        **_effort(trace, reads),
    )
    if report is None:
        return scores
    process = process_scores(rubric, grades)
    judged = {
        "process": process.score,
        "process_decided": process.decided,
        "defects": process.defects,
        "undecided": process.undecided,
    }
    return scores.model_copy(
        update={**judged, **_grounding(scores.scoreable, report, scenario, rubric, reads, chart, case)}
    )


def _grounding(
    scoreable: bool, report: Report, scenario: Scenario, rubric: Rubric, reads: Reads, chart: Chart, case: Case
) -> dict[str, object]:
    if not scoreable:
        return {}
    cited = record_precision(report, reads)
    sources = retrieval(scenario, rubric, reads, Facts(chart, case, rubric))
    return {
        "p_record": cited.value,
        "records_cited": cited.cited,
        "records_found": cited.found,
        "r_retrieval": sources.value,
        "sources_missing": sources.missing,
    }


def _effort(trace: Sequence[TraceEvent], reads: Reads) -> dict[str, int | tuple[str, ...]]:
    """Turns of the model, tool calls (the report itself is none), and how far the SQL fallback was relied on."""
    tools = [event.tool for event in trace if isinstance(event, ToolCall) and event.tool != _REPORTING]
    typed = {table for read in reads if read.tool != _FALLBACK for table in read.tables}
    by_sql = {table for read in reads if read.tool == _FALLBACK for table in read.tables}
    return {
        "turns": turns_of(trace),
        "calls": sum(tool != _FALLBACK for tool in tools),
        "sql_calls": sum(tool == _FALLBACK for tool in tools),
        "sql_only_tables": tuple(sorted(by_sql - typed)),
    }
