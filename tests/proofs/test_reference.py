"""The reference passes every case through the tools, does all that rules can see, and idleness passes none."""

from __future__ import annotations

from tests.proofs.audit import SUITE, by_scenario, records_of

# Of all grades, how many may be left to a model judge.
UNDECIDED = 1 / 10


@by_scenario()
def test_reference_passes_every_case(scenario: str) -> None:
    records = records_of("reference", scenario)
    assert {r.case: (r.verdict, r.reference, r.defects, r.error) for r in records if not r.passed} == {}
    assert len(records) == 30


@by_scenario()
def test_reference_does_all_that_rules_can_see(scenario: str) -> None:
    short = {}
    for record in records_of("reference", scenario):
        scores = record.scores
        assert scores is not None
        seen = (scores.process_decided, scores.r_retrieval, scores.p_record, scores.policy_unresolved)
        if seen != (1.0, 1.0, 1.0, ()):
            unmet = [g.criterion for g in record.grades if g.applicable and g.met is False and g.criterion[0] == "D"]
            short[record.case] = (seen, scores.sources_missing, unmet)
    assert short == {}


def test_few_criteria_are_left_undecided() -> None:
    records = (record for scenario in sorted(SUITE.scenarios) for record in records_of("reference", scenario))
    grades = [grade for record in records for grade in record.grades if grade.applicable]
    assert sum(grade.met is None for grade in grades) <= len(grades) * UNDECIDED


@by_scenario()
def test_idle_passes_no_case(scenario: str) -> None:
    assert [record.case for record in records_of("idle", scenario) if record.passed] == []
