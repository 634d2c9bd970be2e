"""The 41 tables of MIMIC-IV as a chart holds them, and the refs that name their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from pytest_clinicare.charts.mimic_columns import TABLE_COLUMNS

ColumnType = Literal["i", "f", "t", "d", "s"]

_SQL_TYPE = {"i": "INTEGER", "f": "REAL", "t": "TEXT", "d": "TEXT", "s": "TEXT"}

# Keys by which a row is cited: the declared key where it is unique, else what is unique in practice; tables without an
# entry and without a declared key are cited by rowid, which is fixed once a chart is written.
_CITATION_KEYS = {
    "diagnoses_icd": ("hadm_id", "seq_num"),
    "procedures_icd": ("hadm_id", "seq_num"),
    "discharge": ("note_id",),
    "radiology": ("note_id",),
    "d_icd_diagnoses": ("icd_code", "icd_version"),
    "d_icd_procedures": ("icd_code", "icd_version"),
    "provider": ("provider_id",),
    "caregiver": ("caregiver_id",),
}
_BY_ROWID = frozenset(
    {
        "prescriptions",
        "inputevents",
        "outputevents",
        "datetimeevents",
        "vitalsign",
        "hcpcsevents",
        "services",
        "poe_detail",
    }
)

# The time that orders a table's rows, for sorting, indexes and timelines.
_TIMES = {
    "admissions": "admittime", "emar": "charttime", "hcpcsevents": "chartdate", "labevents": "charttime",
    "microbiologyevents": "chartdate", "omr": "chartdate", "pharmacy": "starttime", "poe": "ordertime",
    "prescriptions": "starttime", "procedures_icd": "chartdate", "services": "transfertime", "transfers": "intime",
    "chartevents": "charttime", "datetimeevents": "charttime", "icustays": "intime", "ingredientevents": "starttime",
    "inputevents": "starttime", "outputevents": "charttime", "procedureevents": "starttime", "edstays": "intime",
    "medrecon": "charttime", "pyxis": "charttime", "vitalsign": "charttime", "discharge": "charttime",
    "radiology": "charttime",
}  # fmt: skip

DICTIONARIES = frozenset(
    {"d_hcpcs", "d_icd_diagnoses", "d_icd_procedures", "d_labitems", "d_items", "provider", "caregiver"}
)


@dataclass(frozen=True)
class Column:
    """``type``: i integer, f real, t timestamp ``YYYY-MM-DD HH:MM:SS``, d date ``YYYY-MM-DD``, s text."""

    name: str
    type: ColumnType
    required: bool


@dataclass(frozen=True)
class Table:
    """One table; ``key`` names the columns of a ref, empty for tables that are cited by rowid."""

    name: str
    module: str
    columns: tuple[Column, ...]
    declared_key: tuple[str, ...]

    @property
    def qualified(self) -> str:
        return f"{self.module}.{self.name}"

    def moment(self, row: Mapping[str, Any]) -> str | None:
        """When a row happened: a culture's ``charttime`` where it is known, else the date that orders the table."""
        charted = row["charttime"] if "charttime" in self.column_names else None
        return charted if charted is not None or self.time is None else row[self.time]

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def key(self) -> tuple[str, ...]:
        if self.name in _BY_ROWID:
            return ()
        return _CITATION_KEYS.get(self.name, self.declared_key)

    @property
    def time(self) -> str | None:
        """The column that orders the rows in time, or None."""
        return _TIMES.get(self.name)

    @property
    def of_subject(self) -> bool:
        """Whether rows belong to a subject (dictionaries do not)."""
        return "subject_id" in self.column_names

    @property
    def ddl(self) -> str:
        columns = ", ".join(f'"{c.name}" {_SQL_TYPE[c.type]}{" NOT NULL" if c.required else ""}' for c in self.columns)
        return f'CREATE TABLE "{self.name}" ({columns})'


def _read(qualified: str, declared: str, columns: str) -> Table:
    module, name = qualified.split(".")
    parsed = []
    for item in columns.split():
        column, kind = item.split(":")
        parsed.append(Column(column, kind.rstrip("*"), kind.endswith("*")))  # type: ignore[arg-type]
    return Table(name, module, tuple(parsed), tuple(declared.split()))


TABLES: dict[str, Table] = {
    table.name: table for table in (_read(name, key, columns) for name, (key, columns) in TABLE_COLUMNS.items())
}
"""All 41 tables by plain name (``labevents``); plain names are unique across the four modules."""


def ref_of(table: str, row: Mapping[str, Any], rowid: int | None = None) -> str:
    """The ref of a row: ``labevents:93831``, ``diagnoses_icd:2000001/3``, ``chartevents:r12``.

    Raises:
        ValueError: the table is cited by rowid and none was given.
    """
    key = TABLES[table].key
    if key:
        return f"{table}:{'/'.join(str(row[column]) for column in key)}"
    if rowid is None:
        raise ValueError(f"rows of {table} are cited by rowid; select rowid too")
    return f"{table}:r{rowid}"


def parse_ref(ref: str) -> tuple[str, tuple[str, ...], int | None]:
    """``(table, key values, rowid)`` of a ref, with ``module.`` prefixes and ``@start-end`` spans ignored.

    Raises:
        ValueError: the text is no ref, names an unknown table, or has the wrong number of key parts.
    """
    body = ref.strip().split("@", 1)[0]
    name, found, key = body.partition(":")
    name = name.rsplit(".", 1)[-1]
    if not found or not key or name not in TABLES:
        raise ValueError(f"{ref!r} is not a record reference such as labevents:93831")
    columns = TABLES[name].key
    if not columns:
        if key[0] != "r" or not key[1:].isascii() or not key[1:].isdigit():
            raise ValueError(f"{ref!r}: rows of {name} are cited as {name}:r<number>")
        return name, (), int(key[1:])
    parts = tuple(key.split("/"))
    if len(parts) != len(columns):
        raise ValueError(f"{ref!r}: {name} is cited by {'/'.join(columns)}")
    return name, parts, None
