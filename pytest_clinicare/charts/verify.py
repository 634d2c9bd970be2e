"""Whether a chart file holds what every chart promises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_clinicare.charts.chart import Chart, ChartError, open_chart
from pytest_clinicare.charts.references import DICTIONARY_REFERENCES, ENCOUNTER_REFERENCES, Reference
from pytest_clinicare.charts.schema import TABLES, Column, Table

_DATE = "[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]"
_SHAPES = {"d": _DATE, "t": f"{_DATE} [0-2][0-9]:[0-5][0-9]:[0-5][0-9]"}
_STORED = {"i": ("integer",), "f": ("real", "integer"), "s": ("text",), "t": ("text",), "d": ("text",)}


def verify_chart(path: Path) -> list[str]:
    """What is wrong with a chart, one sentence each; empty where nothing is.

    Checked: format and tables, one subject, types and times, unique keys, references to admissions, stays, orders and
    dictionaries, and the full-text index.
    """
    try:
        chart = open_chart(path)
    except ChartError as error:
        return [str(error)]
    with chart:
        problems = list(_shape(chart))
        if not problems:
            problems += [*_subject(chart), *_values(chart), *_keys(chart), *_references(chart), *_full_text(chart)]
    return problems


def _shape(chart: Chart) -> Iterator[str]:
    damage = chart.rows("PRAGMA quick_check")[0][0]
    if damage != "ok":
        yield f"the file is damaged: {damage}"
        return
    found: dict[str, list[str]] = {}
    for name, column in chart.rows(
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY c.cid"
    ):
        found.setdefault(name, []).append(column)
    for table in TABLES.values():
        if table.name not in found:
            yield f"table {table.qualified} is missing"
        elif tuple(found[table.name]) != table.column_names:
            yield f"table {table.qualified} does not have the columns of this version"


def _subject(chart: Chart) -> Iterator[str]:
    subjects = [row[0] for row in chart.rows("SELECT subject_id FROM patients")]
    if len(subjects) != 1:
        yield f"patients holds {len(subjects)} rows instead of one"
        return
    for table in _filled(chart):
        if table.of_subject:
            foreign = _count(chart, f'SELECT count(*) FROM "{table.name}" WHERE subject_id <> {int(subjects[0])}')
            if foreign:
                yield f"{table.name}: {_rows(foreign)} of another subject than {subjects[0]}"


def _values(chart: Chart) -> Iterator[str]:
    for table in _filled(chart):
        wrong = [_wrong(column) for column in table.columns]
        counts = chart.rows(f'SELECT {", ".join(f"total({test})" for test in wrong)} FROM "{table.name}"')[0]
        for column, count in zip(table.columns, counts, strict=True):
            if count:
                what = "a time" if column.type in _SHAPES else "of the column's type"
                yield f"{table.name}.{column.name}: {_rows(int(count))} whose value is not {what}"


def _wrong(column: Column) -> str:
    """SQL that is 1 where the value cannot be one of the column."""
    kinds = ", ".join(f"'{kind}'" for kind in (*_STORED[column.type], "null"))
    test = f'typeof("{column.name}") NOT IN ({kinds})'
    shape = _SHAPES.get(column.type)
    if shape:
        # datetime() refuses the 25th hour and the 13th month, which the pattern lets through.
        test += f' OR "{column.name}" NOT GLOB \'{shape}\' OR ("{column.name}" IS NOT NULL AND '
        test += f'datetime("{column.name}") IS NULL)'
    return f"coalesce({test}, 0)"


def _keys(chart: Chart) -> Iterator[str]:
    for table in _filled(chart):
        key = table.key or table.declared_key
        if key:
            names = ", ".join(f'"{column}"' for column in key)
            groups = f'SELECT 1 FROM "{table.name}" GROUP BY {names} HAVING count(*) > 1'
            repeated = _count(chart, f"SELECT count(*) FROM ({groups})")
            if repeated:
                plural = "" if repeated == 1 else "s"
                yield f"{table.name}: {repeated} value{plural} of its key ({', '.join(key)}) on more than one row"


def _references(chart: Chart) -> Iterator[str]:
    for reference in (*ENCOUNTER_REFERENCES, *DICTIONARY_REFERENCES):
        dangling = _count(chart, _dangling(reference))
        if dangling:
            column = f"{reference.table}.{'/'.join(reference.columns)}"
            yield f"{column}: {_rows(dangling)} whose row of {reference.target} is not in the chart"


def _dangling(reference: Reference) -> str:
    table, columns, target, target_columns = reference
    given = " AND ".join(f"{column} IS NOT NULL" for column in columns)
    left, right = ", ".join(columns), ", ".join(target_columns)
    return f"SELECT count(*) FROM {table} WHERE {given} AND ({left}) NOT IN (SELECT {right} FROM {target})"


def _full_text(chart: Chart) -> Iterator[str]:
    """Every note is in the index, and nothing else."""
    for table in ("discharge", "radiology"):
        notes = _count(chart, f"SELECT count(*) FROM {table}")
        indexed = _count(chart, f"SELECT count(*) FROM {table}_fts_docsize")
        if notes != indexed:
            yield f"{table}: {notes} notes, but {indexed} in the full-text index"


def _filled(chart: Chart) -> Iterator[Table]:
    for table in TABLES.values():
        if _count(chart, f'SELECT EXISTS (SELECT 1 FROM "{table.name}")'):
            yield table


def _count(chart: Chart, sql: str) -> int:
    return int(chart.rows(sql)[0][0])


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"
