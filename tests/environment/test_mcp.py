"""The tools over MCP, with the official client: what it gets, what it is refused, and what the trace then says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Corpus, Environment, Refused, ToolCall, ToolResult, read_trace, replay
from pytest_clinicare.environment.mcp_http import McpServing

from .conftest import HADM, SUBJECT

QUERY = "Did it happen?"
REPORT = {"verdict": "no", "confidence": 0.8, "rationale": "Nothing of it.", "claims": []}


@pytest.fixture
def environment(chart: Chart, corpus: Corpus, tmp_path: Path) -> Iterator[Environment]:
    with Environment(
        chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=tmp_path / "a.jsonl", case_id="c-01"
    ) as opened:
        yield opened


@pytest.fixture(params=["port", "socket"])
def serving(request: pytest.FixtureRequest, environment: Environment, tmp_path: Path) -> Iterator[McpServing]:
    place = tmp_path / "tools.sock" if request.param == "socket" else None
    with McpServing(environment, environment.brief("post-ct-aki", QUERY), socket_path=place) as opened:
        yield opened


@asynccontextmanager
async def _http(serving: McpServing, tmp_path: Path, headers: dict[str, str]) -> Any:
    transport = httpx2.AsyncHTTPTransport(uds=str(tmp_path / "tools.sock")) if "localhost" in serving.url else None
    async with httpx2.AsyncClient(headers=headers, transport=transport) as client:
        yield client


@asynccontextmanager
async def _connected(serving: McpServing, tmp_path: Path) -> Any:
    async with (
        _http(serving, tmp_path, serving.headers) as http,
        Client(streamable_http_client(serving.url, http_client=http)) as client,
    ):
        yield client


def test_a_client_gets_what_a_system_in_process_gets(
    serving: McpServing, environment: Environment, tmp_path: Path
) -> None:
    async def audit() -> tuple[Any, ...]:
        async with _connected(serving, tmp_path) as client:
            listed = (await client.list_tools()).tools
            labs = await client.call_tool("get_labs", {"items": ["Creatinine"], "limit": 3})
            wrong = await client.call_tool("get_labs", {"items": ["Kreatinin"]})
            unknown = await client.call_tool("drop_tables", {})
            filed = await client.call_tool("submit_report", REPORT)
            late = await client.call_tool("get_patient", {})
            return client.instructions, listed, labs, wrong, unknown, filed, late

    told, listed, labs, wrong, unknown, filed, late = anyio.run(audit)
    assert told == QUERY
    assert [(tool.name, tool.description, tool.input_schema) for tool in listed] == [
        (spec.name, spec.description, spec.parameters) for spec in environment.specs
    ]
    results = [event for event in environment.events if isinstance(event, ToolResult)]
    for answer, result in zip((labs, wrong, unknown, filed, late), results, strict=True):
        assert answer.structured_content == result.content
        assert json.loads(answer.content[0].text) == result.content
        assert answer.is_error is not result.ok
    assert [result.ok for result in results] == [True, False, False, True, False]
    assert "investigation is over" in late.structured_content["error"]["message"]
    assert environment.report is not None
    assert environment.report.verdict == "no"


def test_calls_at_once_are_taken_one_by_one(
    serving: McpServing, environment: Environment, chart: Chart, corpus: Corpus, tmp_path: Path
) -> None:
    async def audit() -> None:
        async with _connected(serving, tmp_path) as client, anyio.create_task_group() as tasks:
            for number in range(1, 13):
                tasks.start_soon(client.call_tool, "get_labs", {"limit": number})

    anyio.run(audit)
    environment.close()
    trace = read_trace(tmp_path / "a.jsonl")
    assert trace.broken is None
    kinds = [(type(event), event.n) for event in trace if isinstance(event, ToolCall | ToolResult)]
    assert kinds == [(kind, n) for n in range(1, 13) for kind in (ToolCall, ToolResult)]
    asked = {event.arguments["limit"]: event.n for event in trace if isinstance(event, ToolCall)}
    rows = {event.n: event.rows for event in trace if isinstance(event, ToolResult)}
    assert {limit: rows[n] for limit, n in asked.items()} == {limit: min(limit, 13) for limit in range(1, 13)}
    assert replay(trace, chart, corpus) == []


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({}, "a request without a token"),
        ({"Authorization": "Bearer guessed"}, "a request with a foreign token"),
        ({"Authorization": "Basic {token}"}, "a request with a foreign token"),
        ({"Authorization": "Bearer {token}x"}, "a request with a foreign token"),
    ],
)
def test_a_foreign_token_is_refused_and_recorded(
    headers: dict[str, str], reason: str, serving: McpServing, environment: Environment, tmp_path: Path
) -> None:
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_patient", "arguments": {}}}
    given = {name: value.format(token=serving.token) for name, value in headers.items()}

    async def knock() -> Any:
        async with _http(serving, tmp_path, given) as http:
            return await http.post(serving.url, json=ask)

    answer = anyio.run(knock)
    assert answer.status_code == 401
    assert str(SUBJECT) not in answer.text
    assert [event for event in environment.events if isinstance(event, ToolCall)] == []
    assert [event.reason for event in environment.events if isinstance(event, Refused)] == [reason]


def test_a_page_under_another_name_gets_nothing(serving: McpServing, environment: Environment, tmp_path: Path) -> None:
    async def knock() -> Any:
        async with _http(serving, tmp_path, {**serving.headers, "Host": "evil.example"}) as http:
            return await http.post(serving.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})

    assert anyio.run(knock).status_code in (400, 403, 421)
    assert [event for event in environment.events if isinstance(event, ToolCall)] == []
    (refused,) = (event for event in environment.events if isinstance(event, Refused))
    assert refused.reason == "a request with the token and a foreign host"


def test_a_body_without_end_is_not_read(serving: McpServing, environment: Environment, tmp_path: Path) -> None:
    async def endless() -> Any:
        for _ in range(1000):
            yield b"x" * 100_000

    async def send() -> Any:
        async with _http(serving, tmp_path, {**serving.headers, "Content-Type": "application/json"}) as http:
            return await http.post(serving.url, content=endless(), headers={"Accept": "application/json"})

    with suppress(httpx2.WriteError, httpx2.ReadError):
        assert anyio.run(send).status_code == 413
    (refused,) = (event for event in environment.events if isinstance(event, Refused))
    assert refused.reason == "a request with the token and too large a body"


def test_the_socket_is_its_owners_alone(environment: Environment, tmp_path: Path) -> None:
    place = tmp_path / "tools.sock"
    with McpServing(environment, environment.brief("post-ct-aki", QUERY), socket_path=place) as serving:
        assert place.stat().st_mode & 0o777 == 0o600
        assert len(serving.token) >= 43
    assert not place.exists()


def test_two_runs_have_different_tokens(chart: Chart, corpus: Corpus, environment: Environment) -> None:
    brief = environment.brief("post-ct-aki", QUERY)
    with McpServing(environment, brief) as one, McpServing(environment, brief) as other:
        assert one.token != other.token
        assert one.url != other.url


def test_over_stdio_by_the_command(tmp_path: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from pytest_clinicare.cli import main; main()", "mcp", "post-ct-aki-07", "--trace", "a.jsonl"],
        env={"PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        cwd=tmp_path,
    )

    async def audit() -> tuple[Any, ...]:
        async with Client(command) as client:
            patient = await client.call_tool("get_patient", {})
            return client.instructions, patient, await client.call_tool("submit_report", REPORT)

    told, patient, filed = anyio.run(audit)
    assert "acute kidney injury" in told
    assert patient.structured_content["rows"][0]["gender"] in ("M", "F")
    assert filed.is_error is False
    trace = read_trace(tmp_path / "a.jsonl")
    assert [event.tool for event in trace if isinstance(event, ToolCall)] == ["get_patient", "submit_report"]
    assert trace.broken is None


def test_over_http_by_the_command_until_the_report(tmp_path: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", "from pytest_clinicare.cli import main; main()", "mcp", "post-ct-aki-07", "--http"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    place = json.loads(run.stdout.readline())

    async def audit() -> Any:
        async with (
            httpx2.AsyncClient(headers=place["headers"]) as http,
            Client(streamable_http_client(place["url"], http_client=http)) as client,
        ):
            return await client.call_tool("submit_report", REPORT)

    assert anyio.run(audit).is_error is False
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors) == (0, "clinicare mcp: post-ct-aki-07: report filed\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["post-ct-aki-99"], "there is no case 'post-ct-aki-99'"),
        (["post-ct-aki-07", "--port", "80"], "--port goes with --http"),
        (["post-ct-aki-07", "--http", "--socket", "x"], "--http and --socket exclude each other"),
        (["post-ct-aki-07", "--socket", "no/such/folder/x"], "cannot listen on no/such/folder/x"),
    ],
)
def test_mistakes_are_told(arguments: list[str], told: str, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from pytest_clinicare.cli import main; main()", "mcp", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 4
    assert run.stderr.startswith(f"clinicare mcp: {told}")
    assert "Traceback" not in run.stderr
