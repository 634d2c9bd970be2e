"""The borders of CAR-04: look-back, limits of ejection fraction and laboratory values, salts, editions, excuses."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.hf_gdmt.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.classes import E2013, E2017, E2022, Years
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "hf-gdmt"
YES, NO, LACK, AMBIGUOUS = Verdict.YES, Verdict.NO, Verdict.LACK, Verdict.AMBIGUOUS


def _recipe(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _fraction(days: int, ef: str, source: str = "summary") -> list[Any]:
    return [days, ef, source, "LVEF {ef}%."]


@pytest.mark.parametrize(
    ("first", "last", "candidates"),
    [
        (2014, 2016, (E2013,)),
        (2016, 2018, (E2013, E2017)),
        (2017, 2019, (E2017,)),
        (2020, 2022, (E2017, E2022)),
        (2021, 2022, (E2017, E2022)),
        (2022, 2022, (E2022,)),
        (2008, 2010, (E2013,)),
    ],
)
def test_every_edition_that_the_range_touches_is_a_candidate(
    first: int, last: int, candidates: tuple[str, ...]
) -> None:
    assert Years(first, last, 0).candidates == candidates


@pytest.mark.parametrize(("ef", "verdict"), [("40", YES), ("41", LACK), ("35-40", YES), ("38-45", LACK)])
def test_reduced_is_up_to_40_and_a_range_counts_by_its_upper_bound(tmp_path: Path, ef: str, verdict: Verdict) -> None:
    case, recipe = _recipe("era-2013-two-classes", lvef=[_fraction(0, ef)])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("ef", "verdict"), [("35", NO), ("36", YES), ("30-35", NO), ("35-40", YES)])
def test_an_mra_is_required_up_to_35_before_2022(tmp_path: Path, ef: str, verdict: Verdict) -> None:
    case, recipe = _recipe("mra-missing-eligible", lvef=[_fraction(0, ef)])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("days", "verdict"), [(364, YES), (366, LACK)])
def test_look_back_is_365_days(tmp_path: Path, days: int, verdict: Verdict) -> None:
    source = case_of(SCENARIO, "recovered-lvef").recipe["earlier_stay"]
    case, recipe = _recipe("era-2013-two-classes", lvef=[_fraction(days, "38", "earlier summary")])
    recipe["earlier_stay"] = [days, *source[1:]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_reduced_value_from_before_the_look_back_makes_a_higher_one_ambiguous(tmp_path: Path) -> None:
    case, recipe = _recipe("recovered-lvef")
    recipe["earlier_stay"][0] = recipe["lvef"][1][0] = 1200
    assert answer(case, recipe, tmp_path).verdict is AMBIGUOUS


@pytest.mark.parametrize(
    ("sex", "creatinine", "verdict"), [("M", 2.5, NO), ("M", 2.6, YES), ("F", 2.0, NO), ("F", 2.1, YES)]
)
def test_creatinine_limit_of_the_mra(tmp_path: Path, sex: str, creatinine: float, verdict: Verdict) -> None:
    case, recipe = _recipe("mra-missing-eligible")
    recipe["patient"][0], recipe["labs"][-1][2] = sex, creatinine
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("pressure", "potassium", "creatinine", "verdict"),
    [(89, 4.4, 1.2, YES), (90, 4.4, 1.2, NO), (110, 5.6, 1.2, YES), (110, 5.5, 1.2, NO), (110, 4.4, 3.1, YES),
     (110, 4.4, 3.0, NO)],
)  # fmt: skip
def test_excuses_of_the_renin_angiotensin_class(
    tmp_path: Path, pressure: int, potassium: float, creatinine: float, verdict: Verdict
) -> None:
    case, recipe = _recipe("resolved-aki-excuse")
    recipe["vitals_last"][0] = pressure
    recipe["labs"][-1][1:] = [potassium, creatinine]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("rate", "verdict"), [(49, YES), (50, NO)])
def test_a_slow_heart_excuses_the_beta_blocker(tmp_path: Path, rate: int, verdict: Verdict) -> None:
    case, recipe = _recipe("inpatient-beta-blocker-dropped")
    recipe["vitals_last"][1] = rate
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("Metoprolol 50 mg PO DAILY", YES),
        ("Metoprolol 25 mg PO BID", NO),
        ("Metoprolol ER 50 mg PO DAILY", YES),
        ("Atenolol 50 mg PO DAILY", NO),
        ("Bisoprolol Fumarate 5 mg PO DAILY", YES),
    ],
)
def test_agent_and_salt_of_the_beta_blocker(tmp_path: Path, line: str, verdict: Verdict) -> None:
    case, recipe = _recipe("tartrate-only")
    listed = recipe["discharge_list"]
    recipe["discharge_list"] = [line if "Tartrate" in old else old for old in listed]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_stated_reason_counts_and_the_hospital_course_is_no_list(tmp_path: Path) -> None:
    case, recipe = _recipe("inpatient-beta-blocker-dropped")
    recipe["reasons"] = ["Carvedilol was continued on the ward.", "An appointment stands."]
    assert answer(case, recipe, tmp_path).verdict is NO
    recipe["reasons"] = ["Carvedilol was stopped because of wheezing.", "An appointment stands."]
    assert answer(case, recipe, tmp_path).verdict is YES


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
