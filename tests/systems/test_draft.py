"""The report under construction."""

from __future__ import annotations

import pytest

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft


@pytest.mark.parametrize(
    ("verdict", "confidence"), [(Verdict.YES, 0.8), (Verdict.NO, 0.8), (Verdict.LACK, 0.95), (Verdict.AMBIGUOUS, 0.95)]
)
def test_an_answer_without_a_source_is_less_sure_whenever_its_want_is_told(verdict: Verdict, confidence: float) -> None:
    before, after = Draft(missing=["There is no note."]), Draft()
    before.conclude(verdict, "So it is.")
    after.conclude(verdict, "So it is.")
    assert after.arguments()["confidence"] == 0.95
    after.missing.append("There is no note.")
    assert before.arguments()["confidence"] == after.arguments()["confidence"] == confidence


def test_a_stated_confidence_stands() -> None:
    draft = Draft(missing=["There is no note."], confidence=0.9)
    draft.conclude(Verdict.YES, "So it is.")
    assert draft.arguments()["confidence"] == 0.9
