"""The fallback: one read-only SELECT over the chart, with its tables and columns taken from SQLite's authorizer."""

from __future__ import annotations

import base64
import json
import math
from difflib import get_close_matches
from typing import Any

from pydantic import Field

from pytest_clinicare.charts import TABLES, Chart
from pytest_clinicare.environment.governed import FTS_TABLES, QueryOverran, QueryRefused
from pytest_clinicare.environment.tools.arguments import Page
from pytest_clinicare.environment.tools.context import Context, Reading, Tool, ToolError
from pytest_clinicare.environment.tools.query import offset_of, page_of

_NARROW = "narrow the query: filter on itemid, hadm_id or time"
_HINT = f"tables: {', '.join(TABLES)}; full text: {', '.join(FTS_TABLES)} (column text, joined on rowid)"


OVERRAN = "sql_time"
"""The kind of error of a query that took too much computing time: that it did depends on the machine."""


class RunSql(Page):
    query: str = Field(
        min_length=1, max_length=20_000, description="One SELECT statement in SQLite's dialect; times are ISO text."
    )


def run_sql(context: Context, arguments: RunSql) -> Reading:
    start = offset_of(arguments.cursor)
    most = min(arguments.limit or context.limits.rows, context.limits.rows)
    try:
        answer = context.sql.run(arguments.query, start, most, context.limits.bytes)
    except QueryOverran as error:
        raise ToolError(str(error), _NARROW, OVERRAN) from error
    except QueryRefused as error:
        raise ToolError(str(error), _hint(str(error)), "sql") from error
    keyed = _keyed_table(answer.columns, tuple(answer.read))
    rows = []
    for values in answer.rows:
        row = _as_row(answer.columns, values)
        rows.append({"ref": _ref(context.chart, keyed, row), **row} if keyed else row)
    if rows and (size := len(json.dumps(rows[0]))) > context.limits.bytes:
        told = f"one row has {size} bytes, more than a result may have ({context.limits.bytes})"
        raise ToolError(told, "select fewer columns, use substr(), or read notes with read_note", "sql")
    read = tuple(TABLES[name].qualified for name in answer.read)
    columns = {TABLES[name].qualified: list(names) for name, names in answer.read.items()}
    scope = {"subject_id": context.subject_id, "query": arguments.query, "columns": columns}
    # The number of all rows is unknown unless the query was read to its end.
    total = start + len(rows) + (0 if answer.complete else 1)
    reading = page_of(rows, start, total, context.limits.bytes, read, scope, ref_columns=False)
    if not answer.complete:
        reading.content["total"] = None
    return reading


def _keyed_table(columns: tuple[str, ...], tables: tuple[str, ...]) -> str | None:
    """The one table whose key (or rowid) the result carries; None where it is not certain which rows these are."""
    dictionaries = {name for name in tables if not TABLES[name].of_subject}
    base = [name for name in tables if name not in dictionaries]
    if len(base) != 1:
        return None
    key = TABLES[base[0]].key or ("rowid",)
    return base[0] if all(columns.count(column) == 1 for column in key) else None


def _ref(chart: Chart, table: str, row: dict[str, Any]) -> str | None:
    """The ref of a result row; None unless the chart holds that row with the values selected (an expression can be
    named like a key, and must not become evidence that was never read)."""
    key = TABLES[table].key
    values = [row[column] for column in key or ("rowid",)]
    ref = f"{table}:{'/'.join(map(str, values))}" if key else f"{table}:r{values[0]}"
    real = chart.row(ref)
    if real is None or any(name in row and row[name] != real[name] for name in TABLES[table].column_names):
        return None
    return ref


def _as_row(columns: tuple[str, ...], values: tuple[object, ...]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in zip(columns, values, strict=True):
        key = name
        while key in row or key == "ref":
            key += "_"
        row[key] = _plain(value)
    return row


def _plain(value: object) -> object:
    """Values that JSON has: bytes in base64, infinities as text."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _hint(message: str) -> str:
    """What to do: the nearest table, or the columns of the table that was meant."""
    name = message.rsplit(maxsplit=1)[-1].rpartition(".")[2]
    if message.startswith("no such column"):
        having = [t.name for t in TABLES.values() if name in t.column_names]
        where = f"{name} is a column of {', '.join(having)}" if having else f"no table has a column {name}"
        columns = {column for table in TABLES.values() for column in table.column_names}
        near = get_close_matches(name, sorted(columns), n=5)
        return f"{where}; nearest columns: {', '.join(near)}" if near and not having else where
    if message.startswith("no such table"):
        near = get_close_matches(name, TABLES, n=3)
        return (f"nearest: {', '.join(near)}; " if near else "") + _HINT
    if "more than" in message or "memory" in message:
        return _NARROW
    return _HINT


TOOLS = (
    Tool(
        "run_sql",
        "Fallback for what no other tool answers: one read-only SELECT over the chart's MIMIC-IV "
        "tables under their plain "
        "names. Rows get a ref when the query reads one table and selects its key (labevent_id, "
        "poe_id, note_id; rowid for "
        f"tables without a key). Full text: {FTS_TABLES[0]} MATCH '...'.",
        RunSql,
        run_sql,
    ),
)
