"""What a system gets: the tools alone, from any thread, with a log that it cannot edit."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import (
    Corpus,
    Environment,
    ModelTurn,
    Remark,
    ToolCall,
    ToolResult,
    Usage,
    read_trace,
    replay,
)

from .conftest import HADM, SUBJECT


def test_desk_has_the_tools_and_nothing_else(environment: Environment) -> None:
    desk = environment.tools
    names = [name for name in dir(desk) if not name.startswith("_")]
    assert names == ["call", "record", "serve"]
    assert not hasattr(desk, "__dict__")
    assert not any(hasattr(getattr(desk, name), "__self__") for name in names)
    for name in ("call", "report", "limits"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(desk, name, None)


def test_a_system_records_what_it_alone_knows(environment: Environment) -> None:
    told = [ModelTurn(n=1, prompt_tokens=7), Remark(text="The context is nearly full."), Usage(turns=1, usd=0.02)]
    for event in told:
        environment.tools.record(event)
    assert list(environment.events) == told
    with pytest.raises(TypeError, match="no ToolResult"):
        environment.tools.record(ToolResult(n=1, ok=True, refs=("labevents:100",)))  # type: ignore[arg-type]


def test_editing_a_result_edits_no_log(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=path) as environment:
        arguments = {"items": ["Creatinine"]}
        result = environment.tools.call("get_labs", arguments)
        before = [event.model_dump_json() for event in environment.events]
        arguments["items"].append("Sodium")
        result.content["rows"][0]["valuenum"] = 9.9
        result.content["rows"].append({"ref": "labevents:1"})
        result.scope["items"] = []
        assert [event.model_dump_json() for event in environment.events] == before
    assert [event.model_dump_json() for event in read_trace(path)] == before


class _Unwritable:
    def __str__(self) -> str:
        raise RuntimeError("no text for this")


@pytest.mark.parametrize(
    "arguments",
    [
        {"hadm_id": float("nan")},
        {"hadm_id": float("inf")},
        {"hadm_id": 10**30},
        {"hadm_id": 10**6000},
        {"hadm_id": -(2**63) - 1},
        {"items": [10**19]},
        {"items": {1, 2}},
        {"items": _Unwritable()},
        {"items": "\ud800"},
        {1: 2},
        [],
        None,
        "hadm_id",
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, dict) else repr(value),
)
def test_whatever_is_no_argument_is_refused_and_replays(
    chart: Chart, corpus: Corpus, tmp_path: Path, arguments: Any
) -> None:
    path = tmp_path / "a.jsonl"
    with Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=path) as environment:
        result = environment.tools.call("get_labs", arguments)
        assert not result.ok
        assert result.content["error"]["message"]
        assert environment.tools.call("get_patient", {}).ok
    for line in path.read_text().splitlines():
        json.loads(line, parse_constant=pytest.fail)
    assert replay(read_trace(path), chart, corpus) == []


def test_calls_from_other_threads_are_answered_alike_and_in_order(chart: Chart, corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_labs", {"items": ["Creatinine"]}),
        ("run_sql", {"query": "SELECT labevent_id, valuenum FROM labevents"}),
        ("search_notes", {"query": "kidney"}),
        ("get_labs", {"hadm_id": 1}),
    ] * 10
    with Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=path) as environment:
        desk = environment.tools
        here = [desk.call(*call).content for call in calls]
        with ThreadPoolExecutor(8) as pool:
            there = [result.content for result in pool.map(lambda call: desk.call(*call), calls)]
            pool.submit(desk.call, "submit_report", {"verdict": "no"}).result()
        assert environment.report is not None
    assert there == here
    events = [event for event in read_trace(path) if isinstance(event, ToolCall | ToolResult)]
    assert [event.n for event in events] == [n for n in range(1, len(calls) * 2 + 2) for _ in range(2)]
    assert replay(read_trace(path), chart, corpus) == []


def test_call_after_the_run_is_refused(chart: Chart, corpus: Corpus) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM) as environment:
        desk = environment.tools
    with ThreadPoolExecutor(1) as pool:
        for result in (desk.call("get_patient", {}), pool.submit(desk.call, "get_patient", {}).result()):
            assert result.content["error"]["kind"] == "closed"
