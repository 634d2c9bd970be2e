"""Facts of a chart that a rubric's checks refer to by name: SQL, evaluated when first needed."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_clinicare.charts import Chart
    from pytest_clinicare.suite import Case, Rubric

PARAMETERS = ("subject_id", "hadm_id", "stay_id")

COMMON_FACTS = {
    "encounter_start": """
        SELECT min(coalesce((SELECT min(e.intime) FROM edstays e
                             WHERE e.hadm_id = a.hadm_id AND e.intime <= a.admittime), a.admittime), a.admittime)
        FROM admissions a WHERE a.hadm_id = :hadm_id""",
    "encounter_end": "SELECT dischtime FROM admissions WHERE hadm_id = :hadm_id",
    "before_encounter": "SELECT coalesce(max(dischtime), '') FROM admissions WHERE dischtime <= :encounter_start",
    "admissions": "SELECT hadm_id FROM admissions ORDER BY admittime",
}
"""Facts that every rubric has: when the case's encounter began (linked ED arrival, else admission) and ended, when the
admission before it ended, and the patient's admissions."""

ALL_ROWS = "_list"
"""``:name_list`` is every row of the fact ``name``, as JSON: ``IN (SELECT value FROM json_each(:name_list))``."""

_NAMED = re.compile(r":([a-z_]\w*)")


class FactError(Exception):
    """A fact whose SQL fails on a chart: the rubric's mistake, hence a failure of the judge and not of the system."""


class Facts:
    """The facts of one run. A fact is the first column of its query: all rows (``values``) or the first (``value``)."""

    def __init__(self, chart: Chart, case: Case, rubric: Rubric) -> None:
        self.chart = chart
        self.case = case
        self._sql = {**COMMON_FACTS, **rubric.facts}
        self._known: dict[str, tuple[Any, ...]] = {
            "subject_id": (case.subject_id,),
            "hadm_id": (case.hadm_id,),
            "stay_id": (case.stay_id,),
        }

    def value(self, name: str) -> Any:
        """The first row's first column; None where the query has no row."""
        found = self.values(name)
        return found[0] if found else None

    def values(self, name: str) -> tuple[Any, ...]:
        """The first column of every row."""
        if name not in self._known:
            sql = self._sql[name]
            parameters = {used: self._parameter(used) for used in used_names(sql)}
            try:
                self._known[name] = tuple(row[0] for row in self.chart.rows(sql, parameters))
            except sqlite3.Error as error:
                raise FactError(f"rubric fact {name!r} cannot be evaluated: {error}") from error
        return self._known[name]

    def _parameter(self, name: str) -> Any:
        fact = name.removesuffix(ALL_ROWS)
        return self.value(name) if fact == name else json.dumps(self.values(fact))


def used_names(sql: str) -> tuple[str, ...]:
    """Parameters of a fact's SQL: identifiers of the case and earlier facts. Text literals are no parameters."""
    return tuple(dict.fromkeys(_NAMED.findall(re.sub(r"'[^']*'", "''", sql))))


def check_facts(facts: dict[str, str]) -> list[str]:
    """Mistakes in a rubric's facts: SQL that does not fit the schema, or a name used before it is defined."""
    from pytest_clinicare.charts import TABLES

    mistakes = []
    defined = {*PARAMETERS, *COMMON_FACTS}
    database = sqlite3.connect(":memory:")
    try:
        for table in TABLES.values():
            database.execute(table.ddl)
        for name, sql in facts.items():
            used = used_names(sql)
            unknown = [other for other in used if other.removesuffix(ALL_ROWS) not in defined]
            mistakes += [f"facts.{name}: ':{other}' is no earlier fact" for other in unknown]
            try:
                database.execute(f"EXPLAIN {sql}", dict.fromkeys(used))
            except sqlite3.Error as error:
                mistakes.append(f"facts.{name}: {error}")
            defined.add(name)
    finally:
        database.close()
    return mistakes
