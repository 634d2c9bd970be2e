"""``clinicare replay`` and ``clinicare trace``: open what a run left behind."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    import typer

    from pytest_clinicare.charts import Chart
    from pytest_clinicare.environment import Trace, TraceEvent

_WIDTH = 160
_SHELL = "run_shell"


def register(app: "typer.Typer") -> None:
    """Add both commands to the ``clinicare`` application."""
    import typer

    @app.command("replay")
    def replay_command(
        traces: Annotated[list[Path], typer.Argument(help="Trace files of runs (traces/<case>.<attempt>.jsonl).")],
        chart: Annotated[Path | None, typer.Option(help="Chart file; default: the one that each trace names.")] = None,
    ) -> None:
        """Verify the chain of each trace, execute its tool calls again and compare; exit status 1 where any differs."""
        from pytest_clinicare.charts import ChartError
        from pytest_clinicare.environment import CorpusError, TraceError, read_trace
        from pytest_clinicare.suite import SuiteError

        same = True
        for trace in traces:
            try:
                recorded = read_trace(trace)
                with _chart_of(recorded, chart) as opened:
                    if len(traces) > 1:
                        typer.echo(f"{trace.name}: ", nl=False)
                    same &= _replay(recorded, opened, _broken(trace, recorded))
            except (TraceError, ChartError, CorpusError, SuiteError) as error:
                typer.echo(f"clinicare replay: {error}", err=True)
                raise typer.Exit(4) from error
        raise typer.Exit(0 if same else 1)

    @app.command("trace")
    def trace_command(trace: Annotated[Path, typer.Argument(help="Trace file of a run.")]) -> None:
        """Print a trace so that it can be read."""
        from pytest_clinicare.environment import TraceError, read_trace

        try:
            recorded = read_trace(trace)
        except TraceError as error:
            typer.echo(f"clinicare trace: {error}", err=True)
            raise typer.Exit(4) from error
        for line in trace_lines(recorded):
            typer.echo(_shown(line))


def trace_lines(trace: "Trace") -> list[str]:
    """A trace as text: one line a call with what it read, errors and the report in full."""
    header = trace.header
    ids = [f"subject {header.subject_id}"]
    ids += [f"hadm {header.hadm_id}"] if header.hadm_id is not None else []
    ids += [f"stay {header.stay_id}"] if header.stay_id is not None else []
    lines = [f"{header.case or 'case unknown'}: {', '.join(ids)}; chart {header.chart or 'unknown'}"]
    for event in trace.events:
        lines.extend(_event_lines(event))
    if trace.cut:
        lines.append("(the last line was cut off, as when a run is killed; it is left out)")
    return lines


def _event_lines(event: "TraceEvent") -> list[str]:
    from pytest_clinicare.environment import ModelTurn, Refused, Remark, ToolCall, ToolResult, Usage

    if isinstance(event, ToolCall):
        arguments = ", ".join(f"{k}={_short(v)}" for k, v in event.arguments.items())
        return [f"{event.n:>4}  {event.tool}({arguments})"]
    if isinstance(event, ToolResult):
        return [f"      {_result(event.ok, event.content, event.rows, event.truncated, event.tables, event.ms)}"]
    if isinstance(event, Refused):
        return [f"      ! turned away: {event.reason}"]
    if isinstance(event, ModelTurn):
        tokens = f" [{event.prompt_tokens}+{event.completion_tokens} tokens]" if event.prompt_tokens is not None else ""
        return [f"turn {event.n}{tokens}: {event.text}"]
    if isinstance(event, Remark):
        return [f"      ({event.text})"]
    if isinstance(event, Usage):
        told = event.model_dump(exclude={"event"}, exclude_none=True, exclude_defaults=True)
        return [f"usage: {', '.join(f'{name} {value}' for name, value in told.items())}"]
    return ["report:", *(f"      {line}" for line in _report(event.raw).splitlines())]


def _result(ok: bool, content: dict[str, Any], rows: int, cut: bool, tables: tuple[str, ...], ms: float) -> str:
    if not ok:
        error = content.get("error")
        error = error if isinstance(error, dict) else {"message": error}
        return f"! {error.get('message', 'error')} ({error.get('hint', '')})"
    total = f" of {content['total']}" if cut and content.get("total") is not None else ""
    read = f" from {', '.join(tables)}" if tables else ""
    return f"-> {rows}{total} row{'' if rows == 1 else 's'}{read}{', more follow' if cut else ''}  [{ms:.1f} ms]"


def _report(raw: str) -> str:
    from pytest_clinicare.environment import parse_report

    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    report = parse_report(given) if isinstance(given, dict) else None
    if report is None:
        return raw
    verdict = report.verdict.label if report.verdict else "unreadable"
    confidence = "" if report.confidence is None else f" (confidence {report.confidence:g})"
    claims = [f"- [{c.kind}] {c.text}  {' '.join([*c.evidence, *c.policy])}".rstrip() for c in report.claims]
    return "\n".join([f"Verdict: {verdict}{confidence}", report.rationale, *claims])


def _shown(text: str) -> str:
    """Without what a terminal would obey: an agent's text may hold control sequences and marks of direction."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


def _chart_of(trace: "Trace", given: Path | None) -> "Chart":
    from pytest_clinicare.charts import ChartError, open_chart

    path = given or (Path(trace.header.chart) if trace.header.chart else None)
    if path is None or (given is None and not os.path.isfile(path)):
        named = f"{path} is gone" if path else "the trace names none"
        raise ChartError(f"no chart to replay on: {named}; give one with --chart PATH")
    chart = open_chart(path)
    if chart.subject_id != trace.header.subject_id:
        found = chart.subject_id
        chart.close()
        raise ChartError(f"{path}: chart of subject {found}, but the trace is of subject {trace.header.subject_id}")
    return chart


def _replay(trace: "Trace", chart: "Chart", broken: str) -> bool:
    import typer

    from pytest_clinicare.environment import Corpus, ToolCall, replay
    from pytest_clinicare.suite import suite_root

    made = [event.tool for event in trace.events if isinstance(event, ToolCall)]
    commands = made.count(_SHELL)
    left_out = f" ({commands} command{'' if commands == 1 else 's'} of the shell left out)" if commands else ""
    differences = replay(trace, chart, Corpus(suite_root().policy_docs))
    for difference in differences:
        typer.echo(_shown(str(difference)))
    if trace.cut:
        typer.echo("the trace was cut off in its last line, which was left out")
    if broken:
        typer.echo(broken)
    holds = "the chain of the log is broken" if broken else "the chain of the log holds"
    chain = holds if trace.chained else "the log has no chain, as earlier versions wrote none"
    typer.echo(f"{len(made) - commands} calls replayed{left_out}, {len(differences)} differ; {chain}")
    return not differences and not broken


def _broken(path: Path, trace: "Trace") -> str:
    """What is wrong with the chain of a trace: within the file, or against the record of its run; empty if nothing."""
    from pytest_clinicare.results import recorded_tip

    if trace.broken is not None:
        return f"line {trace.broken} does not follow from the line before it: the trace was changed after the run"
    tip = recorded_tip(path)
    if tip and tip != trace.tip:
        return "the trace does not end as the record of the run says: lines were changed, added or dropped at its end"
    return ""
