"""The process score (paper, section 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_clinicare.judging import Grade
    from pytest_clinicare.suite import Criterion, Rubric


class ProcessScores(NamedTuple):
    """``score`` takes the undecided as not met, a lower bound; ``decided`` leaves it out. None: nothing to score."""

    score: float | None
    decided: float | None
    defects: tuple[str, ...]
    undecided: tuple[str, ...]


def process_scores(rubric: Rubric, grades: Sequence[Grade]) -> ProcessScores:
    """max(0, sum of w*z / sum of positive w) over the applicable criteria; a defect is a must-not that was met."""
    by_id = {grade.criterion: grade for grade in grades}
    judged = [(c, by_id[c.id]) for c in rubric.criteria if c.id in by_id and by_id[c.id].applicable]
    return ProcessScores(
        _weighted(judged),
        _weighted((c, grade) for c, grade in judged if grade.met is not None),
        tuple(c.id for c, grade in judged if c.kind == "must-not" and grade.met),
        tuple(c.id for c, grade in judged if grade.met is None),
    )


def _weighted(judged: Iterable[tuple[Criterion, Grade]]) -> float | None:
    pairs = [(criterion.weight, bool(grade.met)) for criterion, grade in judged]
    budget = sum(weight for weight, _ in pairs if weight > 0)
    return max(0.0, sum(weight for weight, met in pairs if met) / budget) if budget else None
