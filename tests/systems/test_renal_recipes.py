"""Edits of renal-trajectory recipes, through chart and tools, and what they leave as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.pairs import EDITS, last_higher, sampled_once
from pytest_clinicare.charts.synthetic.twins import committed_twins, difference
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import case_of, cases_of, check_edits

SCENARIO = "renal-trajectory"


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)


def test_edits_apply_to_many_cases_and_cross_yes_and_no() -> None:
    crossed = set()
    cases = {}
    for case in cases_of(SCENARIO):
        for edit in EDITS:
            try:
                edited = edit(case.recipe)
            except ValueError:
                continue
            cases[case.id] = edited
            crossed.add((case.verdict, edited.verdict))
    assert len(cases) >= 12
    assert {(Verdict.YES, Verdict.NO), (Verdict.NO, Verdict.YES)} <= crossed


def test_a_twin_differs_in_laboratory_text_and_codes_alone() -> None:
    twins = committed_twins(cases_of(SCENARIO))
    assert len(twins) >= 6
    originals = {case.id: case for case in cases_of(SCENARIO)}
    for twin in twins:
        changed = {change.table for change in difference(originals[twin.pair_of], twin)}
        allowed = {"labevents", "discharge", "diagnoses_icd", "d_icd_diagnoses", "admissions"}
        assert changed <= allowed, (twin.edit, changed)


@pytest.mark.parametrize("edit", [last_higher, sampled_once])
def test_edits_refuse_what_they_do_not_fit(edit: object) -> None:
    with pytest.raises(ValueError, match="needs"):
        edit(case_of(SCENARIO, "dialysis-onset").recipe)  # type: ignore[operator]
