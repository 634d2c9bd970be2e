"""The seam that every judge stands behind."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Report, TraceEvent
from pytest_clinicare.suite import Case, Rubric, Scenario


class Grade(BaseModel):
    """``met`` None is *undecided*; ``applicable`` False leaves the criterion out of the score (section 5.5)."""

    model_config = ConfigDict(frozen=True)

    criterion: str
    met: bool | None
    applicable: bool = True
    why: str = ""
    refs: tuple[str, ...] = ()


class JudgedRun(BaseModel):
    """What a judge gets of one run."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    case: Case
    scenario: Scenario
    rubric: Rubric
    report: Report
    trace: tuple[TraceEvent, ...]
    chart: Chart


class Judge(Protocol):
    name: str

    def grade(self, run: JudgedRun) -> tuple[Grade, ...]:
        """One grade a criterion, in rubric order."""
        ...
