"""``Chart``: one subject's record, opened read-only."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from pytest_clinicare.charts.draft import APPLICATION_ID, SCHEMA_VERSION
from pytest_clinicare.charts.schema import TABLES, parse_ref


class ChartError(Exception):
    """A chart that cannot be built or opened; the message says which, why and what to do."""


class Chart:
    """A chart file. The file never changes, so it is opened immutable, without locks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = self.connect()

    def connect(self, cached_statements: int = 128) -> sqlite3.Connection:
        """A further read-only connection; the caller closes it."""
        uri = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
        try:
            connection = sqlite3.connect(uri, uri=True, cached_statements=cached_statements, isolation_level=None)
        except sqlite3.Error as error:
            raise ChartError(f"{self.path}: cannot be opened ({error})") from error
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA query_only=1")
        return connection

    @cached_property
    def subject_id(self) -> int:
        rows = self.rows("SELECT subject_id FROM patients")
        if len(rows) != 1:
            raise ChartError(f"{self.path}: holds {len(rows)} patients instead of one; build the chart again")
        return int(rows[0][0])

    def rows(self, sql: str, params: Mapping[str, Any] | Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Raises ChartError where the file is damaged."""
        try:
            return self._connection.execute(sql, params).fetchall()
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_IOERR")):
                raise ChartError(f"{self.path}: damaged ({error}); build the chart again") from error
            raise

    def row(self, ref: str) -> sqlite3.Row | None:
        """The row that a ref names, or None if the ref is malformed or no such row exists."""
        try:
            table, key, rowid = parse_ref(ref)
        except ValueError:
            return None
        if rowid is not None:
            found = self.rows(f'SELECT * FROM "{table}" WHERE rowid = ?', (rowid,))
        else:
            # The plain comparison uses the index; the text one refuses spellings such as 0093831 or 93831.0.
            where = " AND ".join(f'"{c}" = ? AND CAST("{c}" AS TEXT) = ?' for c in TABLES[table].key)
            found = self.rows(f'SELECT * FROM "{table}" WHERE {where}', [part for part in key for _ in range(2)])
        return found[0] if found else None

    def has_ref(self, ref: str) -> bool:
        return self.row(ref) is not None

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Chart:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_chart(path: Path) -> Chart:
    """Open a chart file after checking that it is one and of this version.

    Raises:
        ChartError: no such file, not a chart, or written by another version.
    """
    if not os.path.isfile(path):
        raise ChartError(f"{path}: no such chart; build it with `clinicare charts build`")
    chart = Chart(path)
    try:
        _check_format(chart)
    except ChartError:
        chart.close()
        raise
    return chart


def _check_format(chart: Chart) -> None:
    try:
        application = chart.rows("PRAGMA application_id")[0][0]
        version = chart.rows("PRAGMA user_version")[0][0]
    except sqlite3.DatabaseError as error:
        raise ChartError(f"{chart.path}: not a chart ({error}); build it with `clinicare charts build`") from error
    if application != APPLICATION_ID:
        raise ChartError(f"{chart.path}: a SQLite file, but not a chart; build it with `clinicare charts build`")
    if version != SCHEMA_VERSION:
        raise ChartError(
            f"{chart.path}: chart format {version}, this version reads {SCHEMA_VERSION}; build the chart again"
        )
