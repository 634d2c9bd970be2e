"""Who is eligible for a scenario: its ``mimic.cohort`` text as conditions over a chart.

Broad on purpose: real charts of the right kind, not charts whose answer is known. A condition that only notes can show
has a weaker form, or none, for data without notes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NoteTable = Literal["discharge", "radiology"]


@dataclass(frozen=True)
class Condition:
    """``sql`` is a predicate over candidate ``c`` (``subject_id``, ``hadm_id``, ``stay_id``).

    ``notes`` names the note table that it reads; where that is empty, ``without_notes`` holds instead, or nothing.
    """

    text: str
    sql: str
    notes: NoteTable | None = None
    without_notes: str | None = None


@dataclass(frozen=True)
class Cohort:
    """``candidates`` is a query of one chart's candidates, one row each.

    ``share`` of the sample should satisfy ``main`` where enough do; candidates that satisfy ``favoured`` are drawn
    three times as readily. Neither excludes anyone.
    """

    candidates: str
    conditions: tuple[Condition, ...]
    main: str = "1"
    share: float = 1.0
    favoured: str = "0"


ADMISSIONS = "SELECT subject_id, hadm_id, NULL AS stay_id FROM admissions"
STAYS = "SELECT subject_id, hadm_id, stay_id FROM icustays"
SUBJECTS = "SELECT subject_id, NULL AS hadm_id, NULL AS stay_id FROM patients"

ADULT = Condition("adult (anchor_age >= 18)", "EXISTS (SELECT 1 FROM patients WHERE anchor_age >= 18)")
