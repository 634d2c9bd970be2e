"""MIMIC-IV csv files -> one chart per subject.

Every file is read once, into a staging database beside the charts; each chart is then cut from that by subject. Memory
stays small however large the tables are; the disk holds the wanted rows twice until the staging file is removed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pytest_clinicare.charts.chart import ChartError
from pytest_clinicare.charts.draft import ChartWriter, writing
from pytest_clinicare.charts.mimic.files import locate, read_into
from pytest_clinicare.charts.references import DICTIONARY_REFERENCES
from pytest_clinicare.charts.schema import TABLES, Table

Progress = Callable[[str], None]
_TOLD_EVERY = 20
_PAGE_CACHE_KB = 65_536


@dataclass(frozen=True)
class BuiltCharts:
    """``rows`` counts the rows of subjects; ``absent`` names the tables (``note.discharge``) that the folder lacks."""

    folder: Path
    subjects: tuple[int, ...]
    rows: int
    absent: tuple[str, ...]


def build_charts(
    mimic_dir: Path, out_dir: Path, subjects: Collection[int] | None = None, progress: Progress | None = None
) -> BuiltCharts:
    """Write ``<out_dir>/<subject_id>.sqlite`` for every subject of ``mimic_dir``, or for ``subjects`` only.

    ``mimic_dir`` holds the folders hosp, icu and ed, and note where there are notes, with csv or csv.gz files. A chart
    that is there already is replaced when the new one is complete.

    Raises:
        ChartError: a table is missing, a file does not have its table's columns, a row does not fit, or a subject is
            not in the folder.
    """
    tell = progress or (lambda _: None)
    files = locate(mimic_dir)
    absent = tuple(table.qualified for table in TABLES.values() if table.name not in files)
    if absent:
        tell(f"no {', '.join(absent)}: charts are built without")
    with _staging(out_dir) as staging:
        wanted = _wanted(staging, files["patients"], subjects)
        rows = 0
        for name, path in files.items():
            kept = read_into(staging, TABLES[name], path, None if subjects is None else wanted)
            rows += kept if TABLES[name].of_subject else 0
            tell(f"{TABLES[name].qualified}: {kept} rows")
        _index(staging)
        for number, subject in enumerate(wanted, start=1):
            _write_chart(staging, subject, out_dir)
            if number % _TOLD_EVERY == 0 or number == len(wanted):
                tell(f"{number} of {len(wanted)} charts")
    return BuiltCharts(out_dir, wanted, rows, absent)


@contextmanager
def _staging(out_dir: Path) -> Iterator[sqlite3.Connection]:
    """The 41 tables, empty, in a file that is removed at the end."""
    path = out_dir / f".staging-{os.getpid()}.sqlite"
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        _sweep(out_dir)
        connection = sqlite3.connect(path, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise ChartError(f"{out_dir}: charts cannot be written there ({error})") from error
    try:
        connection.executescript(
            f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-{_PAGE_CACHE_KB};"
        )
        for table in TABLES.values():
            connection.execute(table.ddl)
        yield connection
    finally:
        connection.close()
        path.unlink(missing_ok=True)


def _sweep(out_dir: Path) -> None:
    """Remove the staging files of builds that were killed; they can be large."""
    for path in out_dir.glob(".staging-*.sqlite"):
        process = path.stem.rpartition("-")[2]
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)
        except (ValueError, OSError):
            continue  # not ours to judge: no number, or a live process of another user


def _wanted(staging: sqlite3.Connection, patients: Path, subjects: Collection[int] | None) -> tuple[int, ...]:
    """The subjects to build, in order."""
    read_into(staging, TABLES["patients"], patients)
    known = {int(row[0]) for row in staging.execute("SELECT subject_id FROM patients")}
    staging.execute("DELETE FROM patients")
    unknown = sorted(set(subjects or ()) - known)
    if unknown:
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        raise ChartError(f"{patients}: holds no subject {', '.join(map(str, unknown[:5]))}{more}")
    return tuple(sorted(known if subjects is None else set(subjects)))


def _index(staging: sqlite3.Connection) -> None:
    for table in TABLES.values():
        columns = ("subject_id",) if table.of_subject else table.key
        staging.execute(f"CREATE INDEX staged_{table.name} ON {table.name} ({', '.join(columns)})")


def _write_chart(staging: sqlite3.Connection, subject: int, out_dir: Path) -> None:
    path = out_dir / f"{subject}.sqlite"
    try:
        with writing(path) as writer:
            for table in TABLES.values():
                if table.of_subject:
                    writer.insert(table, _rows_of(staging, table, subject))
            for table in TABLES.values():
                if not table.of_subject:
                    _write_dictionary(staging, writer, table)
    except (OSError, sqlite3.Error) as error:
        raise ChartError(f"{path}: the chart of subject {subject} cannot be written ({error})") from error


def _rows_of(staging: sqlite3.Connection, table: Table, subject: int) -> sqlite3.Cursor:
    order = ", ".join(f'"{column}"' for column in (table.time, *table.declared_key, "rowid") if column)
    return staging.execute(f'SELECT * FROM "{table.name}" WHERE subject_id = ? ORDER BY {order}', (subject,))


def _write_dictionary(staging: sqlite3.Connection, writer: ChartWriter, table: Table) -> None:
    """The rows of a dictionary that the chart uses."""
    used: set[tuple[object, ...]] = set()
    for reference in DICTIONARY_REFERENCES:
        if reference.target == table.name:
            used.update(writer.distinct(reference.table, reference.columns))
    where = " AND ".join(f"{column} = ?" for column in table.key)
    query = f"SELECT * FROM {table.name} WHERE {where}"
    rows = (staging.execute(query, key).fetchone() for key in sorted(used, key=str))
    writer.insert(table, (row for row in rows if row is not None))
