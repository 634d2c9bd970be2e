"""A read-only connection that an agent's SQL may use: an authorizer, hard limits, a number of steps and a deadline.

The authorizer runs when a statement is prepared, so the connection keeps no prepared statement (an identical second
query would otherwise record nothing). Functions are a list of what is allowed: ``printf`` and ``format`` loop for
minutes inside one opcode, where no deadline reaches them, and ``instr`` is quadratic, so LENGTH is small.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass

from pytest_clinicare.charts import TABLES, Chart

FTS_TABLES = ("discharge_fts", "radiology_fts")
FTS_TEXT = "text"
"""The column of the notes that full text is made of."""
STEPS = 50_000_000
"""Instructions of SQLite's machine that a query may take: the same on every machine, unlike time."""
_STEPS_COUNTED = 1000
_SHADOW = re.compile(r"\w+_fts_(?:data|idx|content|docsize|config)\b", re.IGNORECASE)

_AGGREGATES = {"avg", "count", "group_concat", "max", "min", "string_agg", "sum", "total"}
_WINDOWS = {
    "cume_dist", "dense_rank", "first_value", "lag", "last_value", "lead", "nth_value", "ntile", "percent_rank", "rank",
    "row_number",
}  # fmt: skip
_NUMBERS = {"abs", "ceil", "ceiling", "floor", "pow", "power", "round", "sign", "sqrt"}
_TEXTS = {
    "coalesce", "glob", "hex", "ifnull", "iif", "instr", "length", "like", "lower", "ltrim", "nullif", "replace",
    "rtrim", "substr", "substring", "trim", "typeof", "unicode", "upper",
}  # fmt: skip
_TIMES = {"date", "datetime", "julianday", "strftime", "time", "timediff", "unixepoch"}
_FULL_TEXT = {"bm25", "highlight", "match", "snippet"}
_FUNCTIONS = frozenset(_AGGREGATES | _WINDOWS | _NUMBERS | _TEXTS | _TIMES | _FULL_TEXT)
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 131_072,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 256,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 250,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_EXPLAIN_COLUMNS = (("addr", "opcode"), ("id", "parent"))
_Value = str | bytes | int | float | None
_NOW = frozenset({"now", "subsec", "subsecond"})
"""Time values that mean the current time."""
_ZONES = frozenset({"localtime", "utc"})
"""Modifiers that ask this machine for its time zone."""
_WRITTEN = re.compile(r"\s*[+-]?[\d.]", re.ASCII)
"""How every time value begins that is none of those."""


class QueryRefused(Exception):
    """A statement that may not run, or that failed; the message is for the agent."""


class QueryOverran(QueryRefused):
    """A statement that took too much computing time, which another machine may take less of."""


@dataclass(frozen=True)
class Answer:
    """Rows as tuples; ``read`` are the columns read by plain name of their table, none where rows were counted;
    ``complete`` False when rows were left unread."""

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    read: dict[str, tuple[str, ...]]
    complete: bool


class GovernedConnection:
    """One chart for one agent's SQL; ``seconds`` are of CPU, and enough of them that the steps decide, so that neither
    load nor speed of the machine does."""

    def __init__(self, chart: Chart, steps: int, seconds: float) -> None:
        self._seconds = seconds
        self._steps = steps
        self._deadline = 0.0
        self._left = 0
        self._read: dict[str, dict[str, None]] = {}
        self._counted: dict[str, None] = {}
        self._denied = ""
        self._connection = chart.connect(cached_statements=0)
        self._connection.row_factory = None
        self._connection.execute("PRAGMA trusted_schema=0")
        self._connection.execute("PRAGMA temp_store=2")
        # Sorts and windows are bounded by memory only. The limit holds for the whole process; charts need far less.
        self._connection.execute("PRAGMA hard_heap_limit=268435456")
        pages = self._connection.execute("SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0")
        self._pages: dict[int, str] = dict(pages.fetchall())
        # FTS5 tables connect to the schema on first use, which the authorizer would deny.
        for name in FTS_TABLES:
            self._connection.execute(f"SELECT count(*) FROM {name} WHERE {name} MATCH 'a'").fetchall()
        self._clock = _Timeless(self)
        for limit, value in _LIMITS.items():
            self._connection.setlimit(limit, value)
        self._connection.set_authorizer(self._authorize)
        self._connection.set_progress_handler(self._enough, _STEPS_COUNTED)

    def close(self) -> None:
        self._connection.close()
        self._clock.close()

    def create_function(self, name: str, function: Callable[..., _Value]) -> None:
        self._connection.create_function(name, -1, function, deterministic=True)

    def deny(self, why: str) -> None:
        """Why the statement that runs is about to fail."""
        self._denied = why

    def run(self, sql: str, skip: int, most: int, most_bytes: int) -> Answer:
        """Rows after the first ``skip``: at most ``most``, ending with the one that exceeds ``most_bytes`` of text.

        Raises:
            QueryRefused: not one SELECT, not allowed, wrong, or more than the limits allow.
            QueryOverran: too much computing time.
        """
        if _SHADOW.search(sql):
            raise QueryRefused("full-text shadow tables are not part of the chart")
        self._read, self._counted, self._denied = {}, {}, ""
        self._deadline = time.thread_time() + self._seconds
        self._left = self._steps
        cursor = self._connection.cursor()
        try:
            cursor.execute(sql)
            names = tuple(item[0] for item in cursor.description or ())
            if not names or names[:2] in _EXPLAIN_COLUMNS:
                raise QueryRefused("the query must be one SELECT statement")
            for _ in range(skip):
                if cursor.fetchone() is None:
                    break
            rows, complete = _taken(cursor, most, most_bytes)
            read = self._columns(sql)
        except (sqlite3.Error, sqlite3.Warning, MemoryError, ValueError, OverflowError) as error:
            if str(error) == "interrupted" and self._left > 0:
                raise QueryOverran(f"the query took longer than {self._seconds:g} s of computing") from error
            raise QueryRefused(self._denied or self._told(error)) from error
        finally:
            cursor.close()
        return Answer(names, rows, read, complete)

    def _columns(self, sql: str) -> dict[str, tuple[str, ...]]:
        """Columns of the tables of which one was read, and none of those of which only rows were counted.

        Of the latter the authorizer gives no database, so that a common table expression of the same name looks alike;
        the program of the statement tells which were opened.
        """
        read = {table: tuple(sorted(columns)) for table, columns in self._read.items()}
        counted = self._counted.keys() - read.keys()
        if counted:
            program = self._connection.execute(f"EXPLAIN {sql}").fetchall()
            opened = {self._pages.get(step[3]) for step in program if step[1] == "OpenRead"}
            read.update(dict.fromkeys(sorted(counted & opened), ()))
        return read

    def _enough(self) -> bool:
        self._left -= _STEPS_COUNTED
        return self._left <= 0 or time.thread_time() > self._deadline

    def _told(self, error: BaseException) -> str:
        text = str(error)
        if text == "interrupted":
            return f"the query took more than {self._steps:,} steps of SQLite"
        if isinstance(error, MemoryError):
            return "the query needs too much memory"
        if "one statement" in text:
            return "only one statement at a time"
        return text

    def _authorize(
        self, action: int, first: str | None, second: str | None, database: str | None, source: str | None
    ) -> int:
        if action in _READING:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ:
            return self._authorize_read(str(first), str(second or ""), database)
        if action == sqlite3.SQLITE_FUNCTION:
            if second in _FUNCTIONS:
                return sqlite3.SQLITE_OK
            self._denied = f"the function {second} is not available"
        elif action == sqlite3.SQLITE_PRAGMA and first == "data_version" and second is None:
            return sqlite3.SQLITE_OK  # FTS5 asks it
        else:
            self._denied = "the chart is read-only: only SELECT is allowed"
        return sqlite3.SQLITE_DENY

    def _authorize_read(self, table: str, column: str, database: str | None) -> int:
        if table in TABLES and database is None:
            self._counted[table] = None
        elif table in TABLES:
            self._read.setdefault(table, {})[column.lower()] = None
        elif table in FTS_TABLES:
            self._read.setdefault(table.removesuffix("_fts"), {})[FTS_TEXT] = None
        elif database is not None and not _SHADOW.fullmatch(table):
            # Names of common table expressions and subqueries come without a database.
            self._denied = f"{table} is not a table of the chart"
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK


class _Timeless:
    """SQLite's time functions without the clock and the time zone of this machine, which no replay could give again.

    They read the clock with no argument and for values such as ``now``, which an expression may put together, so that
    only the values that really arrive can be looked at, in the form in which SQLite's own function would see them.
    """

    def __init__(self, connection: GovernedConnection) -> None:
        self._own = sqlite3.connect(":memory:", isolation_level=None)
        for name in _TIMES:
            connection.create_function(name, self._function(connection, name))

    def close(self) -> None:
        self._own.close()

    def _function(self, connection: GovernedConnection, name: str) -> Callable[..., _Value]:
        place = 1 if name == "strftime" else 0

        def function(*given: _Value) -> _Value:
            values = tuple(map(_as_c_text, given))
            end = 2 if name == "timediff" else place + 1
            times, modifiers = values[place:end], values[end:]
            if not times or any(_word(value) in _NOW for value in times):
                connection.deny("the current time is not available: a chart is read in its own time")
                raise ValueError(name)
            if any(_word(value) in _ZONES for value in modifiers):
                connection.deny("time zones are not available: the times of a chart are local ones and stay as charted")
                raise ValueError(name)
            if not all(_WRITTEN.match(value) for value in times if isinstance(value, str)):
                return None
            row: tuple[_Value] = self._own.execute(f"SELECT {name}({', '.join('?' * len(values))})", values).fetchone()
            return row[0]

        return function


def _as_c_text(value: _Value) -> _Value:
    """Text and bytes up to a NUL, where SQLite's functions of time stop reading both."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    return text.partition("\0")[0] if isinstance(text, str) else text


def _word(value: _Value) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def _taken(cursor: sqlite3.Cursor, most: int, most_bytes: int) -> tuple[list[tuple[object, ...]], bool]:
    rows: list[tuple[object, ...]] = []
    size = 0
    while len(rows) < most and size <= most_bytes:
        row = cursor.fetchone()
        if row is None:
            return rows, True
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        rows.append(row)
    return rows, cursor.fetchone() is None
