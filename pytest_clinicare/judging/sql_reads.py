"""What ``run_sql`` really read: which rows of the chart its results show, refs or not.

SQL can name any number of tables in one statement, so that naming a table is no reading of it. A result counts for the
one table whose rows it shows: by their refs, or by values that only such rows have.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts import TABLES, ref_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_clinicare.charts import Chart

# Joined for their times and ids; they are what is read only where no other table is.
_ENCOUNTERS = frozenset({"patients", "admissions", "icustays", "edstays"})
# Shared by many rows, so that their values show no row.
_IDS = frozenset({"subject_id", "hadm_id", "stay_id", "itemid"})


def tables_shown(tables: Iterable[str]) -> tuple[str, ...]:
    """Plain names of the tables that a statement over ``tables`` (``hosp.labevents``) can show rows of.

    Empty where it reads several at once, as nothing then tells whose rows these are.
    """
    names = {name.rpartition(".")[2] for name in tables}
    of_subject = {name for name in names if name in TABLES and TABLES[name].of_subject}
    others = of_subject - _ENCOUNTERS
    if len(others) > 1:
        return ()
    return tuple(sorted(others or of_subject))


def rows_shown(chart: Chart, table: str, rows: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Refs of the rows of ``table`` that have the values of a result's rows.

    The values must hold what tells rows apart: the key, the time, or in a table without either any column but ids.
    """
    known = TABLES[table]
    telling = {known.time, *known.key} - {None, *_IDS} or set(known.column_names) - _IDS
    by_values: dict[tuple[str, ...], dict[tuple[Any, ...], set[str]]] = {}
    found: set[str] = set()
    for row in rows:
        names = tuple(name for name in known.column_names if name in row)
        if not any(row[name] is not None for name in names if name in telling):
            continue
        if names not in by_values:
            by_values[names] = _index(chart, table, names)
        found |= by_values[names].get(tuple(row[name] for name in names), set())
    return frozenset(found)


def _index(chart: Chart, table: str, names: tuple[str, ...]) -> dict[tuple[Any, ...], set[str]]:
    index: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for row in chart.rows(f'SELECT rowid AS "rowid", * FROM "{table}"'):
        index[tuple(row[name] for name in names)].add(ref_of(table, dict(row), row["rowid"]))
    return index
