"""One scripted investigation: calls to the tools, what they returned, and how it is cited."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pytest_clinicare.environment import Brief, ToolResult
from pytest_clinicare.systems.protocol import Toolbox

Row = dict[str, Any]
MAX_PAGES = 60
_LINE = re.compile(r"^L(\d+): ?(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Found:
    """Rows of one query, all pages; ``call`` is the number of the first call, cited where there are no rows."""

    rows: list[Row]
    call: int
    complete: bool = True

    @property
    def evidence(self) -> tuple[str, ...]:
        """Refs of the rows, or the call when there are none."""
        return refs(self.rows) or (f"call:{self.call}",)

    def of(self, table: str) -> list[Row]:
        """Rows that come from one table, where a tool returns several."""
        return [row for row in self.rows if str(row.get("ref", "")).startswith(f"{table}:")]


@dataclass(frozen=True)
class Note:
    """A note as read. ``ref`` cites the whole, ``span`` a part of it."""

    ref: str
    note_id: str
    hadm_id: int | None
    charttime: str
    text: str

    def span(self, start: int, end: int) -> str:
        return f"{self.ref}@{start}-{end}"


@dataclass(frozen=True)
class Notes:
    """Notes read in full, and the listing that found them."""

    items: list[Note]
    listed: Found

    @property
    def evidence(self) -> tuple[str, ...]:
        return self.listed.evidence


def refs(rows: list[Row]) -> tuple[str, ...]:
    """Refs of rows, in order, without repeats."""
    return tuple(dict.fromkeys(str(row["ref"]) for row in rows if row.get("ref")))


@dataclass
class Session:
    """The tools, with paging; every answer it gives was retrieved in this run."""

    brief: Brief
    tools: Toolbox
    _policies: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    _spans: dict[tuple[str, str], str] = field(default_factory=dict)

    def query(self, tool: str, **arguments: Any) -> Found:
        """All rows of a row tool, following cursors."""
        given = {key: value for key, value in arguments.items() if value is not None}
        result = self.tools.call(tool, given)
        first, rows = result.n, _rows(result)
        for _ in range(MAX_PAGES):
            cursor = result.content.get("next_cursor") if result.ok else None
            if not cursor:
                return Found(rows, first, result.ok)
            result = self.tools.call(tool, {**given, "cursor": cursor})
            rows.extend(_rows(result))
        return Found(rows, first, False)

    def holds(self, tool: str, **arguments: Any) -> Found:
        """The first row of a query: whether a source holds anything at all in that scope."""
        result = self.tools.call(tool, {**arguments, "limit": 1})
        return Found(_rows(result), result.n, result.ok)

    def merged(self, *found: Found) -> Found:
        """Several queries as one, each row once."""
        unique = {str(row.get("ref")): row for part in found for row in part.rows}
        return Found(list(unique.values()), found[0].call, all(part.complete for part in found))

    def notes(
        self, kind: str, *, hadm_id: int | None = None, start: str | None = None, end: str | None = None
    ) -> Notes:
        """All notes of a kind, read in full. With a window, notes without an admission id are placed by their time."""
        listed = self.query("list_notes", kind=kind, hadm_id=hadm_id)
        if start and end:
            window = self.query("list_notes", kind=kind, start=start, end=end)
            loose = [row for row in window.rows if row.get("hadm_id") is None]
            listed = Found([*listed.rows, *loose], listed.call, listed.complete)
        return Notes([self.read_note(row) for row in listed.rows], listed)

    def read_note(self, row: Row) -> Note:
        """The whole text of a listed note."""
        note_id, text, offset = str(row["note_id"]), "", 0
        ref = str(row["ref"])
        while True:
            result = self.tools.call("read_note", {"note_id": note_id, "offset": offset})
            text += str(result.content.get("text", ""))
            following = result.content.get("next_offset")
            if not result.ok or not following or following <= offset:
                break
            offset = int(following)
        hadm_id = row.get("hadm_id")
        return Note(ref, note_id, int(hadm_id) if hadm_id is not None else None, str(row.get("charttime") or ""), text)

    def policy(self, document: str, heading: str) -> str:
        """``document Lx-Ly`` of the section whose heading contains ``heading``, found by reading the document."""
        key = (document, heading)
        if key not in self._spans:
            if document not in self._policies:
                self._policies[document] = self._read_policy(document)
            self._spans[key] = _span_of(document, heading, self._policies[document])
        return self._spans[key]

    def _read_policy(self, document: str) -> list[tuple[int, str]]:
        lines: list[tuple[int, str]] = []
        start = 1
        while True:
            result = self.tools.call("read_policy", {"document": document, "start_line": start})
            if not result.ok:
                return lines
            lines.extend(_numbered(str(result.content.get("text", ""))))
            end, total = int(result.content.get("end_line", 0)), int(result.content.get("total_lines", 0))
            if end >= total or end < start:
                return lines
            start = end + 1


def _rows(result: ToolResult) -> list[Row]:
    return list(result.content.get("rows", [])) if result.ok else []


def _span_of(document: str, heading: str, lines: list[tuple[int, str]]) -> str:
    """From the heading to the line before the next one; the document alone where no heading fits."""
    start = next((i for i, (_, text) in enumerate(lines) if text.startswith("#") and heading in text), None)
    if start is None:
        return document
    end = next((i for i in range(start + 1, len(lines)) if lines[i][1].startswith("#")), len(lines))
    while end - 1 > start and not lines[end - 1][1].strip():
        end -= 1
    return f"{document} L{lines[start][0]}-L{lines[end - 1][0]}"


def _numbered(text: str) -> list[tuple[int, str]]:
    return [(int(number), line) for number, line in _LINE.findall(text)]
