"""The runs as the report page shows them: how each ended, what filters and search find it by, what the judge saw."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_clinicare.suite import SuiteError, suite_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_clinicare.judging import Grade
    from pytest_clinicare.scoring import RunRecord

# Every state of a run with its words: where cases have references, and where none has.
_STATES = {
    "passed": ("right, no defect", "no defect"),
    "defect": ("right, but with a defect", "with a defect"),
    "wrong": ("wrong verdict", "wrong verdict"),
    "unread": ("no readable verdict", "no readable verdict"),
    "error": ("ended in an error", "ended in an error"),
}
_FILTERS = {
    "failed": "Failed",
    "wrong": "Wrong verdict",
    "unread": "No verdict",
    "defect": "Defect",
    "error": "Error",
    "undecided": "Undecided",
}


class Criteria:
    """The criteria of the rubrics at hand; a scenario whose rubric is not at hand has none."""

    def __init__(self, scenarios: Iterable[str]) -> None:
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        for scenario in scenarios:
            try:
                text = (suite_root().rubrics / f"{scenario}.toml").read_text(encoding="utf-8")
                listed = tomllib.loads(text).get("criteria", [])
            except (OSError, ValueError, SuiteError):
                continue
            self._known |= {(scenario, str(c.get("id"))): c for c in listed}

    def text(self, scenario: str, name: str) -> str:
        """What a criterion says; empty where it is not known."""
        return str(self._known.get((scenario, name), {}).get("text", ""))

    def is_must_not(self, scenario: str, name: str) -> bool:
        """By the rubric, else by the name that must-nots have."""
        known = self._known.get((scenario, name))
        return known.get("kind") == "must-not" if known else name.startswith("N")


@dataclass(frozen=True)
class Row:
    """One run. ``flags`` are what the filter buttons choose, ``words`` what the search box finds."""

    record: RunRecord
    state: str
    flags: tuple[str, ...]
    words: str
    defects: tuple[Grade, ...]
    unmet: tuple[Grade, ...]
    undecided: tuple[Grade, ...]
    not_read: tuple[str, ...]


def row(record: RunRecord, criteria: Criteria) -> Row:
    """What the page shows of one run."""
    applicable = [grade for grade in record.grades if grade.applicable]
    defects = tuple(g for g in record.grades if g.criterion in record.defects)
    undecided = tuple(g for g in applicable if g.met is None)
    unmet = tuple(g for g in applicable if g.met is False and not criteria.is_must_not(record.scenario, g.criterion))
    not_read = record.scores.sources_missing if record.scores else ()
    state = _state(record)
    flags = {
        state: True,
        "failed": state != "passed",
        "wrong": state != "error" and record.correct is False,
        "defect": bool(defects),
        "undecided": bool(undecided),
    }
    words = [
        record.case,
        record.scenario,
        state,
        f"verdict:{record.verdict or record.outcome}",
        f"reference:{record.reference or 'none'}",
        *(f"{record.scenario}/{g.criterion}" for g in defects),
        *(f"{record.scenario}/{g.criterion}?" for g in undecided),
        *(f"{record.scenario}/{g.criterion}-" for g in unmet),
        *(f"{record.scenario}:{name}" for name in not_read),
    ]
    shown = tuple(name for name, holds in flags.items() if holds)
    return Row(record, state, shown, " ".join(words).lower(), defects, unmet, undecided, tuple(not_read))


def _state(record: RunRecord) -> str:
    if record.ended.infrastructure:
        return "error"
    if record.verdict is None:
        return "unread"
    if record.correct is False:
        return "wrong"
    return "defect" if record.defects else "passed"


def states(rows: Sequence[Row]) -> list[tuple[str, str, int]]:
    """How the runs ended, for the bar at the top: state, words, number; states that occur."""
    unlabelled = all(row.record.reference is None for row in rows)
    counts = Counter(row.state for row in rows)
    return [(state, words[unlabelled], counts[state]) for state, words in _STATES.items() if counts[state]]


def filters(rows: Sequence[Row]) -> list[tuple[str, str, int]]:
    """The buttons above the table: flag, title, number of runs; flags that occur."""
    counts = Counter(flag for row in rows for flag in row.flags)
    return [(flag, title, counts[flag]) for flag, title in _FILTERS.items() if counts[flag]]
