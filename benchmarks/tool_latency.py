"""Latency of every tool on a chart of 50,000 rows, in process and over MCP, beside the SDK's own echo in the same run.

    python benchmarks/tool_latency.py [--calls N]

Each tool is called N times in turn with the others, as a run would. ``added`` is what MCP over loopback HTTP costs
above the call in process, as a multiple of the round trip of an echo of the SDK with the same content; ``log`` are
bytes of trace a call. At the end: a command in the sandbox, if this machine has one.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from pytest_clinicare.charts import Draft, open_chart
from pytest_clinicare.charts.synthetic import build
from pytest_clinicare.environment import Corpus, Environment, Limits, SandboxError, ShellLimits, prove_sandbox
from pytest_clinicare.environment.mcp_http import McpServing
from pytest_clinicare.suite import load_suite

ROWS = 50_000
CASE = "cdi-treatment-04"
VITAL_SIGNS = (220045, 220179, 220180, 220181, 220210, 220277)
Ids = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=60, help="calls of each tool (default: 60)")
    times = parser.parse_args().calls
    suite = load_suite()
    case = suite.case(CASE)
    assert case is not None
    ids = {"subject_id": case.subject_id, "hadm_id": case.hadm_id, "stay_id": case.stay_id}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chart.sqlite"
        draft = padded(build(case))
        draft.save(path)
        asked = calls(draft, ids)
        corpus = Corpus(suite.root.policy_docs)
        with open_chart(path) as chart:
            trace = Path(folder) / "trace.jsonl"
            limits = {"limits": Limits(calls=len(asked) * times + 10)}
            with Environment(chart, corpus, **ids, trace_path=trace, **limits) as environment:
                direct = measured(asked, times, lambda tool, given: environment.call(tool, given))
            logged = trace.stat().st_size / (len(asked) * times)
            contents = {tool: environment.events[2 * at + 1].content for at, tool in enumerate(asked)}  # type: ignore[union-attr]
            sizes = {tool: environment.events[2 * at + 1].bytes for at, tool in enumerate(asked)}  # type: ignore[union-attr]
            with Environment(chart, corpus, **ids, **limits) as environment:
                served, echo = anyio.run(over_mcp, environment, asked, contents, times)
    report(direct, served, echo, sizes, logged)
    report_sandbox()


def padded(draft: Draft) -> Draft:
    """The chart with flowsheet and laboratory rows of its own kinds added, up to 50,000 rows in all."""
    held = sum(map(len, draft.rows.values()))
    charted = [row for row in draft.rows["chartevents"] if row["itemid"] in VITAL_SIGNS]
    results = list(draft.rows["labevents"])
    for number in range(ROWS - held):
        if number % 4:
            draft.rows["chartevents"].append(dict(charted[number % len(charted)]))
        else:
            draft.rows["labevents"].append({**results[number % len(results)], "labevent_id": 90_000_000 + number})
    return draft


def calls(draft: Draft, ids: Ids) -> dict[str, dict[str, Any]]:
    """An ordinary call of each tool: whole pages, as an agent asks for them first."""
    note = draft.rows["discharge"][0]["note_id"]
    hadm = {"hadm_id": ids["hadm_id"]}
    return {
        "get_patient": {},
        "list_admissions": {},
        "list_transfers": hadm,
        "list_icu_stays": hadm,
        "list_ed_stays": {},
        "list_notes": {"kind": "discharge"},
        "search_notes": {"query": "diarrhea treated"},
        "read_note": {"note_id": note},
        "search_lab_items": {"text": "creatinine"},
        "get_labs": {"items": ["Creatinine", "White Blood Cells"], **hadm},
        "get_vitals": {"items": ["Heart Rate"], **hadm},
        "get_outpatient_measurements": {},
        "get_home_medications": {},
        "get_medication_orders": hadm,
        "get_medication_administrations": {"drug": "vancomycin", **hadm},
        "get_microbiology": hadm,
        "get_procedures": hadm,
        "get_imaging": hadm,
        "get_orders": {"order_type": "Radiology", **hadm},
        "get_diagnoses": hadm,
        "get_fluid_balance": hadm,
        "get_code_status": hadm,
        "run_sql": {"query": "SELECT labevent_id, charttime, valuenum FROM labevents WHERE itemid = 50912 LIMIT 20"},
        "list_policies": {},
        "search_policies": {"query": "baseline creatinine"},
        "read_policy": {"document": "kdigo-aki-2012"},
    }


def measured(
    asked: dict[str, dict[str, Any]], times: int, call: Callable[[str, dict[str, Any]], Any]
) -> dict[str, list[float]]:
    """Milliseconds of each call by tool, the first of each left out (connections, indexes of the corpus)."""
    found: dict[str, list[float]] = {tool: [] for tool in asked}
    for turn in range(times):
        for tool, given in asked.items():
            began = time.perf_counter()
            result = call(tool, given)
            spent = (time.perf_counter() - began) * 1000
            assert result.ok, (tool, result.content)
            if turn:
                found[tool].append(spent)
    return found


async def over_mcp(
    environment: Environment, asked: dict[str, dict[str, Any]], contents: dict[str, Any], times: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """The same calls by the official client over loopback HTTP, and round trips of an echo on a server beside it."""
    found: dict[str, list[float]] = {tool: [] for tool in asked}
    echo: dict[str, list[float]] = {tool: [] for tool in asked}
    brief = environment.brief("cdi-treatment", "")
    with McpServing(environment, brief) as serving, McpServing(*_echo(environment, contents)) as other:
        async with connected(serving) as client, connected(other) as plain:
            for turn in range(times):
                for tool, given in asked.items():
                    for session, name, arguments, into in (
                        (client, tool, given, found[tool]), (plain, "echo", {"of": tool}, echo[tool]),
                    ):  # fmt: skip
                        began = time.perf_counter()
                        await session.call_tool(name, arguments)
                        if turn:
                            into.append((time.perf_counter() - began) * 1000)
    return found, echo


class _Echo:
    """What the SDK serves around nothing: one tool, whose results are made beforehand."""

    def __init__(self, contents: dict[str, Any]) -> None:
        self._results = {tool: SimpleNamespace(ok=True, content=content) for tool, content in contents.items()}

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return self._results[arguments["of"]]

    def refuse(self, reason: str) -> None: ...


def _echo(environment: Environment, contents: dict[str, Any]) -> tuple[Any, Any]:
    brief = environment.brief("echo", "")
    spec = brief.tools[0].model_copy(update={"name": "echo", "parameters": {"type": "object"}})
    return _Echo(contents), brief.model_copy(update={"tools": (spec,)})


@asynccontextmanager
async def connected(serving: McpServing) -> Any:
    async with (
        httpx2.AsyncClient(headers=serving.headers) as http,
        Client(streamable_http_client(serving.url, http_client=http)) as client,
    ):
        yield client


def report(
    direct: dict[str, list[float]],
    served: dict[str, list[float]],
    echo: dict[str, list[float]],
    sizes: dict[str, int],
    log: float,
) -> None:
    headings = ("p50 ms", "p99 ms", "bytes", "MCP p50", "MCP p99", "echo p50", "added")
    print(f"{'tool':<32}{''.join(f'{heading:>9}' for heading in headings)}")
    for tool, spent in direct.items():
        one, other, base = (statistics.median(values) for values in (spent, served[tool], echo[tool]))
        cells = f"{one:>9.2f}{_p99(spent):>9.2f}{sizes[tool]:>9}{other:>9.2f}{_p99(served[tool]):>9.2f}{base:>9.2f}"
        print(f"{tool:<32}{cells}{(other - one) / base:>8.1f}x")
    print(f"log: {log:,.0f} bytes a call")


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def report_sandbox() -> None:
    try:
        sandbox = prove_sandbox(ShellLimits())
    except SandboxError as error:
        print(f"no sandbox here: {error}")
        return
    for command in ("true", 'python -c "import pandas"'):
        spent = []
        for _ in range(7):
            began = time.perf_counter()
            sandbox.run(command, seconds=30, state=b"")
            spent.append((time.perf_counter() - began) * 1000)
        print(f"sandboxed {command!r}: {statistics.median(spent):.0f} ms")


if __name__ == "__main__":
    main()
