"""A process rubric and the declarative checks that the rules judge decides it by."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from pytest_clinicare.suite.scenario import Frozen


class Criterion(Frozen):
    """One line of a rubric.

    ``weight`` is positive for must-do, negative for must-not. ``checks`` are ANDed (three-valued); a criterion without
    checks is one that only a reader can decide. Each check is ``{check = "<name>", ...parameters}``; an
    ``{any = [...]}`` or ``{all = [...]}`` entry nests, ``{not = {...}}`` negates. ``applies`` holds checks
    that decide applicability.
    """

    id: str
    kind: Literal["must-do", "must-not"]
    weight: int
    text: str
    rule: str
    checks: tuple[dict[str, Any], ...] = ()
    applies: tuple[dict[str, Any], ...] = ()


class Rubric(Frozen):
    """``facts`` are named read-only SQL queries over the chart (parameters ``:subject_id``, ``:hadm_id``, ``:stay_id``
    and earlier facts) that checks refer to by name, for example ``t0``."""

    scenario: str
    facts: dict[str, str] = Field(default_factory=dict)
    sources: dict[str, dict[str, Any]] = Field(default_factory=dict)
    criteria: tuple[Criterion, ...]

    @property
    def budget(self) -> int:
        """Sum of positive weights: the denominator of the process score (section 5.5)."""
        return sum(c.weight for c in self.criteria if c.weight > 0)
