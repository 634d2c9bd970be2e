"""``Environment``: governed, logged access to one chart and the policy corpus, for one run."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_clinicare.charts import Chart, ChartError
from pytest_clinicare.environment.brief import Brief, Limits, ToolSpec
from pytest_clinicare.environment.corpus import Corpus
from pytest_clinicare.environment.mistakes import explain
from pytest_clinicare.environment.other_threads import OtherThreads
from pytest_clinicare.environment.parsing import parse_report
from pytest_clinicare.environment.report import Report
from pytest_clinicare.environment.sandbox.protocol import Sandbox
from pytest_clinicare.environment.tools import TOOLS, shell
from pytest_clinicare.environment.tools.context import Context, Reading, Tool, ToolError
from pytest_clinicare.environment.trace import (
    Refused,
    ReportFiled,
    Told,
    ToolCall,
    ToolResult,
    TraceEvent,
    TraceHeader,
)
from pytest_clinicare.environment.trace_file import TraceWriter
from pytest_clinicare.environment.workspace import Workspace

if TYPE_CHECKING:
    from pytest_clinicare.environment.mcp_http import McpServing

_MOST_NAME = 200
_MOST_TOLD = 2000
"""Characters of a tool's name in the log, and of a message."""
_MOST_REFUSED = 100
"""Requests turned away, calls after the end and calls beyond the limit: of each as many are on record."""
_NO_OBJECT = ""
"""Argument under which the log keeps arguments that are no object, so that a replay refuses them alike."""
_MOST_GIVEN = 200_000
"""Characters of the arguments of one call, as JSON, and of the text that a system returns."""
_MOST_DEEP = 30
"""Levels of objects and lists in the arguments of one call: what goes deeper cannot be read back from a trace."""
_TOO_LARGE = "..."
"""Argument under which the log keeps the size of arguments that were larger, instead of filling the disk with them."""


class _Outcome(NamedTuple):
    ok: bool
    reading: Reading


class Desk:
    """The ``Toolbox`` that a system gets: the tools, a pen for its turns, and nothing else (no chart, case or report).

    This keeps an honest system on the governed path; it is no wall. A system runs in this process, where Python code
    that looks for it (through closures, frames or the garbage collector) finds everything, the case's reference
    included. Systems that are not trusted belong in a process of their own.
    """

    __slots__ = ("call", "record", "serve")

    call: Callable[[str, dict[str, Any]], ToolResult]
    """Run one tool by name."""
    record: Callable[[Told], None]
    """Add to the log what only the system knows: a turn of its model, what it used, what it was told."""
    serve: Callable[[Brief, Path | None], McpServing]
    """The same tools over MCP for a process outside, while the result is open; on a Unix socket where one is given."""

    def __init__(self, environment: Environment) -> None:
        # A function and not the bound method, whose ``__self__`` would be the environment.
        def call(tool: str, arguments: dict[str, Any]) -> ToolResult:
            return environment.call(tool, arguments)

        def record(told: Told) -> None:
            environment.record(told)

        def serve(brief: Brief, socket_path: Path | None = None) -> McpServing:
            from pytest_clinicare.environment.mcp_http import McpServing

            return McpServing(environment, brief, socket_path=socket_path)

        object.__setattr__(self, "call", call)
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "serve", serve)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("the tools cannot be changed")


class Environment:
    """The tools over one chart, with their log. A system gets its ``tools``, never the environment itself.

    Mistakes of the system come back as ``ok=False`` results and are logged like any call; only a broken chart, corpus
    or sandbox raises (``ChartError``, ``CorpusError``, ``SandboxError``). The content of a result is a function of
    chart, corpus, arguments and earlier calls, never of the clock; only what the shell does is the machine's. Calls
    may come from any thread; they are run one at a time, in order of arrival.
    """

    def __init__(
        self,
        chart: Chart,
        corpus: Corpus,
        *,
        subject_id: int,
        hadm_id: int | None = None,
        stay_id: int | None = None,
        limits: Limits | None = None,
        trace_path: Path | None = None,
        case_id: str | None = None,
        sandbox: Sandbox | None = None,
        artifacts: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if chart.subject_id != subject_id:
            raise ChartError(f"{chart.path}: chart of subject {chart.subject_id}, not of subject {subject_id}")
        self.limits = limits or Limits()
        self.header = TraceHeader(
            case=case_id,
            subject_id=subject_id,
            hadm_id=hadm_id,
            stay_id=stay_id,
            limits=self.limits,
            chart=str(chart.path),
        )
        self.report: Report | None = None
        self._corpus = corpus
        self._workspace = Workspace(sandbox, self._content_of) if sandbox else None
        self._artifacts = artifacts
        self._context = self._open_context(chart)
        self._events: list[TraceEvent] = []
        self._calls = 0
        self._refused = 0
        self._late = 0
        self._tip = ""
        self._clock = clock
        self._started = clock()
        self._thread = threading.get_ident()
        self._others: OtherThreads | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._writer = TraceWriter(trace_path, self.header) if trace_path else None

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tool_specs() if self._workspace is None else _with_shell(self._workspace.sandbox)

    @property
    def tools(self) -> Desk:
        """What a system gets."""
        return Desk(self)

    @property
    def events(self) -> tuple[TraceEvent, ...]:
        return tuple(self._events)

    def brief(self, scenario: str, query: str) -> Brief:
        """What a system is told: the filled query with the identifiers, tools and limits of this run."""
        header = self.header
        return Brief(
            scenario=scenario,
            query=query,
            subject_id=header.subject_id,
            hadm_id=header.hadm_id,
            stay_id=header.stay_id,
            tools=self.specs,
            limits=self.limits,
        )

    def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """Run one tool. Never raises for what a system gives it. What it gives back is a copy of what was logged.

        Of the calls that come when the run is over, the first hundred are logged.
        """
        with self._lock:
            self._calls += 1
            if (refused := self._flooding(tool)) is not None:
                return refused
            began = self._clock()
            given = _plain(arguments)
            self._log_call(tool, given)
            ok, reading = self._answer(tool, given)
            result = self._log_result(ok, reading, (self._clock() - began) * 1000)
            if reading.report is not None:
                self._file(reading.report)
            return result

    def skip(self) -> None:
        """Count a call that is not made, as a replay does for what it cannot repeat."""
        self._calls += 1

    def file_text(self, text: str | None) -> Report | None:
        """Take the text that a system returned as its report, unless it has filed one; gives the report of the run."""
        with self._lock:
            if self.report is None and text:
                readable = _encodable(text[:_MOST_GIVEN])
                report = parse_report(readable)
                if report is not None:
                    self._file(report)
                else:
                    self._append(ReportFiled(raw=readable))
            return self.report

    def record(self, told: Told) -> None:
        """Add to the log what a system tells of itself. Raises TypeError for anything else, such as a tool's result."""
        if not isinstance(told, Told):
            raise TypeError(f"a system may record turns, usage and remarks, no {type(told).__name__}")
        with self._lock:
            if not self._closed:
                self._append(told)

    def refuse(self, reason: str) -> None:
        """Record a request that was turned away before it became a call; a flood of them is cut off in the log."""
        with self._lock:
            self._refused += 1
            if self._refused <= _MOST_REFUSED and not self._closed:
                self._append(Refused(reason=reason))

    @property
    def out_of_time(self) -> bool:
        """Whether the time limit has passed, so that no call and no report is taken any more."""
        return self._clock() - self._started > self.limits.seconds

    @property
    def tip(self) -> str:
        """Digest of the last line of the trace; empty for a run without a trace file."""
        return self._tip if self._writer is None else self._writer.tip

    def close(self) -> None:
        """Complete the trace on disk; later calls are refused. The chart stays open, as it belongs to the caller."""
        with self._lock:
            self._closed = True
            if self._workspace is not None and self._artifacts is not None:
                self._workspace.save(self._artifacts)
            if self._writer is not None:
                self._writer.close()
                self._tip = self._writer.tip
                self._writer = None
            if self._others is not None:
                self._others.close()
                self._others = None

    def __enter__(self) -> Environment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, name: str, arguments: dict[str, Any]) -> _Outcome:
        try:
            self._check_open(name)
            tool = TOOLS.get(name) if isinstance(name, str) else None
            if tool is None:
                raise _unknown_tool(name)
            if _NO_OBJECT in arguments:
                raise ToolError(f"arguments of {name} must be an object", "give the arguments by name")
            if _TOO_LARGE in arguments:
                most = f"{_MOST_GIVEN} characters and {_MOST_DEEP} levels"
                told = f"the arguments have {arguments[_TOO_LARGE]}, a call has at most {most}"
                raise ToolError(told, "give less at once", "too_large")
            try:
                given = tool.arguments.model_validate(arguments)
            except ValidationError as error:
                raise explain(tool, error) from error
            return _Outcome(True, self._run(tool, given))
        except OverflowError:
            return _refused(ToolError("a number is too large", "ids and itemids have at most 18 digits"))
        except ToolError as error:
            return _refused(error)

    def _open_context(self, chart: Chart) -> Context:
        return Context(chart, self._corpus, self.header.subject_id, self.limits, self._workspace)

    def _content_of(self, call: int) -> dict[str, Any] | None:
        """What a call of this run gave back; None where it failed or was none."""
        for event in self._events:
            if isinstance(event, ToolResult) and event.n == call:
                return event.content if event.ok else None
        return None

    def _run(self, tool: Tool, given: Any) -> Reading:
        if threading.get_ident() == self._thread:
            return tool.run(self._context, given)
        if self._others is None:
            self._others = OtherThreads(self._open_context, self._context.chart)
        return self._others.run(lambda context: tool.run(context, given))

    def _flooding(self, tool: str) -> ToolResult | None:
        """The refusal of a call to a run that is over, once the log has enough of them; None for any other."""
        try:
            self._check_open(tool)
        except ToolError as error:
            self._late += 1
            if self._late > _MOST_REFUSED:
                return ToolResult(n=self._calls, ok=False, content=_refused(error).reading.content)
        return None

    def _check_open(self, tool: str) -> None:
        if self._closed:
            raise ToolError("the run has ended", "stop here", "closed")
        if self.report is not None:
            raise ToolError("the report has been filed; the investigation is over", "stop here", "closed")
        if self.out_of_time:
            raise ToolError(f"the time limit of {self.limits.seconds:g} s has passed", "stop here", "time_limit")
        if self._calls > self.limits.calls + _MOST_REFUSED:
            told = f"the limit of {self.limits.calls} tool calls was reached {_MOST_REFUSED} calls ago"
            raise ToolError(told, "stop here", "call_limit")
        # A system that has used up its calls may still report what it has.
        if self._calls > self.limits.calls and tool != "submit_report":
            raise ToolError(
                f"the limit of {self.limits.calls} tool calls is reached",
                "file the report with submit_report",
                "call_limit",
            )

    def _file(self, report: Report) -> None:
        self.report = report
        self._append(ReportFiled(raw=report.raw))
        if self._writer is not None:
            self._writer.flush()

    def _append(self, event: Told | ReportFiled | Refused) -> None:
        self._events.append(event)
        if self._writer is not None:
            self._writer.write(_dumped(event.model_dump()))

    # The two events of a call are the harness's cost per call: they are built without validation, as all of their parts
    # are ours, and the content is serialised once, for its size and for the file.

    def _log_call(self, tool: str, given: dict[str, Any]) -> None:
        name = _encodable(tool[:_MOST_NAME]) if isinstance(tool, str) else f"({type(tool).__name__})"
        fields: dict[str, Any] = {"event": "call", "n": self._calls, "tool": name, "arguments": given}
        self._events.append(ToolCall.model_construct(**fields))
        if self._writer is not None:
            self._writer.write(_dumped(fields))

    def _log_result(self, ok: bool, reading: Reading, ms: float) -> ToolResult:
        content = _dumped(reading.content)
        fields: dict[str, Any] = {
            "event": "result",
            "n": self._calls,
            "ok": ok,
            "tables": reading.tables,
            "scope": dict(reading.scope),
            "refs": reading.refs,
            "rows": reading.rows,
            "truncated": reading.truncated,
            "bytes": len(content.encode()),
            "ms": round(ms, 3),
        }
        self._events.append(ToolResult.model_construct(**fields, content=reading.content))
        if self._writer is not None:
            self._writer.write(f'{_dumped(fields)[:-1]}, "content": {content}}}')
        # The log is evidence: a system that edits what it got must not edit what it is graded by.
        own = {**fields, "scope": json.loads(_dumped(fields["scope"])), "content": json.loads(content)}
        return ToolResult.model_construct(**own)


@cache
def tool_specs() -> tuple[ToolSpec, ...]:
    """All tools as a model sees them, without the shell, which not every run has."""
    return tuple(_spec(tool, tool.description) for tool in TOOLS.values() if tool.name != shell.NAME)


def _with_shell(sandbox: Sandbox) -> tuple[ToolSpec, ...]:
    *others, report = tool_specs()
    return (*others, _spec(TOOLS[shell.NAME], shell.describe(sandbox.description)), report)


def _spec(tool: Tool, description: str) -> ToolSpec:
    return ToolSpec(name=tool.name, description=description, parameters=tool.arguments.model_json_schema())


def _unknown_tool(name: object) -> ToolError:
    near = get_close_matches(name[:_MOST_NAME], TOOLS, n=3) if isinstance(name, str) else []
    nearest = f"nearest: {', '.join(near)}; " if near else ""
    shown = repr(name[:_MOST_NAME]) if isinstance(name, str) else f"named by a {type(name).__name__}"
    return ToolError(f"there is no tool {shown}", f"{nearest}tools: {', '.join(TOOLS)}", "unknown_tool")


def _plain(arguments: Any) -> dict[str, Any]:
    """Arguments as the JSON that the log keeps: what is executed is what a replay will execute."""
    try:
        text = _dumped(arguments)
        if len(text) > _MOST_GIVEN:
            return {_TOO_LARGE: _measured(text)}
        given = json.loads(text, parse_constant=str)
        if _deeper(given, _MOST_DEEP):
            return {_TOO_LARGE: f"more than {_MOST_DEEP} levels in {_measured(text)}"}
    except Exception:  # also whatever an object raises that is none of JSON's
        given = f"({type(arguments).__name__}, which cannot be written as JSON)"
    return given if isinstance(given, dict) else {_NO_OBJECT: given}


def _measured(text: str) -> str:
    return f"{len(text)} characters (SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:16]})"


def _deeper(value: object, levels: int) -> bool:
    """Whether lists and objects are nested in more than so many levels; without recursion, which depth would end."""
    within = [value]
    for _ in range(levels + 1):
        held = [part for part in within if isinstance(part, dict | list)]
        within = [inner for part in held for inner in (part.values() if isinstance(part, dict) else part)]
        if not held:
            return False
    return True


def _refused(error: ToolError) -> _Outcome:
    """A mistake as a result; what a system wrote is quoted in it, and must not blow it up."""
    told = {"message": _clipped(error.message), "hint": _clipped(error.hint), "kind": error.kind}
    return _Outcome(False, Reading({"error": told}))


def _clipped(text: str) -> str:
    return text if len(text) <= _MOST_TOLD else f"{text[: _MOST_TOLD - 3]}..."


def _dumped(value: object) -> str:
    return _encodable(json.dumps(value, ensure_ascii=False, default=str, skipkeys=True))


def _encodable(text: str) -> str:
    """Without the lone surrogates that a model's broken escapes leave, as they cannot be written."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
