"""Edits of med-reconciliation recipes, through chart and tools."""

from __future__ import annotations

from pathlib import Path

from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.pairs import EDITS
from pytest_clinicare.charts.synthetic.twins import committed_twins
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import cases_of, check_edits

SCENARIO = "med-reconciliation"


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)


def test_edits_give_twins_that_cross_yes_and_no() -> None:
    cases = {case.id: case for case in cases_of(SCENARIO)}
    twins = committed_twins(list(cases.values()))
    assert len(twins) >= 6
    crossed = {(cases[str(twin.pair_of)].verdict, twin.verdict) for twin in twins}
    assert {(Verdict.YES, Verdict.NO), (Verdict.NO, Verdict.YES)} <= crossed
