"""What is measured in a chart, as SQL: each query gives a name and a number for every admission, stay, gap or value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from pytest_clinicare.charts.chart import Chart

Samples = dict[str, dict[str, list[float]]]
"""Measure, name of what is measured (a table, an item), and its numbers over all charts."""


class Measure(NamedTuple):
    """``unit`` is that of the numbers; None where it differs by item (values of laboratory and vital signs)."""

    name: str
    title: str
    unit: str | None
    sql: tuple[str, ...]


# Admissions shorter than half a day would have no rate to speak of.
_ADMISSIONS = """
    SELECT hadm_id, max(julianday(dischtime) - julianday(admittime), 0.5) AS days FROM admissions
"""
_STAYS = """
    SELECT stay_id, max(julianday(outtime) - julianday(intime), 0.25) AS days FROM icustays WHERE outtime IS NOT NULL
"""


def _rate(table: str, of: str, key: str, *, by_day: bool) -> str:
    divisor = "of.days" if by_day else "1.0"
    return f"""
        SELECT '{table}', count(t.{key}) / {divisor}
        FROM ({of}) of LEFT JOIN {table} t ON t.{key} = of.{key} GROUP BY of.{key}
    """


def _gaps(rows: str) -> str:
    """``rows`` gives a name, a time and a group; the gaps of at least a minute between its times, in hours."""
    return f"""
        SELECT name, 24 * gap FROM (
            SELECT name, julianday(time) - lag(julianday(time)) OVER (PARTITION BY grouped, name ORDER BY time) AS gap
            FROM (SELECT DISTINCT name, time, grouped FROM ({rows}))
        ) WHERE gap > 0.0006
    """


_LABS = "SELECT itemid AS name, charttime AS time, hadm_id AS grouped FROM labevents WHERE hadm_id IS NOT NULL"
_CHARTED = "SELECT itemid AS name, charttime AS time, stay_id AS grouped FROM chartevents WHERE valuenum IS NOT NULL"
_READINGS = "SELECT 'vitalsign' AS name, charttime AS time, stay_id AS grouped FROM vitalsign"
_GIVEN = "SELECT 'emar' AS name, charttime AS time, hadm_id AS grouped FROM emar WHERE hadm_id IS NOT NULL"

MEASURES = (
    Measure(
        "admission_day",
        "Rows a day of admission",
        "rows",
        tuple(
            _rate(table, _ADMISSIONS, "hadm_id", by_day=True)
            for table in ("labevents", "microbiologyevents", "poe", "prescriptions", "pharmacy", "emar")
        ),
    ),
    Measure(
        "admission",
        "Rows an admission",
        "rows",
        tuple(
            _rate(table, _ADMISSIONS, "hadm_id", by_day=False)
            for table in ("diagnoses_icd", "procedures_icd", "services", "transfers")
        ),
    ),
    Measure(
        "icu_day",
        "Rows a day in intensive care",
        "rows",
        tuple(
            _rate(table, _STAYS, "stay_id", by_day=True)
            for table in ("chartevents", "inputevents", "outputevents", "procedureevents")
        ),
    ),
    Measure(
        "ed_stay",
        "Rows an emergency visit",
        "rows",
        tuple(
            _rate(table, "SELECT stay_id FROM edstays", "stay_id", by_day=False)
            for table in ("vitalsign", "medrecon", "pyxis", "diagnosis")
        ),
    ),
    Measure(
        "gap", "Hours between one and the next", "h", (_gaps(_LABS), _gaps(_CHARTED), _gaps(_READINGS), _gaps(_GIVEN))
    ),
    Measure(
        "value",
        "Values",
        None,
        (
            "SELECT itemid, valuenum FROM labevents WHERE valuenum IS NOT NULL AND hadm_id IS NOT NULL",
            "SELECT itemid, valuenum FROM chartevents WHERE valuenum IS NOT NULL",
        ),
    ),
)


def measure(charts: Iterable[Chart]) -> tuple[Samples, dict[str, str]]:
    """Numbers of every measure over all charts, and the labels of the items in them, by name."""
    samples: Samples = {one.name: defaultdict(list) for one in MEASURES}
    labels: dict[str, str] = {}
    for chart in charts:
        for one in MEASURES:
            for sql in one.sql:
                for name, number in chart.rows(sql):
                    samples[one.name][str(name)].append(float(number))
        for dictionary in ("d_labitems", "d_items"):
            labels |= {str(item): str(label) for item, label in chart.rows(f"SELECT itemid, label FROM {dictionary}")}
    return samples, labels
