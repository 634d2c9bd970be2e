"""``Draft``: the rows of one subject on their way into a chart file."""

from __future__ import annotations

import os
import random
import sqlite3
from pathlib import Path
from typing import Any

from pytest_clinicare.charts.schema import TABLES, Table

APPLICATION_ID = 0x434C4943  # "CLIC"
SCHEMA_VERSION = 1

_INDEXES = {
    "labevents": ("itemid, charttime", "hadm_id"),
    "chartevents": ("itemid, charttime", "hadm_id"),
    "emar": ("charttime", "hadm_id"),
    "emar_detail": ("emar_id",),
    "poe": ("ordertime", "hadm_id"),
    "poe_detail": ("poe_id",),
}
_LEADING = {"hadm": 2, "stay": 3, "transfer": 3}


class Draft:
    """Collects rows and writes them once.

    Everything is a function of ``seed``: the same calls give the same bytes of content.
    """

    def __init__(self, subject_id: int, seed: int) -> None:
        self.subject_id = subject_id
        self.rng = random.Random(seed)
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
        self._ids = random.Random(f"ids/{subject_id}/{seed}")
        self._taken: set[int] = set()

    def add(self, table: str, **columns: Any) -> dict[str, Any]:
        """Append a row; columns left out are NULL, ``subject_id`` is filled in.

        Raises:
            KeyError: no such table or column.
        """
        spec = TABLES[table]
        unknown = columns.keys() - set(spec.column_names)
        if unknown:
            raise KeyError(f"{table} has no column {', '.join(sorted(unknown))}")
        if spec.of_subject:
            columns.setdefault("subject_id", self.subject_id)
        self.rows[table].append(columns)
        return columns

    def next_id(self, kind: str) -> int:
        """An unused 8-digit id that carries no information; admissions start with 2, stays and transfers with 3."""
        leading = _LEADING.get(kind, 1)
        while True:
            number = leading * 10_000_000 + self._ids.randrange(10_000_000)
            if number not in self._taken:
                self._taken.add(number)
                return number

    def save(self, path: Path) -> None:
        """Write the chart: complete under its final name, or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        partial.unlink(missing_ok=True)
        try:
            with ChartWriter(partial) as writer:
                for name, rows in self.rows.items():
                    writer.insert(TABLES[name], _in_time_order(TABLES[name], rows))
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)


class ChartWriter:
    """A new chart file: tables first, then rows, then indexes and full text when the block ends without an error."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript(
            f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA application_id={APPLICATION_ID};"
            f"PRAGMA user_version={SCHEMA_VERSION};"
        )
        self._connection.execute("BEGIN")
        for table in TABLES.values():
            self._connection.execute(table.ddl)

    def __enter__(self) -> ChartWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._finish()
        self._connection.close()

    def insert(self, table: Table, rows: list[dict[str, Any]]) -> None:
        """Append rows given by column name; columns left out are NULL."""
        names = table.column_names
        marks = ", ".join("?" * len(names))
        values = [tuple([row.get(name) for name in names]) for row in rows]
        self._connection.executemany(f'INSERT INTO "{table.name}" VALUES ({marks})', values)

    def _finish(self) -> None:
        for name, indexes in _INDEXES.items():
            for number, columns in enumerate(indexes):
                self._connection.execute(f"CREATE INDEX {name}_{number} ON {name} ({columns})")
        for name in ("discharge", "radiology"):
            self._connection.execute(
                f"CREATE VIRTUAL TABLE {name}_fts USING fts5(text, content='{name}', tokenize='porter unicode61')"
            )
            self._connection.execute(f"INSERT INTO {name}_fts(rowid, text) SELECT rowid, text FROM {name}")
        self._connection.execute("COMMIT")


def _in_time_order(table: Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Insertion order would tell which rows a recipe placed by hand."""
    time = table.time
    if time is None or len(rows) < 2:
        return rows
    return sorted(rows, key=lambda row: str(row.get(time) or ""))
