"""The borders of RH-TOX-01: the line, the intervals, stopping criteria, triggers, intent and evaluation."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.overdose_disposition.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.elements import line
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "overdose-disposition"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


@pytest.mark.parametrize(
    ("hours", "limit"), [(4, 150), (6, 106), (8, 75), (10, 53), (12, 37.5), (16, 18.75), (20, 9.375), (24, 4.6875)]
)
def test_the_line_halves_every_four_hours(hours: int, limit: float) -> None:
    assert abs(line(Decimal(hours)) - limit) < 0.1


@pytest.mark.parametrize(("level", "verdict"), [(149, Verdict.YES), (150, Verdict.NO)])
def test_at_the_line_is_indicated(tmp_path: Path, level: int, verdict: Verdict) -> None:
    case, recipe = _changed("exactly-on-the-line")
    recipe["acetaminophen"][0][1] = level
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("at", "verdict"), [(1.0, Verdict.NO), (1.0 - MINUTE, Verdict.NO)])
def test_a_level_before_4_hours_is_not_plotted(tmp_path: Path, at: float, verdict: Verdict) -> None:
    """Alone it leaves no usable level, which indicates treatment; with a later one below the line it does not count."""
    case, recipe = _changed("exactly-on-the-line")
    recipe["acetaminophen"] = [[at, 150]]
    assert answer(case, recipe, tmp_path).verdict is verdict
    recipe["acetaminophen"] = [[at, 150], [5.0, 40]]
    assert answer(case, recipe, tmp_path).verdict is (Verdict.NO if at == 1.0 else Verdict.YES)


@pytest.mark.parametrize(("hours", "verdict"), [(24.0, Verdict.YES), (24.0 - MINUTE, Verdict.NO)])
def test_long_acting_agents_need_24_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("extended-release-full-day")
    recipe["release"][0] = hours
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(20.0, Verdict.YES), (20.0 - MINUTE, Verdict.NO)])
def test_acetylcysteine_lasts_20_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("treated-and-stopped-by-criteria")
    first = recipe["nac"][0][0]
    recipe["nac"][-1][0] = first + hours
    recipe["acetaminophen"][-1][0] = recipe["alt_inr"][-1][0] = first + hours - 1
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("level", "inr", "alts", "verdict"),
    [
        (9, 1.9, (40, 50), Verdict.YES),
        (10, 1.1, (40, 50), Verdict.NO),
        (9, 2.0, (40, 50), Verdict.NO),
        (9, 1.1, (40, 51), Verdict.NO),
        (9, 1.1, (400, 399), Verdict.YES),
        (9, 1.1, (399, 399), Verdict.NO),
    ],
)
def test_stopping_values(tmp_path: Path, level: int, inr: float, alts: tuple[int, int], verdict: Verdict) -> None:
    case, recipe = _changed("acetaminophen-left-at-the-end")
    recipe["acetaminophen"][-1][1] = level
    recipe["alt_inr"][0][1], recipe["alt_inr"][-1][1] = alts
    recipe["alt_inr"][-1][2] = inr
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("before", "verdict"), [(12.0, Verdict.YES), (12.0 + MINUTE, Verdict.NO)])
def test_stopping_values_are_of_the_last_12_hours(tmp_path: Path, before: float, verdict: Verdict) -> None:
    case, recipe = _changed("acetaminophen-left-at-the-end")
    end = recipe["nac"][-1][0]
    recipe["acetaminophen"][-1] = [end - before, 0]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_value_after_the_end_counts_where_none_was_drawn_before(tmp_path: Path) -> None:
    case, recipe = _changed("acetaminophen-left-at-the-end")
    end = recipe["nac"][-1][0]
    recipe["acetaminophen"][-1] = [end + 1, 0]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(("lag", "verdict"), [(6.0, Verdict.YES), (6.0 + MINUTE, Verdict.NO)])
def test_intensive_care_within_6_hours_of_the_trigger(tmp_path: Path, lag: float, verdict: Verdict) -> None:
    case, recipe = _changed("naloxone-infusion-on-ward")
    at = recipe["triggers"][0][1]
    recipe["icu"] = [at + lag, at + lag + 20]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("range_", "verdict"), [([3.0, 8.0], Verdict.AMBIGUOUS), ([3.0, 5.0], Verdict.YES)])
def test_a_contested_time_prevails_where_it_decides(tmp_path: Path, range_: list[float], verdict: Verdict) -> None:
    """6.4 prevails over point 2 of 6.2: the level of 90 is not treated as one of unknown time."""
    case, recipe = _changed("time-range-straddles-line")
    recipe["history"] = [t.replace("8 hours", f"{range_[1]:g} hours") for t in recipe["history"]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_range_that_lies_above_the_line_is_indicated(tmp_path: Path) -> None:
    case, recipe = _changed("time-range-straddles-line")
    recipe["acetaminophen"] = [[1.0, 160]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_a_statement_that_is_explained_no_longer_counts(tmp_path: Path) -> None:
    case, recipe = _changed("intent-conflict")
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS
    recipe["course"] = [*recipe["course"], "The statement at triage was clarified as a figure of speech."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_contested_intent_is_not_a_breach(tmp_path: Path) -> None:
    """Self-harm that one statement asserts and another denies is contested where nobody was evaluated."""
    case, recipe = _changed("self-harm-not-evaluated")
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["history"] = [*recipe["history"], "Later the intake was called accidental."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS


def test_a_code_of_self_harm_suffices_where_nothing_contradicts_it(tmp_path: Path) -> None:
    case, recipe = _changed("self-harm-not-evaluated", complaint="Overdose")
    recipe["history"] = recipe["history"][:2]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["history"] = [*recipe["history"], "The intake was accidental."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
