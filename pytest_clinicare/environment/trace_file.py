"""Trace files: written line by line through one open file, read back with what a kill left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pytest_clinicare.environment.trace import TRACE_VERSION, TraceEvent, TraceHeader

_EVENT: TypeAdapter[TraceEvent] = TypeAdapter(TraceEvent)


class TraceError(Exception):
    """A trace that cannot be read; the message names file, line and what to do."""


@dataclass(frozen=True)
class Trace:
    """``cut`` says that the last line was incomplete, as after ``kill -9``; it is left out of ``events``."""

    header: TraceHeader
    events: tuple[TraceEvent, ...]
    cut: bool = False

    def __iter__(self) -> Iterator[TraceEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


class TraceWriter:
    """Appends events as JSON lines; buffered, complete on disk after ``flush``."""

    def __init__(self, path: Path, header: TraceHeader) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8", buffering=1 << 16)
        self._file.write(header.model_dump_json() + "\n")

    def write(self, line: str) -> None:
        self._file.write(line + "\n")

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def read_trace(path: Path) -> Trace:
    """Read a trace file; an incomplete last line is tolerated and told in ``Trace.cut``.

    Raises:
        TraceError: no such file, not a trace, a version that this one does not read, or a broken line before the last.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror}); give the path of a trace file") from error
    lines = text.split("\n")
    # A complete file ends with a newline, so that the last piece is empty.
    tail = lines.pop()
    header = _header(path, lines[0] if lines else tail)
    events = tuple(_event(path, number, line) for number, line in enumerate(lines[1:], 2) if line)
    return Trace(header, events, bool(tail))


def _header(path: Path, line: str) -> TraceHeader:
    try:
        given: Any = json.loads(line)
    except ValueError as error:
        raise TraceError(f"{path}: line 1: not a trace, as its first line is no header; was it cut?") from error
    if not isinstance(given, dict) or given.get("event") != "header":
        raise TraceError(f"{path}: line 1: not a trace, as its first line is no header")
    if given.get("version") != TRACE_VERSION:
        raise TraceError(
            f"{path}: trace format {given.get('version')}, this version reads {TRACE_VERSION}; "
            "use the version of pytest-clinicare that wrote it"
        )
    try:
        return TraceHeader.model_validate(given)
    except ValidationError as error:
        raise TraceError(f"{path}: line 1: broken header ({error.errors()[0]['msg']})") from error


def _event(path: Path, number: int, line: str) -> TraceEvent:
    try:
        return _EVENT.validate_json(line)
    except ValidationError as error:
        raise TraceError(f"{path}: line {number}: not an event of a trace ({error.errors()[0]['msg']})") from error
