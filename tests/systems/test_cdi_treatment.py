"""The borders of ASC-14: windows, limits, the interval of years, and what counts as therapy."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.regimen import IN_2017, IN_2021, Years
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.severity import Severity
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "cdi-treatment"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _value(figure: str) -> Value:
    return Value("labevents:1", datetime(2150, 1, 1), Decimal(figure))


@pytest.mark.parametrize(
    ("white", "creatinine", "severe"),
    [
        ("15.0", "1.0", True),
        ("14.9", "1.5", False),
        ("9.0", "1.6", True),
        (None, None, None),
    ],
)
def test_severe_includes_15_and_excludes_one_point_five(
    white: str | None, creatinine: str | None, severe: bool | None
) -> None:
    found = Severity(_value(white) if white else None, _value(creatinine) if creatinine else None)
    assert found.severe is severe


def test_creatinine_is_ignored_on_dialysis() -> None:
    assert Severity(_value("9.0"), _value("4.0"), dialysis=True).severe is False


@pytest.mark.parametrize(
    ("earliest", "editions"),
    [
        (2017, ()),
        (2018, (IN_2017,)),
        (2019, (IN_2017, IN_2021)),
        (2021, (IN_2017, IN_2021)),
        (2022, (IN_2021,)),
    ],
)
def test_editions_follow_the_interval_of_years(earliest: int, editions: tuple[str, ...]) -> None:
    assert Years(earliest, earliest + 2).editions == editions


@pytest.mark.parametrize(("first", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_therapy_starts_within_24_hours_of_the_result(tmp_path: Path, first: float, verdict: Verdict) -> None:
    case, recipe = _changed("initial-nonsevere-vancomycin")
    for row in recipe["doses"]:
        if row[0] == "vancomycin-oral":
            row[3] = first
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("last", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_a_carrier_may_get_doses_to_24_hours(tmp_path: Path, last: float, verdict: Verdict) -> None:
    case, recipe = _changed("colonised-treated")
    recipe["doses"] = [["vancomycin-oral", "125 mg", "Q6H", 3.0, last, "Administered"]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("days", "verdict"), [(14, Verdict.LACK), (15, Verdict.NO), (56, Verdict.NO), (57, Verdict.YES)]
)
def test_recurrence_is_15_to_56_days(tmp_path: Path, days: int, verdict: Verdict) -> None:
    case, recipe = _changed("recurrence-same-course", prior_episode=[days, "vancomycin"])
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_vancomycin_course_is_listed_after_metronidazole(tmp_path: Path) -> None:
    case, recipe = _changed("recurrence-same-course")
    recipe["prior_episode"][1] = "metronidazole"
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(("apart", "verdict"), [(0.5, Verdict.NO), (29 * MINUTE, Verdict.YES)])
def test_hypotension_is_two_pressures_half_an_hour_apart(tmp_path: Path, apart: float, verdict: Verdict) -> None:
    case, recipe = _changed("fulminant-underdosed", vasopressor="none")
    recipe["pressures"] = [[0.0, 84], [apart, 86]]
    recipe["summary"] = recipe["summary"][:-1]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_ileus_needs_intravenous_metronidazole(tmp_path: Path) -> None:
    case, recipe = _changed("fulminant-complete")
    recipe["doses"] = [row for row in recipe["doses"] if row[0] != "metronidazole-iv"]
    recipe["orders"] = [row for row in recipe["orders"] if row[0] != "metronidazole-iv"]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_a_planned_total_below_ten_days_fails(tmp_path: Path) -> None:
    case, recipe = _changed("severe-by-creatinine")
    recipe["summary"] = [*recipe["summary"][:2], "A total of 7 days is planned."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
