"""``Draft``: the rows of one subject on their way into a chart file."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_clinicare.charts.schema import TABLES, Table

APPLICATION_ID = 0x434C4943  # "CLIC"
SCHEMA_VERSION = 1

_INDEXES = {
    # What a page holds is decided from these alone, without a look at the rows.
    "labevents": ("itemid, charttime, hadm_id", "hadm_id, itemid, charttime"),
    "chartevents": ("itemid, charttime, hadm_id", "hadm_id, itemid, charttime"),
    "emar": ("charttime", "hadm_id"),
    "emar_detail": ("emar_id",),
    "poe": ("ordertime", "hadm_id"),
    "poe_detail": ("poe_id",),
}
# Looked up by ref once for every citation; the other tables are small.
_UNIQUE = ("labevents", "microbiologyevents", "emar", "pharmacy", "poe", "radiology")
# What orders rows of tables that have neither a time nor a key.
_SEQUENCES = {
    "emar_detail": ("emar_seq", "parent_field_ordinal"),
    "poe_detail": ("poe_seq", "field_name"),
    "discharge_detail": ("note_id", "field_ordinal"),
    "radiology_detail": ("note_id", "field_ordinal"),
    "drgcodes": ("hadm_id", "drg_type"),
    "omr": ("seq_num",),
}
_LEADING = {"hadm": 2, "stay": 3, "transfer": 3}


class Draft:
    """Collects rows and writes them once.

    Everything is a function of ``seed``: the same calls give the same bytes of content.
    """

    def __init__(self, subject_id: int, seed: int) -> None:
        self.subject_id = subject_id
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
        """Write the chart: complete under its final name, or not at all.

        Raises:
            sqlite3.IntegrityError: a required column is NULL, or a key stands twice.
        """
        with writing(path) as writer:
            for name, rows in self.rows.items():
                table = TABLES[name]
                names = table.column_names
                writer.insert(table, [tuple([row.get(name) for name in names]) for row in _in_order(table, rows)])


@contextmanager
def writing(path: Path) -> Iterator[ChartWriter]:
    """A writer of a new chart that appears as ``path`` when the block ends, and leaves nothing when it fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    partial.unlink(missing_ok=True)
    try:
        with ChartWriter(partial) as writer:
            yield writer
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

    def insert(self, table: Table, rows: Iterable[Sequence[Any]]) -> None:
        """Append rows, each with a value for every column in the table's order."""
        marks = ", ".join("?" * len(table.columns))
        self._connection.executemany(f'INSERT INTO "{table.name}" VALUES ({marks})', rows)

    def distinct(self, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """The different values of ``columns`` among the rows written so far, without those that have a NULL."""
        names = ", ".join(columns)
        given = " AND ".join(f"{column} IS NOT NULL" for column in columns)
        return self._connection.execute(f"SELECT DISTINCT {names} FROM {table} WHERE {given}").fetchall()

    def _finish(self) -> None:
        for name, indexes in _INDEXES.items():
            for number, columns in enumerate(indexes):
                self._connection.execute(f"CREATE INDEX {name}_{number} ON {name} ({columns})")
        for name in _UNIQUE:
            self._connection.execute(f"CREATE UNIQUE INDEX {name}_key ON {name} ({', '.join(TABLES[name].key)})")
        for name in ("discharge", "radiology"):
            self._connection.execute(
                f"CREATE VIRTUAL TABLE {name}_fts USING fts5(text, content='{name}', tokenize='porter unicode61')"
            )
            self._connection.execute(f"INSERT INTO {name}_fts(rowid, text) SELECT rowid, text FROM {name}")
        self._connection.execute("COMMIT")


def _in_order(table: Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By time and key: the order of insertion would tell which rows a recipe placed by hand."""
    columns = _SEQUENCES.get(table.name, table.declared_key)
    if table.time is not None:
        columns = (table.time, *columns)
    if not columns or len(rows) < 2:
        return rows
    # Numbers right-aligned as text sort by value; times are all of one length.
    return sorted(rows, key=lambda row: [str(row.get(column) or "").rjust(20) for column in columns])
