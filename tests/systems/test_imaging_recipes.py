"""Edits of advanced-imaging recipes, through chart and tools."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.pairs import EDITS
from pytest_clinicare.charts.synthetic.twins import committed_twins
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import answer, case_of, cases_of, check_edits

SCENARIO = "advanced-imaging"


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)


def test_edits_give_twins_that_cross_yes_and_no() -> None:
    cases = {case.id: case for case in cases_of(SCENARIO)}
    twins = committed_twins(list(cases.values()))
    assert len(twins) >= 6
    crossed = {(cases[str(twin.pair_of)].verdict, twin.verdict) for twin in twins}
    assert {(Verdict.YES, Verdict.NO), (Verdict.NO, Verdict.YES)} <= crossed


@pytest.mark.parametrize(("ordered", "verdict"), [(0.0, Verdict.YES), (-0.01, Verdict.NO)])
def test_the_moment_of_intime_belongs_to_the_stay(tmp_path: Path, ordered: float, verdict: Verdict) -> None:
    case = case_of(SCENARIO, "ct-in-ed-before-intime")
    recipe = deepcopy(case.recipe)
    for row in recipe["orders"]:
        if row[0] == "CT Scan":
            row[1] = ordered
    for row in recipe["reports"]:
        if row[3] == "CT":
            row[1] = 1.5
    assert answer(case, recipe, tmp_path).verdict is verdict
