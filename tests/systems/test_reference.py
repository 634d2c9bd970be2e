"""Every label is derived twice: from the recipe, and by the reference from the chart alone, through the tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pytest_clinicare.charts import SyntheticSource
from pytest_clinicare.environment import Brief, Corpus, Environment, ToolResult, policy_citations
from pytest_clinicare.suite import Case, fill_query, load_suite
from pytest_clinicare.systems import resolve_system
from tests.systems.conftest import ROOT

SUITE = load_suite()
CASES = [case for case in SUITE.cases if case.verdict]


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> SyntheticSource:
    return SyntheticSource(tmp_path_factory.mktemp("charts"), ROOT / "fixtures")


@pytest.fixture
def environment(case: Case, source: SyntheticSource, corpus: Corpus) -> Iterator[Environment]:
    with (
        source.chart(case) as chart,
        Environment(chart, corpus, subject_id=case.subject_id, hadm_id=case.hadm_id, stay_id=case.stay_id) as made,
    ):
        yield made


def audit(case: Case, environment: Environment) -> None:
    brief = Brief(
        scenario=case.scenario,
        query=fill_query(SUITE.scenarios[case.scenario], case),
        subject_id=case.subject_id,
        hadm_id=case.hadm_id,
        stay_id=case.stay_id,
    )
    resolve_system("reference").run(brief, environment)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_chart_alone_leads_to_the_label(case: Case, environment: Environment, corpus: Corpus) -> None:
    audit(case, environment)
    report = environment.report
    assert report is not None
    assert report.verdict == case.verdict, report.rationale
    results = [event for event in environment.events if isinstance(event, ToolResult)]
    assert [r.content for r in results if not r.ok] == []
    retrieved = {ref for result in results for ref in result.refs}
    cited = {ref.partition("@")[0] for claim in report.claims for ref in claim.evidence if not ref.startswith("call:")}
    assert cited <= retrieved
    assert all(re.fullmatch(r"\S+ L\d+-L\d+", span) for claim in report.claims for span in claim.policy)
    citations = policy_citations(report)
    assert all(corpus.resolve(citation) for citation in citations)
    scenario = SUITE.scenarios[case.scenario]
    assert {citation.document for citation in citations} >= set(scenario.evidence.governing)
    tables = {table for result in results for table in result.tables}
    assert tables >= {required.table for required in scenario.evidence.sources}
    assert {finding.id for finding in scenario.findings} == set(
        re.findall(r"^### (F\d+)", report.rationale, re.MULTILINE)
    )
