"""The suite proves itself: the reference passes every case, and each foil fails in the way it was made to."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from pytest_clinicare.charts import SyntheticSource
from pytest_clinicare.environment import Corpus, Limits
from pytest_clinicare.judging import RulesJudge
from pytest_clinicare.pytest_side.bench import Bench, take_fingerprint
from pytest_clinicare.pytest_side.run import execute
from pytest_clinicare.results import Metrics, aggregate
from pytest_clinicare.scoring import RunRecord
from pytest_clinicare.suite import load_suite
from pytest_clinicare.systems import resolve_system

CHARTS = Path(".clinicare/charts").resolve()


@cache
def records_of(system: str) -> tuple[RunRecord, ...]:
    suite = load_suite()
    answering = resolve_system(system)
    bench = Bench(
        suite=suite,
        charts=SyntheticSource(CHARTS, suite.root.fixtures),
        corpus=Corpus(suite.root.policy_docs),
        system=answering,
        judge=RulesJudge(),
        limits=Limits(),
        fingerprint=take_fingerprint(suite, answering),
    )
    return tuple(execute(bench, case, 1) for case in suite.cases)


def metrics_of(system: str) -> Metrics:
    return aggregate(records_of(system))


def test_reference_passes_every_case() -> None:
    failed = {r.case: (r.verdict, r.reference, r.defects, r.error) for r in records_of("reference") if not r.passed}
    assert failed == {}
    assert len(records_of("reference")) == 120


def test_reference_does_all_that_rules_can_see() -> None:
    short = {}
    for record in records_of("reference"):
        scores = record.scores
        assert scores is not None
        seen = (scores.process_decided, scores.r_retrieval, scores.p_record, scores.policy_unresolved)
        if seen != (1.0, 1.0, 1.0, ()):
            unmet = [g.criterion for g in record.grades if g.applicable and g.met is False and "-N" not in g.criterion]
            short[record.case] = (seen, scores.sources_missing, unmet)
    assert short == {}


def test_few_criteria_are_left_undecided() -> None:
    grades = [grade for record in records_of("reference") for grade in record.grades]
    undecided = [grade for grade in grades if grade.applicable and grade.met is None]
    assert len(undecided) <= len(grades) / 10


def test_idle_passes_no_case() -> None:
    assert [record.case for record in records_of("idle") if record.passed] == []


def test_shortcut_is_often_right_for_the_wrong_reasons() -> None:
    metrics = metrics_of("shortcut")
    assert metrics.accuracy is not None
    assert metrics.accuracy > 0.4
    assert metrics.defect_gap is not None
    assert metrics.defect_gap >= 10


@pytest.mark.parametrize(("system", "metric"), [("committer", "over_commitment"), ("abstainer", "over_abstention")])
def test_one_sided_system_is_seen(system: str, metric: str) -> None:
    assert getattr(metrics_of(system), metric) == 1.0


def test_fabrication_is_seen() -> None:
    metrics = metrics_of("fabricator")
    assert metrics.p_record is not None
    assert metrics.p_record < 0.05
    assert metrics.citation_resolution is not None
    assert metrics.citation_resolution < 0.05


def test_mute_and_crasher_end_as_what_they_are() -> None:
    assert {record.outcome for record in records_of("mute")} <= {"no_report", "answered"}
    assert not any(record.passed for record in records_of("mute"))
    assert all(record.ended.infrastructure for record in records_of("crasher"))
