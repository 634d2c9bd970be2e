"""Limits, the log, replay and the two commands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pytest_clinicare.charts import Chart
from pytest_clinicare.cli_tools import register
from pytest_clinicare.environment import (
    Corpus,
    Environment,
    Limits,
    ModelTurn,
    Refused,
    ReportFiled,
    ToolCall,
    ToolResult,
    TraceError,
    read_trace,
    replay,
)
from pytest_clinicare.suite import Verdict

from .conftest import HADM, SUBJECT


def _run(chart: Chart, corpus: Corpus, path: Path, **kwargs: Any) -> Environment:
    environment = Environment(
        chart, corpus, subject_id=SUBJECT, hadm_id=HADM, case_id="post-ct-aki-07", trace_path=path, **kwargs
    )
    with environment:
        environment.record(ModelTurn(n=1, text="Let me look.", prompt_tokens=10, completion_tokens=3))
        environment.call("get_labs", {"items": ["Creatinine"], "limit": 3})
        environment.call("get_labs", {"items": ["Kreatinin \ud800"]})
        environment.call("run_sql", {"query": "SELECT max(valuenum) FROM labevents"})
        environment.call("search_notes", {"query": "kidney"})
        environment.call(
            "submit_report", {"verdict": "Yes", "confidence": "90%", "rationale": "See [record: labevents:100]"}
        )
        environment.call("get_patient", {})
    return environment


def test_trace_is_what_happened_and_replays(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "traces" / "a.jsonl"
    environment = _run(chart, corpus, path)
    assert environment.report is not None
    assert (environment.report.verdict, environment.report.confidence) == (Verdict.YES, 0.9)
    trace = read_trace(path)
    assert (trace.header.case, trace.header.subject_id, trace.cut) == ("post-ct-aki-07", SUBJECT, False)
    assert len(trace) == len(environment.events) == 14
    results = [event for event in trace if isinstance(event, ToolResult)]
    assert [event.ok for event in results] == [True, False, True, True, True, False]
    assert results[0].refs == ("labevents:100", "labevents:101", "labevents:102")
    assert results[0].bytes == len(json.dumps(results[0].content, ensure_ascii=False).encode())
    assert results[-1].content["error"]["kind"] == "closed"
    assert [type(event) for event in trace].count(ReportFiled) == 1
    assert replay(trace, chart, corpus) == []


def test_replay_tells_the_first_difference_of_a_call(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    _run(chart, corpus, path)
    path.write_text(path.read_text().replace('"valuenum": 1.1', '"valuenum": 1.7'))
    (found,) = replay(read_trace(path), chart, corpus)
    assert (found.n, found.tool, found.path, found.recorded, found.replayed) == (
        1,
        "get_labs",
        "rows[1].valuenum",
        1.7,
        1.1,
    )


def test_results_are_the_same_in_every_run(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    first, second = (_run(chart, corpus, tmp_path / name).events for name in ("a", "b"))
    contents = [[event.content for event in events if isinstance(event, ToolResult)] for events in (first, second)]
    assert contents[0] == contents[1]


def test_after_the_last_call_only_a_report_is_taken(chart: Chart, corpus: Corpus) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, limits=Limits(calls=2)) as environment:
        answers = [environment.call("get_patient", {}).ok for _ in range(3)]
        assert answers == [True, True, False]
        assert environment.call("submit_report", {"verdict": "lack"}).ok
        assert len(environment.events) == 9
    assert environment.report is not None


def test_after_the_time_limit_nothing_is_taken_and_replay_leaves_it_out(
    chart: Chart, corpus: Corpus, tmp_path: Path
) -> None:
    now = [0.0]
    path = tmp_path / "a.jsonl"
    with Environment(
        chart, corpus, subject_id=SUBJECT, limits=Limits(seconds=5), clock=lambda: now[0], trace_path=path
    ) as environment:
        assert environment.call("get_patient", {}).ok
        now[0] = 6.0
        refused = environment.call("submit_report", {"verdict": "yes"})
    assert refused.content["error"]["kind"] == "time_limit"
    assert environment.report is None
    assert replay(read_trace(path), chart, corpus) == []


def test_a_report_as_text_counts_unless_one_was_filed(chart: Chart, corpus: Corpus) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT) as environment:
        assert environment.file_text("I do not know what to say") is None
        assert environment.file_text(None) is None
        report = environment.file_text("Verdict: No\n\nNothing rose.")
        assert report is not None
        assert environment.file_text("Verdict: Yes") is report
        assert report.verdict is Verdict.NO


def test_a_trace_cut_by_a_kill_is_read_to_its_last_whole_line(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    whole = len(_run(chart, corpus, path).events)
    path.write_bytes(path.read_bytes()[:-20])
    trace = read_trace(path)
    assert trace.cut
    assert len(trace) == whole - 1
    assert isinstance(trace.events[-1], ToolCall)
    assert replay(trace, chart, corpus) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "line 1"), ("nothing\n", "line 1"), ('{"event": "call"}\n', "header"), ('{"event": "header", "ver', "cut"),
     ('{"event": "header", "version": 99}\n', "trace format 99"),
     ('{"event": "header", "version": 1, "subject_id": 1}\n{"event": "call"}\n{"event": "x"}\n', "line 2")],
)  # fmt: skip
def test_what_is_no_trace_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(TraceError, match=told):
        read_trace(path)
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(tmp_path / "none.jsonl")


_HEADER = {"event": "header", "version": 3, "subject_id": SUBJECT}
_CALL = '{"event": "call", "n": 1, "tool": "get_labs", "arguments": {}}'
_FAILED = '{"event": "result", "n": 1, "ok": false, "content": {"error": %s}}'


@pytest.mark.parametrize(
    "lines",
    [
        ['{"event": "header", "x": ' + "[" * 100_000 + "]" * 100_000 + "}"],
        ['{"event": "header", "version": 3, "subject_id": 1, "chart": "\\ud800"}'],
        *([json.dumps({**_HEADER, "chart": chart})] for chart in ("x" * 5000, "a\0b", "/", "/dev/zero")),
        *(
            [json.dumps({**_HEADER, "limits": limits}), _CALL, _FAILED % "{}"]
            for limits in (
                {"rows": 10**30},
                {"rows": 2**63 - 1},
                {"rows": -1},
                {"bytes": -1},
                {"seconds": float("nan")},
            )
        ),
        [json.dumps(_HEADER), _CALL.replace("{}", '{"a": ' + "[" * 500 + "]" * 500 + "}")],
        *([json.dumps(_HEADER), _CALL, _FAILED % error] for error in ('"x"', "[]", "null", '{"message": [1]}')),
        [json.dumps(_HEADER), '{"event": "report", "raw": "' + "[" * 100_000 + '"}'],
        [json.dumps(_HEADER), _CALL.replace('"n": 1', f'"n": {10**400}'), _FAILED % "{}"],
    ],
)
def test_absurd_traces_are_told(lines: list[str], chart: Chart, tmp_path: Path) -> None:
    """With a message or with what can be shown of them, and never with a traceback."""
    app, path = typer.Typer(), tmp_path / "a.jsonl"
    register(app)
    path.write_text("\n".join([*lines, ""]))
    for command in (["trace"], ["replay"], ["replay", "--chart", str(chart.path)]):
        told = CliRunner().invoke(app, [*command, str(path)])
        assert isinstance(told.exception, SystemExit | None), told.exception
        assert told.exit_code in (0, 1, 4)
        assert told.output


def test_what_an_agent_wrote_commands_no_terminal(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    app, path = typer.Typer(), tmp_path / "a.jsonl"
    register(app)
    hostile = "\x1b]52;c;aGk=\x07 \x1b[2J \u202eevil \x9b31m \r"
    with Environment(chart, corpus, subject_id=SUBJECT, trace_path=path) as environment:
        environment.record(ModelTurn(n=1, text=hostile))
        environment.call(hostile, {hostile: hostile})
        environment.file_text(f"Verdict: yes\n{hostile}")
    # As if it had been recorded by another version, so that the replay has a difference to tell.
    path.write_text(
        path.read_text(encoding="utf-8").replace("there is no tool", "\u202ethere is none"), encoding="utf-8"
    )
    for command in ("trace", "replay"):
        told = CliRunner().invoke(app, [command, str(path)]).output
        assert all(sign.isprintable() or sign == "\n" for sign in told)
        assert "202e" in told


def test_a_damaged_chart_is_told(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    app, path, damaged = typer.Typer(), tmp_path / "a.jsonl", tmp_path / "chart.sqlite"
    register(app)
    _run(chart, corpus, path)
    whole = chart.path.read_bytes()
    damaged.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    told = CliRunner().invoke(app, ["replay", str(path), "--chart", str(damaged)])
    assert told.exit_code == 4
    assert "chart.sqlite: damaged" in told.output


def test_commands(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    app, path = typer.Typer(), tmp_path / "a.jsonl"
    register(app)
    _run(chart, corpus, path)
    shown = CliRunner().invoke(app, ["trace", str(path)])
    assert shown.exit_code == 0
    assert 'get_labs(items=["Creatinine"], limit=3)' in shown.output
    assert "-> 3 of 12 rows from hosp.labevents" in shown.output
    assert "Verdict: Yes (confidence 0.9)" in shown.output
    same = CliRunner().invoke(app, ["replay", str(path)])
    assert (same.exit_code, same.output) == (0, "6 calls replayed, 0 differ; the chain of the log holds\n")
    both = CliRunner().invoke(app, ["replay", str(path), str(path)])
    assert (both.exit_code, both.output) == (0, "a.jsonl: 6 calls replayed, 0 differ; the chain of the log holds\n" * 2)
    other = path.read_text().replace("1.30", "1.31").replace('"valuenum": 1.2', '"valuenum": 1.9')
    path.write_text(other)
    differs = CliRunner().invoke(app, ["replay", str(path), "--chart", str(chart.path)])
    assert differs.exit_code == 1
    assert "call 1 (get_labs): rows[2].valuenum" in differs.output


@pytest.mark.parametrize("arguments", [["replay", "none.jsonl"], ["trace", "none.jsonl"]])
def test_commands_tell_mistakes(arguments: list[str]) -> None:
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 4
    assert "none.jsonl: cannot be read" in result.output


Lines = list[str]


def _edited(lines: Lines) -> Lines:
    return [line.replace('"valuenum": 1.0', '"valuenum": 9.0', 1) for line in lines]


def _dropped(lines: Lines) -> Lines:
    return [*lines[:3], *lines[5:]]


def _swapped(lines: Lines) -> Lines:
    return [*lines[:2], lines[3], lines[2], *lines[4:]]


def _renamed(lines: Lines) -> Lines:
    return [lines[0].replace("post-ct-aki-07", "post-ct-aki-08"), *lines[1:]]


def _set_back(lines: Lines) -> Lines:
    """Edited, and under a header of the version that had no chain."""
    return [re.sub(r'"version":\d', '"version":1', lines[0]), *_edited(lines[1:])]


@pytest.mark.parametrize("tamper", [_edited, _dropped, _swapped, _renamed, _set_back])
def test_a_changed_trace_breaks_its_chain(
    tamper: Callable[[Lines], Lines], chart: Chart, corpus: Corpus, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    environment = _run(chart, corpus, path)
    whole = read_trace(path)
    assert (whole.broken, whole.tip) == (None, environment.tip)
    lines = path.read_text(encoding="utf-8").splitlines()
    changed = tamper(lines)
    assert changed != lines
    path.write_text("".join(f"{line}\n" for line in changed), encoding="utf-8")
    first = next(n for n, (old, new) in enumerate(zip(lines, changed, strict=False), 1) if old != new)
    broken = read_trace(path).broken
    # A changed line shows in the next one, a dropped or moved one in itself.
    assert broken in (first, first + 1)
    app = typer.Typer()
    register(app)
    told = CliRunner().invoke(app, ["replay", str(path), "--chart", str(chart.path)])
    assert told.exit_code == 1
    assert f"line {broken} does not follow from the line before it" in told.output


def test_a_trace_of_the_first_version_has_no_chain(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    _run(chart, corpus, path)
    old = re.sub(r', "prev": "[0-9a-f]{64}"', "", path.read_text(encoding="utf-8"))
    path.write_text(old.replace('"version":3', '"version":1', 1), encoding="utf-8")
    trace = read_trace(path)
    assert (trace.chained, trace.broken) == (False, None)
    assert len(trace) == 14


def test_requests_turned_away_are_on_record(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Environment(chart, corpus, subject_id=SUBJECT, trace_path=path) as environment:
        for _ in range(150):
            environment.refuse("a foreign token")
    refused = [event for event in read_trace(path) if isinstance(event, Refused)]
    assert [event.reason for event in refused] == ["a foreign token"] * 100
