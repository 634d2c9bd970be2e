"""What the scenarios cover: specialties, of which each scenario has one, and skills, of which it has several."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pytest_clinicare.suite.loading import Suite

OPERATIONS = "cross-specialty operations"
"""Workflows that no single specialty owns (paper, 4.1); it stands last and is not counted as a specialty."""


class Covered(NamedTuple):
    """A row of the matrix."""

    specialty: str
    scenario: str
    skills: frozenset[str]


class Coverage(NamedTuple):
    """The matrix: skills from the most asked for to the rarest, scenarios by specialty."""

    skills: tuple[str, ...]
    rows: tuple[Covered, ...]

    @property
    def specialties(self) -> tuple[str, ...]:
        """Without operations; those of most scenarios first."""
        return tuple(dict.fromkeys(row.specialty for row in self.rows if row.specialty != OPERATIONS))

    def asked(self, skill: str) -> int:
        """How many scenarios ask for the skill."""
        return sum(skill in row.skills for row in self.rows)


def coverage(suite: Suite) -> Coverage:
    """The matrix of a suite's scenarios."""
    scenarios = suite.scenarios.values()
    size = Counter(scenario.specialty for scenario in scenarios)
    skills = Counter(skill for scenario in scenarios for skill in scenario.skills)
    rows = [Covered(scenario.specialty, scenario.id, frozenset(scenario.skills)) for scenario in scenarios]
    rows.sort(key=lambda row: (row.specialty == OPERATIONS, -size[row.specialty], row.specialty, row.scenario))
    return Coverage(tuple(sorted(skills, key=lambda skill: (-skills[skill], skill))), tuple(rows))
