"""The reference on real MIMIC-IV patients, where the open demo is at hand: its citations hold, no must-not is met."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_clinicare.charts import Chart, open_chart
from pytest_clinicare.charts.mimic import build_charts
from pytest_clinicare.environment import Brief, Corpus, Environment, ToolResult
from pytest_clinicare.judging import JudgedRun, RulesJudge
from pytest_clinicare.suite import Case, Suite, load_suite
from pytest_clinicare.systems import resolve_system
from tests.systems.conftest import ROOT

DEMO = ROOT.parent / "shared" / "mimic" / "demo"
SUBJECTS = (10000032, 10003400, 10004235, 10014354, 10015860, 10039708)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not DEMO.is_dir():
        pytest.skip("the MIMIC-IV demo is not beside the repository")
    made = tmp_path_factory.mktemp("mimic")
    build_charts(DEMO, made, SUBJECTS)
    return made


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite()


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_reports_on_real_charts_are_grounded(subject: int, folder: Path, corpus: Corpus, suite: Suite) -> None:
    with open_chart(folder / f"{subject}.sqlite") as chart:
        stays = [tuple(row) for row in chart.rows("SELECT hadm_id, stay_id FROM icustays")]
        admissions = [(row[0], None) for row in chart.rows("SELECT hadm_id FROM admissions")]
        asked = [("renal-trajectory", None, None), *(("med-reconciliation", *ids) for ids in admissions)]
        asked += [(scenario, *ids) for ids in stays for scenario in ("post-ct-aki", "advanced-imaging")]
        for scenario, hadm_id, stay_id in asked:
            with Environment(chart, corpus, subject_id=subject, hadm_id=hadm_id, stay_id=stay_id) as environment:
                brief = Brief(scenario=scenario, query="", subject_id=subject, hadm_id=hadm_id, stay_id=stay_id)
                resolve_system("reference").run(brief, environment)
                _holds(environment)
                case = Case(
                    id=f"{scenario}-mimic-1", scenario=scenario, subject_id=subject, hadm_id=hadm_id, stay_id=stay_id
                )
                assert _defects(case, environment, chart, suite) == []


def _holds(environment: Environment) -> None:
    report = environment.report
    assert report is not None
    results = [event for event in environment.events if isinstance(event, ToolResult)]
    assert [result.content for result in results if not result.ok] == []
    retrieved = {ref for result in results for ref in result.refs}
    evidence = {ref for claim in report.claims for ref in claim.evidence}
    assert {ref.partition("@")[0] for ref in evidence if not ref.startswith("call:")} <= retrieved
    assert all(re.fullmatch(r"\S+ L\d+-L\d+", span) for claim in report.claims for span in claim.policy)


def _defects(case: Case, environment: Environment, chart: Chart, suite: Suite) -> list[str]:
    """Must-nots that the judge saw met, with their evidence."""
    report, rubric = environment.report, suite.rubrics[case.scenario]
    assert report is not None
    run = JudgedRun(
        case=case,
        scenario=suite.scenarios[case.scenario],
        rubric=rubric,
        report=report,
        trace=environment.events,
        chart=chart,
    )
    must_not = {criterion.id for criterion in rubric.criteria if criterion.kind == "must-not"}
    grades = RulesJudge().grade(run)
    return [f"{case.scenario} {g.criterion}: {g.why} {g.refs}" for g in grades if g.met and g.criterion in must_not]
