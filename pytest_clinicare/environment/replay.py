"""Replaying a trace: every call is executed again and its content compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment.corpus import Corpus
from pytest_clinicare.environment.environment import Environment
from pytest_clinicare.environment.tools import shell, sql
from pytest_clinicare.environment.trace import ToolCall, ToolResult
from pytest_clinicare.environment.trace_file import Trace


@dataclass(frozen=True)
class Difference:
    """``path`` leads to the first place where the content of call ``n`` differs (``rows[3].value``)."""

    n: int
    tool: str
    path: str
    recorded: Any
    replayed: Any

    def __str__(self) -> str:
        return f"call {self.n} ({self.tool}): {self.path}: recorded {self.recorded!r}, replayed {self.replayed!r}"


def replay(trace: Trace, chart: Chart, corpus: Corpus) -> list[Difference]:
    """The first difference of each call whose content is not what was recorded; an empty list if all are alike.

    Calls that a limit of time refused are not compared, as time is not replayed; nor are commands of the shell, or a
    call whose result was cut off.
    """
    header = trace.header
    results = {event.n: event for event in trace.events if isinstance(event, ToolResult)}
    limits = header.limits.model_copy(update={"seconds": float("inf")})
    differences = []
    with Environment(
        chart,
        corpus,
        subject_id=header.subject_id,
        hadm_id=header.hadm_id,
        stay_id=header.stay_id,
        limits=limits,
        case_id=header.case,
    ) as environment:
        for call in trace.events:
            recorded = results.get(call.n) if isinstance(call, ToolCall) else None
            if not isinstance(call, ToolCall) or recorded is None or _out_of_time(recorded):
                continue
            if call.tool == shell.NAME:
                environment.skip()
                continue
            again = environment.call(call.tool, call.arguments)
            found = _first_difference(recorded.content, again.content, "")
            if found is not None:
                differences.append(Difference(call.n, call.tool, *found))
    return differences


def _out_of_time(result: ToolResult) -> bool:
    error = result.content.get("error")
    return isinstance(error, dict) and error.get("kind") in ("time_limit", sql.OVERRAN)


def _first_difference(recorded: Any, replayed: Any, path: str) -> tuple[str, Any, Any] | None:
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for key in dict.fromkeys([*recorded, *replayed]):
            inner = f"{path}.{key}" if path else str(key)
            if key not in recorded or key not in replayed:
                return inner, recorded.get(key, "(absent)"), replayed.get(key, "(absent)")
            if found := _first_difference(recorded[key], replayed[key], inner):
                return found
        return None
    if isinstance(recorded, list | tuple) and isinstance(replayed, list | tuple):
        for number, (one, other) in enumerate(zip(recorded, replayed, strict=False)):
            if found := _first_difference(one, other, f"{path}[{number}]"):
                return found
        return None if len(recorded) == len(replayed) else (f"{path}.length", len(recorded), len(replayed))
    return None if recorded == replayed else (path, recorded, replayed)
