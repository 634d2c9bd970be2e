"""One run: its outcome, its scores, its record."""

from pytest_clinicare.scoring.outcome import OUTCOMES, Outcome, outcome_of
from pytest_clinicare.scoring.record import RecordError, Resources, RunRecord
from pytest_clinicare.scoring.resources import resources_of
from pytest_clinicare.scoring.run import score_run
from pytest_clinicare.scoring.scores import Scores

__all__ = [
    "OUTCOMES",
    "Outcome",
    "RecordError",
    "Resources",
    "RunRecord",
    "Scores",
    "outcome_of",
    "resources_of",
    "score_run",
]
