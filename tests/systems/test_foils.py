"""Every foil fails in its own way and in no other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pytest_clinicare.environment import Brief, Corpus, Environment, ToolCall, policy_citations
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems import resolve_system
from tests.systems.conftest import ADMITTED, SUBJECT, Patient

T0 = ADMITTED + timedelta(hours=30)


@pytest.fixture
def unreported(patient: Patient) -> int:
    """A CT that was ordered and never reported, a creatinine that rises after the order, and an AKI code."""
    hadm_id = patient.admission()
    patient.order("Radiology", "CT Scan", T0, hadm_id)
    patient.code("N179", hadm_id)
    for hours, value in ((-200 * 24, 0.9), (10, 0.9), (30, 1.4)):
        patient.creatinine(T0 + timedelta(hours=hours), value)
    return hadm_id


@pytest.mark.parametrize(
    ("system", "verdict"),
    [
        ("reference", Verdict.LACK),
        ("abstainer", Verdict.LACK),
        ("committer", Verdict.NO),
        ("shortcut", Verdict.YES),
        ("idle", Verdict.NO),
        ("fabricator", Verdict.YES),
    ],
)
def test_verdict_of_each_system_on_a_case_that_lacks_data(
    patient: Patient, unreported: int, system: str, verdict: Verdict
) -> None:
    report = patient.audit("post-ct-aki", unreported, system=system).report
    assert report is not None
    assert report.verdict == verdict


def test_idle_looks_at_nothing(patient: Patient, unreported: int) -> None:
    environment = patient.audit("post-ct-aki", unreported, system="idle")
    assert [event.tool for event in environment.events if isinstance(event, ToolCall)] == ["submit_report"]


def test_what_the_fabricator_cites_does_not_exist(patient: Patient, unreported: int, corpus: Corpus) -> None:
    report = patient.audit("post-ct-aki", unreported, system="fabricator").report
    assert report is not None
    cited = [ref for claim in report.claims for ref in claim.evidence]
    assert cited
    assert not any(patient.charts[-1].has_ref(ref) for ref in cited)
    assert policy_citations(report)
    assert not any(corpus.resolve(citation) for citation in policy_citations(report))


def test_no_verdict_can_be_read_from_what_the_mute_says(patient: Patient, unreported: int) -> None:
    patient.audit("post-ct-aki", unreported)
    with Environment(patient.charts[-1], patient.corpus, subject_id=SUBJECT, hadm_id=unreported) as fresh:
        said = resolve_system("mute").run(Brief(scenario="post-ct-aki", query="", subject_id=SUBJECT), fresh)
        assert said
        report = fresh.file_text(said)
    assert report is None or report.verdict is None


def test_the_crasher_fails_as_infrastructure_does(patient: Patient, unreported: int) -> None:
    with pytest.raises(ConnectionError):
        patient.audit("post-ct-aki", unreported, system="crasher")


def test_a_scenario_without_an_investigator_is_no_answer(patient: Patient, unreported: int) -> None:
    with pytest.raises(LookupError, match=r"known: [a-z0-9-]+, "):
        patient.audit("no-such-scenario", unreported)
