"""The csv files of a MIMIC-IV folder: where they lie, and their rows into SQLite."""

from __future__ import annotations

import csv
import gzip
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO

from pytest_clinicare.charts.chart import ChartError
from pytest_clinicare.charts.schema import TABLES, Table

# MIMIC-IV-Note is a separate download, and the open demo has none.
_OPTIONAL_MODULES = frozenset({"note"})
_FIELD_LIMIT = 10_000_000  # characters; a long discharge summary exceeds the csv module's 131,072


def locate(mimic_dir: Path) -> dict[str, Path]:
    """The file of every table that the folder has, by plain name.

    Raises:
        ChartError: the folder or a table other than a note table is missing.
    """
    if not mimic_dir.is_dir():
        raise ChartError(f"{mimic_dir}: no such folder")
    files = {name: path for name, table in TABLES.items() if (path := _file(mimic_dir, table)) is not None}
    missing = [t for t in TABLES.values() if t.name not in files and t.module not in _OPTIONAL_MODULES]
    if missing:
        named = ", ".join(table.qualified for table in missing)
        raise ChartError(
            f"{mimic_dir}: not a complete MIMIC-IV folder, it lacks {named}; "
            "expected <folder>/{hosp,icu,ed}/<table>.csv or .csv.gz (the ED module is a separate download)"
        )
    return files


def _file(mimic_dir: Path, table: Table) -> Path | None:
    for suffix in (".csv.gz", ".csv"):
        path = mimic_dir / table.module / f"{table.name}{suffix}"
        if path.is_file():
            return path
    return None


def read_into(connection: sqlite3.Connection, table: Table, path: Path, subjects: Collection[int] | None = None) -> int:
    """Insert the file's rows (of ``subjects``, or all) and return their number; an empty field is NULL.

    Times are cut to seconds, the form of a chart's times.

    Raises:
        ChartError: a header or row that does not fit the table, with file and line.
    """
    before = connection.total_changes
    with _open(path) as lines:
        reader = csv.reader(lines)
        try:
            header = _header(next(reader, []), table, path)
            connection.execute("BEGIN")
            rows: Iterable[list[str]] = reader
            if subjects is not None and table.of_subject:
                rows = _of(frozenset(map(str, subjects)), reader, header.index("subject_id"))
            connection.executemany(_insert(table, header), rows)
            connection.execute("COMMIT")
        except (sqlite3.Error, csv.Error, UnicodeDecodeError, EOFError, OSError, zlib.error) as error:
            raise ChartError(f"{path}:{max(reader.line_num, 1)}: {_told(error, table)}") from error
    return connection.total_changes - before


def _open(path: Path) -> IO[str]:
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        if path.suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8", newline="")
        return path.open(encoding="utf-8", newline="")
    except OSError as error:
        raise ChartError(f"{path}: cannot be read ({error.strerror})") from error


def _header(found: list[str], table: Table, path: Path) -> list[str]:
    """Column names in the file's order; their case differs between releases."""
    names = [name.strip().lower().lstrip("\ufeff") for name in found]
    if sorted(names) != sorted(table.column_names):
        problems = [
            *(f"lacks {name}" for name in table.column_names if name not in names),
            *(f"has an unknown column {name!r}" for name in names if name not in table.column_names),
        ]
        told = "; ".join(problems) or "a column stands twice"
        raise ChartError(f"{path}:1: not the columns of {table.qualified}: {told}")
    return names


def _of(subjects: frozenset[str], rows: Iterable[list[str]], position: int) -> Iterator[list[str]]:
    """A row too short to tell is passed on, to be refused."""
    return (row for row in rows if len(row) <= position or row[position] in subjects)


def _insert(table: Table, header: list[str]) -> str:
    """One statement that does all the work of a row: no Python code runs for each."""
    # A required text may be empty in MIMIC (prescriptions.drug); an empty string is what it holds then.
    kept = {column.name for column in table.columns if column.required and column.type == "s"}
    values = [f"?{n}" if name in kept else f"NULLIF(?{n}, '')" for n, name in enumerate(header, start=1)]
    # Some storetimes have milliseconds.
    times = {column.name for column in table.columns if column.type == "t"}
    values = [f"substr({value}, 1, 19)" if name in times else value for name, value in zip(header, values, strict=True)]
    names = ", ".join(f'"{name}"' for name in header)
    return f'INSERT INTO "{table.name}" ({names}) VALUES ({", ".join(values)})'


def _told(error: Exception, table: Table) -> str:
    text = str(error)
    if text.startswith("Incorrect number of bindings"):
        return f"a row of {table.qualified} does not have {len(table.columns)} fields"
    if text.startswith("NOT NULL constraint failed"):
        return f"{text.rsplit(' ', 1)[-1]} is empty, and must not be"
    return f"{table.qualified} cannot be read ({text})"
