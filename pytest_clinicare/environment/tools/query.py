"""Bounded queries: filters, paging, refs and the account of what was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pytest_clinicare.charts import TABLES
from pytest_clinicare.environment.tools.arguments import InAdmission, InWindow, Page
from pytest_clinicare.environment.tools.context import Context, Reading, ToolError

Row = dict[str, Any]


@dataclass
class Filter:
    """A WHERE clause being collected; clauses are AND-ed."""

    clauses: list[str] = field(default_factory=list)
    params: list[Any] = field(default_factory=list)

    def add(self, clause: str, *params: Any) -> Filter:
        self.clauses.append(clause)
        self.params.extend(params)
        return self

    def admission(self, arguments: InAdmission, column: str = "t.hadm_id") -> Filter:
        """Only rows that carry the admission's id."""
        if arguments.hadm_id is not None:
            self.add(f"{column} = ?", arguments.hadm_id)
        return self

    def ed_admission(self, arguments: InAdmission) -> Filter:
        """Only rows of ED stays that are linked to the admission."""
        if arguments.hadm_id is not None:
            self.add("t.stay_id IN (SELECT stay_id FROM edstays WHERE hadm_id = ?)", arguments.hadm_id)
        return self

    def window(self, arguments: InWindow, start: str, end: str | None = None) -> Filter:
        """Both ends included. An interval from ``start`` to ``end`` counts when it overlaps the window."""
        if arguments.start:
            self.add(f"{end or start} >= ?", arguments.start)
        if arguments.end:
            self.add(f"{start} <= ?", arguments.end if len(arguments.end) > 10 else f"{arguments.end} 23:59:59")
        return self

    def dates(self, arguments: InWindow, column: str) -> Filter:
        """Both ends included, for a column that has the date only."""
        if arguments.start:
            self.add(f"substr({column}, 1, 10) >= ?", arguments.start[:10])
        if arguments.end:
            self.add(f"substr({column}, 1, 10) <= ?", arguments.end[:10])
        return self

    def contains(self, text: str | None, *columns: str) -> Filter:
        """Any of the columns contains the text, without regard to case."""
        if text is not None:
            self.add(f"({' OR '.join(f'instr(lower({c}), ?) > 0' for c in columns)})", *[text.lower()] * len(columns))
        return self

    def items(self, text: str | None, *columns: str) -> Filter:
        """The item's dictionary entry contains the text in any of the columns, without regard to case."""
        if text is not None:
            inner = Filter().contains(text, *columns)
            self.add(f"t.itemid IN (SELECT itemid FROM d_items WHERE {inner.clauses[0]})", *inner.params)
        return self


@dataclass(frozen=True)
class Select:
    """Rows of one table (alias ``t``); ``columns`` maps output names to SQL expressions with parameters ``params``.

    ``join`` adds what only columns need, at most one row each. ``match`` joins what filter or order need, and ``again``
    is the part of the filter without which columns mean nothing (a full-text match).
    """

    table: str
    columns: Mapping[str, str]
    where: Filter = field(default_factory=Filter)
    join: str = ""
    match: str = ""
    params: tuple[Any, ...] = ()
    again: Filter = field(default_factory=Filter)

    @property
    def source(self) -> str:
        return f"{self.table} t {self.match}"

    @property
    def condition(self) -> str:
        return " AND ".join(self.where.clauses) or "1"


@cache
def ref_sql(table: str) -> str:
    """SQL that makes the ref of a row of ``table`` (alias ``t``)."""
    key = TABLES[table].key
    value = " || '/' || ".join(f"t.{column}" for column in key) if key else "'r' || t.rowid"
    return f"'{table}:' || {value}"


def columns(names: str, **named: str) -> dict[str, str]:
    """Columns of ``t`` under their own names, and expressions under given names."""
    return {**{name: f"t.{name}" for name in names.split()}, **named}


def scope_of(context: Context, arguments: Page, **extra: Any) -> dict[str, Any]:
    """The filters that were applied, for the log and for the agent."""
    given = arguments.__dict__
    applied = {k: v for k, v in given.items() if v is not None and k not in ("limit", "cursor")}
    return {"subject_id": context.subject_id, **applied, **extra}


def query(
    context: Context,
    selects: Sequence[Select],
    arguments: Page,
    order: Sequence[str],
    *,
    tables: Sequence[str] = (),
    scope: Mapping[str, Any] | None = None,
    finish: Callable[[Row], Row] | None = None,
) -> Reading:
    """One page of the union of ``selects``, in the order of the named columns, then of selects and rows.

    ``tables`` are read besides those of the selects; ``scope`` replaces the plain arguments; ``finish`` reshapes a row.
    Columns named ``*_ref`` are further refs of the row.
    """
    start = offset_of(arguments.cursor)
    most = min(arguments.limit or context.limits.rows, context.limits.rows)
    union, params = _keys(selects, order)
    ordered = ", ".join(str(number) for number in (*range(3, 3 + len(order)), 1, 2))
    found = context.chart.rows(f"{union} ORDER BY {ordered} LIMIT {most + 1} OFFSET {start}", params)
    total = start + len(found)
    if len(found) > most or (start and not found):
        total = int(context.chart.rows(f"SELECT count(*) FROM ({union})", params)[0][0])
    if start > total:
        raise ToolError(f"cursor {arguments.cursor!r} lies after the last row", f"the query has {total} rows")
    rows = _fetched(context, selects, [(row[0], row[1]) for row in found[:most]])
    if finish is not None:
        rows = [finish(row) for row in rows]
    read = tuple(TABLES[name].qualified for name in dict.fromkeys([*(s.table for s in selects), *tables]))
    return page_of(rows, start, total, context.limits.bytes, read, scope or scope_of(context, arguments))


def page_of(
    rows: list[Row],
    start: int,
    total: int,
    most_bytes: int,
    tables: tuple[str, ...],
    scope: Mapping[str, Any],
    *,
    ref_columns: bool = True,
) -> Reading:
    """A page of fetched rows, cut where it exceeds ``most_bytes``; at least one row is kept, so that paging goes on.

    ``ref_columns`` False: columns named ``*_ref`` are not ours, and no refs.
    """
    shown = rows[: _fitting(rows, most_bytes)]
    end = start + len(shown)
    truncated = end < total
    content: dict[str, Any] = {
        "rows": shown,
        "returned": len(shown),
        "total": total,
        "truncated": truncated,
        "next_cursor": str(end) if truncated else None,
        "read": {"tables": list(tables), "scope": dict(scope)},
    }
    named = dict.fromkeys(k for row in shown for k in row if k == "ref" or (ref_columns and k.endswith("_ref")))
    refs = dict.fromkeys(row[k] for row in shown for k in named if row.get(k))
    return Reading(content, tables, scope, tuple(refs), len(shown), truncated)


def offset_of(cursor: str | None) -> int:
    """Raises ToolError for a cursor that no tool gave."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise ToolError(f"cursor {cursor!r} is not one that a tool returned", "pass next_cursor as it was returned")
    return int(cursor)


# Which rows make the page is decided by rowid and order alone; columns, some costly, are read for the page only.


def _keys(selects: Sequence[Select], order: Sequence[str]) -> tuple[str, list[Any]]:
    parts, params = [], []
    for number, select in enumerate(selects):
        wanted = ", ".join([str(number), "t.rowid", *(select.columns.get(name, "NULL") for name in order)])
        parts.append(f"SELECT {wanted} FROM {select.source} WHERE {select.condition}")
        params.extend(select.where.params)
    return " UNION ALL ".join(parts), params


def _fetched(context: Context, selects: Sequence[Select], keys: list[tuple[int, int]]) -> list[Row]:
    names = list(dict.fromkeys(name for select in selects for name in select.columns))
    found: dict[tuple[int, int], Row] = {}
    for number, select in enumerate(selects):
        ids = ", ".join(str(rowid) for part, rowid in keys if part == number)
        if not ids:
            continue
        wanted = ", ".join(select.columns.get(name, "NULL") for name in names)
        sql = (
            f"SELECT t.rowid, {ref_sql(select.table)}, {wanted} FROM {select.source} {select.join} "
            f"WHERE {' AND '.join([f't.rowid IN ({ids})', *select.again.clauses])}"
        )
        for row in context.chart.rows(sql, [*select.params, *select.again.params]):
            found[number, row[0]] = dict(zip(("ref", *names), tuple(row)[1:], strict=True))
    return [found[key] for key in keys]


def _fitting(rows: list[Row], most_bytes: int) -> int:
    # A page nearly always fits; only one that does not is measured row by row.
    if len(json.dumps(rows, ensure_ascii=False).encode()) <= most_bytes:
        return len(rows)
    size = 0
    for number, row in enumerate(rows):
        size += len(json.dumps(row, ensure_ascii=False).encode()) + 2
        if size > most_bytes:
            return max(number, 1)
    return len(rows)
