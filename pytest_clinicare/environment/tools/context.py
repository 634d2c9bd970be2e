"""What a tool works on, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment.brief import Limits
from pytest_clinicare.environment.corpus import Corpus
from pytest_clinicare.environment.report import Report
from pytest_clinicare.environment.tools.arguments import Arguments

if TYPE_CHECKING:
    from pytest_clinicare.environment.sql_process import ChartSql
    from pytest_clinicare.environment.workspace import Workspace


class ToolError(Exception):
    """The agent's mistake: ``message`` says what is wrong, ``hint`` what to do instead, ``kind`` sorts it."""

    def __init__(self, message: str, hint: str = "", kind: str = "arguments") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.kind = kind


@dataclass(frozen=True)
class Reading:
    """What a tool gives back: content for the agent, and the account of it for the log."""

    content: dict[str, Any]
    tables: tuple[str, ...] = ()
    scope: Mapping[str, Any] = field(default_factory=dict)
    refs: tuple[str, ...] = ()
    rows: int = 0
    truncated: bool = False
    report: Report | None = None


class Context:
    """One chart, one policy corpus, the bounds of the run and its shell, if it has one."""

    def __init__(
        self, chart: Chart, corpus: Corpus, subject_id: int, limits: Limits, workspace: Workspace | None = None
    ) -> None:
        self.workspace = workspace
        self.chart = chart
        self.corpus = corpus
        self.subject_id = subject_id
        self.limits = limits
        self._titles: dict[str, dict[tuple[str, int], str | None]] = {}

    @cached_property
    def admissions(self) -> tuple[int, ...]:
        return tuple(row[0] for row in self.chart.rows("SELECT hadm_id FROM admissions ORDER BY admittime"))

    @cached_property
    def icu_stays(self) -> tuple[int, ...]:
        return tuple(row[0] for row in self.chart.rows("SELECT stay_id FROM icustays ORDER BY intime"))

    @cached_property
    def ed_stays(self) -> tuple[int, ...]:
        return tuple(row[0] for row in self.chart.rows("SELECT stay_id FROM edstays ORDER BY intime"))

    # Dictionaries have no index and are small: they are read once a run instead of being joined row by row.

    @cached_property
    def lab_items(self) -> dict[int, tuple[str | None, str | None]]:
        """Label and fluid of laboratory items."""
        return {row[0]: (row[1], row[2]) for row in self.chart.rows("SELECT itemid, label, fluid FROM d_labitems")}

    @cached_property
    def item_labels(self) -> dict[int, str]:
        """Labels of charted items."""
        return {row[0]: row[1] for row in self.chart.rows("SELECT itemid, label FROM d_items")}

    def labelled(self, row: dict[str, Any], name: str = "label") -> dict[str, Any]:
        """The row with the label of its charted item, if it has one."""
        if row.get("itemid") is not None:
            row[name] = self.item_labels.get(row["itemid"])
        return row

    def titles(self, dictionary: str) -> dict[tuple[str, int], str | None]:
        """Titles by code and version of ``d_icd_diagnoses`` or ``d_icd_procedures``."""
        if dictionary not in self._titles:
            rows = self.chart.rows(f"SELECT icd_code, icd_version, long_title FROM {dictionary}")
            self._titles[dictionary] = {(row[0], row[1]): row[2] for row in rows}
        return self._titles[dictionary]

    @cached_property
    def sql(self) -> ChartSql:
        """What ``run_sql`` asks; its process starts with the first query."""
        from pytest_clinicare.environment.sql_process import ChartSql

        return ChartSql(self.chart.path)

    def check_admission(self, hadm_id: int | None) -> None:
        """Raises ToolError for an admission that is not this patient's, naming those that are."""
        if hadm_id is not None and hadm_id not in self.admissions:
            raise ToolError(
                f"hadm_id {hadm_id} is not an admission of this patient",
                f"admissions of subject {self.subject_id}: {_listed(self.admissions)}",
                "scope",
            )

    def check_stay(self, stay_id: int | None) -> None:
        """Raises ToolError for a stay that is not this patient's, naming those that are."""
        if stay_id is not None and stay_id not in self.icu_stays and stay_id not in self.ed_stays:
            raise ToolError(
                f"stay_id {stay_id} is not a stay of this patient",
                f"ICU stays: {_listed(self.icu_stays)}; ED stays: {_listed(self.ed_stays)}",
                "scope",
            )


@dataclass(frozen=True)
class Tool:
    """One tool: its name and description for the agent, its typed arguments and its function."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Context, Any], Reading]


def _listed(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids)) or "none"
