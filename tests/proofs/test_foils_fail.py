"""Over the whole suite, each foil fails in the way it was made to."""

from __future__ import annotations

import pytest

from pytest_clinicare.results import Metrics, aggregate
from pytest_clinicare.scoring import RunRecord
from tests.proofs.audit import SUITE, records_of


def _all(system: str) -> list[RunRecord]:
    return [record for scenario in sorted(SUITE.scenarios) for record in records_of(system, scenario)]


def _metrics(system: str) -> Metrics:
    return aggregate(_all(system))


def test_shortcut_is_often_right_for_the_wrong_reasons() -> None:
    metrics = _metrics("shortcut")
    assert metrics.accuracy is not None
    assert metrics.accuracy > 0.4
    assert metrics.defect_gap is not None
    assert metrics.defect_gap >= 10


@pytest.mark.parametrize(("system", "metric"), [("committer", "over_commitment"), ("abstainer", "over_abstention")])
def test_one_sided_system_is_seen(system: str, metric: str) -> None:
    assert getattr(_metrics(system), metric) == 1.0


def test_fabrication_is_seen() -> None:
    metrics = _metrics("fabricator")
    assert metrics.p_record is not None
    assert metrics.p_record < 0.05
    assert metrics.citation_resolution is not None
    assert metrics.citation_resolution < 0.05


def test_mute_and_crasher_end_as_what_they_are() -> None:
    scenario = min(SUITE.scenarios)
    assert {record.outcome for record in records_of("mute", scenario)} <= {"no_report", "answered"}
    assert not any(record.passed for record in records_of("mute", scenario))
    assert all(record.ended.infrastructure for record in records_of("crasher", scenario))
