"""Every criterion can be tripped: what no foil springs or misses would measure nothing."""

from __future__ import annotations

from tests.proofs.audit import SUITE, by_scenario, records_of

FOILS = ("shortcut", "careless", "committer", "abstainer", "fabricator", "idle")
# A shortcut that is seldom right tempts nobody.
TEMPTING = 0.4


def _graded(scenario: str, *, met: bool) -> set[str]:
    """Criteria that some foil on some case was found to have met, or not to have met."""
    grades = (grade for foil in FOILS for record in records_of(foil, scenario) for grade in record.grades)
    return {grade.criterion for grade in grades if grade.applicable and grade.met is met}


@by_scenario()
def test_every_must_not_is_sprung_by_some_foil(scenario: str) -> None:
    decided = {c.id for c in SUITE.rubrics[scenario].criteria if c.kind == "must-not" and c.checks}
    assert decided - _graded(scenario, met=True) == set()


@by_scenario()
def test_every_must_do_is_missed_by_some_foil(scenario: str) -> None:
    decided = {c.id for c in SUITE.rubrics[scenario].criteria if c.kind == "must-do" and c.checks}
    assert decided - _graded(scenario, met=False) == set()


@by_scenario()
def test_shortcut_tempts_and_falls_into_a_trap(scenario: str) -> None:
    records = records_of("shortcut", scenario)
    right = [record.verdict == record.reference for record in records]
    assert TEMPTING <= sum(right) / len(right) < 1
    must_nots = {c.id for c in SUITE.rubrics[scenario].criteria if c.kind == "must-not"}
    assert any(grade.met and grade.criterion in must_nots for record in records for grade in record.grades)


@by_scenario()
def test_carelessness_is_no_error_and_is_seen(scenario: str) -> None:
    records = records_of("careless", scenario)
    assert {record.case: record.error for record in records if record.error} == {}
    assert any(record.scores and record.scores.defects for record in records), "no slip was a defect"
