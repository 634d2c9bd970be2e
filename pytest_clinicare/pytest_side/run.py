"""One run, from a case to its record: chart, environment, system, report, grades, scores."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Environment, Report, ToolResult, TraceEvent
from pytest_clinicare.judging import Grade, JudgedRun
from pytest_clinicare.pytest_side.bench import Bench
from pytest_clinicare.scoring import OUTCOMES, Outcome, RunRecord, outcome_of, resources_of, score_run
from pytest_clinicare.suite import Case, fill_query


@dataclass(frozen=True)
class Place:
    """Where the trace of a run goes: the file, and its name relative to the run directory; and what its shell left."""

    path: Path
    name: str
    artifacts: Path


def execute(bench: Bench, case: Case, attempt: int, place: Place | None = None) -> RunRecord:
    """Run the system on the case and give the whole record.

    Never raises for what a chart, a system or a judge does: their errors are records with an infrastructure outcome.
    """
    blank = blank_record(bench, case, attempt)
    started, cpu = time.monotonic(), time.process_time()
    try:
        chart = bench.charts.chart(case)
    except Exception as error:
        record = _failed(blank, OUTCOMES["chart_error"], error)
    else:
        with chart:
            record = _run_on(bench, case, chart, blank, place)
    used = {"seconds": round(time.monotonic() - started, 4), "cpu_ms": round((time.process_time() - cpu) * 1000, 2)}
    return record.model_copy(update={"resources": record.resources.model_copy(update=used)})


def blank_record(bench: Bench, case: Case, attempt: int) -> RunRecord:
    """The identity of a run, before anything is known of its end."""
    return RunRecord(
        case=case.id,
        scenario=case.scenario,
        variant=case.variant,
        holdout=case.holdout,
        pair_of=case.pair_of,
        attempt=attempt,
        system=bench.system.name,
        judge=bench.judge.name,
        reference=case.verdict,
        digest=bench.digest(case),
    )


def _run_on(bench: Bench, case: Case, chart: Chart, blank: RunRecord, place: Place | None) -> RunRecord:
    with Environment(
        chart,
        bench.corpus,
        subject_id=case.subject_id,
        hadm_id=case.hadm_id,
        stay_id=case.stay_id,
        limits=bench.limits,
        trace_path=place.path if place else None,
        case_id=case.id,
        sandbox=bench.shell.sandbox,
        artifacts=place.artifacts if place else None,
    ) as environment:
        known = blank.model_copy(update={"trace": place.name if place else None})
        raised: BaseException | None = None
        try:
            brief = environment.brief(case.scenario, fill_query(bench.suite.scenarios[case.scenario], case))
            environment.file_text(bench.system.run(brief, environment.tools))
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except BaseException as error:
            # SystemExit and asyncio's CancelledError are no Exception, and are no answer either.
            raised = error
        report, events = environment.report, environment.events
    known = known.model_copy(update={"resources": resources_of(events), "trace_tip": environment.tip})
    ended = outcome_of(raised) if raised is not None else _ended(report, events)
    if raised is not None and ended.infrastructure:
        return _failed(known, ended, raised)
    return _scored(bench, case, chart, known, ended, report, events)


def _scored(
    bench: Bench,
    case: Case,
    chart: Chart,
    known: RunRecord,
    ended: Outcome,
    report: Report | None,
    events: tuple[TraceEvent, ...],
) -> RunRecord:
    scenario, rubric = bench.suite.scenarios[case.scenario], bench.suite.rubrics[case.scenario]
    grades: tuple[Grade, ...] = ()
    if report is not None:
        judged = JudgedRun(case=case, scenario=scenario, rubric=rubric, report=report, trace=events, chart=chart)
        try:
            grades = bench.judge.grade(judged)
        except Exception as error:
            return _failed(known, OUTCOMES["judge_failure"], error)
    scores = score_run(
        case=case,
        scenario=scenario,
        rubric=rubric,
        report=report,
        trace=events,
        grades=grades,
        chart=chart,
        corpus=bench.corpus,
    )
    return known.model_copy(
        update={
            "outcome": ended.name,
            "verdict": report.verdict if report else None,
            "confidence": report.confidence if report else None,
            "scores": scores,
            "grades": grades,
        }
    )


def _ended(report: Report | None, events: tuple[TraceEvent, ...]) -> Outcome:
    """How a run ended in which nothing was raised: with a report, at a limit, or without a word."""
    if report is not None:
        return OUTCOMES["answered"]
    refused = [event.content["error"].get("kind") for event in events if isinstance(event, ToolResult) and not event.ok]
    limit = next((kind for kind in reversed(refused) if kind in ("call_limit", "time_limit")), None)
    return OUTCOMES[limit or "no_report"]


def _failed(known: RunRecord, outcome: Outcome, error: BaseException) -> RunRecord:
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" (at {Path(frame.filename).name}:{frame.lineno})" for frame in last)
    told = f"{type(error).__name__}: {error}{where}"
    return known.model_copy(update={"outcome": outcome.name, "error": told})
