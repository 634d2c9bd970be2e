"""Evaluable admissions, settled injury, and the trend (RH-NEPH-05)."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from pytest_clinicare.systems.scripted.clinical.times import encounter_start
from pytest_clinicare.systems.scripted.clinical.trajectory import (
    Admission,
    Trend,
    appearing_stage,
    concordant_progression,
    contradicted,
    evaluate,
    rising_stage,
)
from pytest_clinicare.systems.scripted.clinical.values import Value


def admission(year: int, values: list[str], *, age: int = 60, female: bool = False, **other: Any) -> Admission:
    start = datetime(year, 3, 1)
    series = tuple(Value(f"labevents:{year}{i}", start + timedelta(days=i), Decimal(v)) for i, v in enumerate(values))
    return Admission(year, f"admissions:{year}", start, start, start + timedelta(days=9), age, female, series, **other)


def reasons(*admissions: Admission) -> list[str]:
    evaluate(list(admissions))
    return [a.why_not for a in admissions]


def test_an_admission_needs_two_dates_and_no_dialysis() -> None:
    single, dialysed, fine = (
        admission(1, ["1.0"]),
        admission(2, ["1.0", "1.1"], dialysis=("poe:1",)),
        admission(3, ["1.0", "1.0"]),
    )
    assert reasons(single, dialysed, fine) == ["creatinine on one calendar date", "dialysis in the admission", ""]


@pytest.mark.parametrize(
    ("last_two", "followed", "settled"),
    [
        (("1.2", "1.2"), False, True),
        (("1.3", "1.3"), False, False),
        (("1.7", "1.7"), True, True),
        (("2.9", "2.3"), True, False),
    ],
)
def test_injury_is_settled_by_return_or_by_a_level_that_a_later_admission_shows(
    last_two: tuple[str, str], followed: bool, settled: bool
) -> None:
    course = [admission(1, ["1.0", "1.0"]), admission(2, ["4.8", *last_two])]
    course += [admission(3, ["1.7", "1.7"])] if followed else []
    assert (reasons(*course)[1] == "") is settled


def test_injury_stated_in_the_summary_counts_without_a_peak() -> None:
    first, stated = admission(1, ["1.0", "1.0"]), admission(2, ["1.4", "1.4"], aki_stated=True)
    assert reasons(first, stated)[1] == "acute kidney injury that is not settled"


def test_sustained_decline_has_two_limbs() -> None:
    def trend(before: str, after: str, **other: Any) -> Trend:
        return Trend(admission(1, [before], **other), admission(3, [after], **other))

    assert trend("0.9", "1.4", female=True).sustained
    assert trend("2.6", "3.6").sustained
    assert not trend("2.6", "3.6").lower_category
    assert not trend("1.0", "1.2", age=40).sustained


def test_a_risen_stage_needs_the_laboratory_to_agree() -> None:
    first, last = admission(1, ["2.1"], age=66, stage=3), admission(2, ["2.5"], age=67, stage=4)
    assert rising_stage([first, last]) == 4
    assert concordant_progression(Trend(first, last), 4)
    flat = Trend(admission(1, ["1.6"], stage=3), admission(3, ["1.6"], age=62, stage=4))
    assert not concordant_progression(flat, 4)
    assert contradicted(flat, 4)


def test_a_first_stage_appears_only_after_an_evaluable_admission_without_one() -> None:
    first, last = admission(1, ["1.0", "1.0"]), admission(2, ["1.0", "1.0"], stage=3)
    assert appearing_stage([first, last], first) == 3
    assert rising_stage([first, last]) is None
    assert appearing_stage([last, first], last) is None


@pytest.mark.parametrize(
    ("arrived", "start"),
    [
        ("2155-05-16 21:03:00", "2155-05-16 21:03:00"),
        ("2155-05-17 21:03:00", "2155-05-17 00:02:00"),
        (None, "2155-05-16 18:02:00"),
    ],
)
def test_an_encounter_starts_with_the_arrival_unless_it_is_timed_after_the_admission(
    arrived: str | None, start: str
) -> None:
    row = {"hadm_id": 1, "admittime": "2155-05-17 00:02:00", "edregtime": arrived}
    assert str(encounter_start(row, [], timedelta(hours=6))) == start
