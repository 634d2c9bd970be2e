"""Trace files: written line by line through one open file, read back with what a kill left.

Each line but the first ends with ``"prev"``, the digest of the line before it, so that a line that was changed, dropped
or moved breaks the chain; the digest of the last line (``TraceWriter.tip``) stands in the record of the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from pytest_clinicare.environment.trace import TRACE_VERSION, TraceEvent, TraceHeader

_FIRST_CHAINED = 2
_READABLE = (1, 2, TRACE_VERSION)
_PREV = re.compile(rb', "prev": "[0-9a-f]{64}"}$')
_EVENT: TypeAdapter[TraceEvent] = TypeAdapter(TraceEvent)


class TraceError(Exception):
    """A trace that cannot be read; the message names file, line and what to do."""


@dataclass(frozen=True)
class Trace:
    """``cut`` says that the last line was incomplete, as after ``kill -9``; it is left out of ``events``.

    ``tip`` is the digest of the last complete line. ``broken`` is the number of the first line that does not follow
    from the one before it (None: the chain holds); traces of version 1 have no chain, and ``chained`` is false.
    A header that was set back to version 1 does not undo it.
    """

    header: TraceHeader
    events: tuple[TraceEvent, ...]
    cut: bool = False
    tip: str = ""
    broken: int | None = None
    chained: bool = True

    def __iter__(self) -> Iterator[TraceEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


class TraceWriter:
    """Appends events as JSON lines; buffered, complete on disk after ``flush``. ``tip`` digests the last line."""

    def __init__(self, path: Path, header: TraceHeader) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb", buffering=1 << 16)
        self._put(header.model_dump_json())

    def write(self, line: str) -> None:
        """One event, a JSON object without line ends."""
        self._put(f'{line[:-1]}, "prev": "{self.tip}"}}')

    def _put(self, line: str) -> None:
        data = line.encode()
        self.tip = _digest(data)
        self._file.write(data + b"\n")

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
        data = path.read_bytes()
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror}); give the path of a trace file") from error
    raw = data.split(b"\n")
    # A complete file ends with a newline, so that the last piece is empty.
    tail = raw.pop()
    lines = [line.decode("utf-8", "replace") for line in raw]
    header = _header(path, lines[0] if lines else tail.decode("utf-8", "replace"))
    events = tuple(_event(path, number, line) for number, line in enumerate(lines[1:], 2) if line)
    chained = header.version >= _FIRST_CHAINED or any(_PREV.search(line) for line in raw)
    broken = _first_broken(raw) if chained else None
    return Trace(header, events, bool(tail), _digest(raw[-1]) if raw else "", broken, chained)


def _digest(line: bytes) -> str:
    return sha256(line).hexdigest()


def _first_broken(lines: list[bytes]) -> int | None:
    """The number of the first line whose ``prev`` is not the digest of the line before it."""
    for number, (before, line) in enumerate(pairwise(lines), 2):
        if not line.endswith(f'"prev": "{_digest(before)}"}}'.encode()):
            return number
    return None


def _header(path: Path, line: str) -> TraceHeader:
    try:
        # The reader of the events, which takes neither endless nesting nor halves of surrogate pairs.
        given: Any = from_json(line)
    except ValueError as error:
        raise TraceError(f"{path}: line 1: not a trace, as its first line is no header; was it cut?") from error
    if not isinstance(given, dict) or given.get("event") != "header":
        raise TraceError(f"{path}: line 1: not a trace, as its first line is no header")
    if given.get("version") not in _READABLE:
        raise TraceError(
            f"{path}: trace format {given.get('version')}, this version reads {', '.join(map(str, _READABLE))}; "
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
