"""The borders of RH-NEPH-07: index, windows of 24 and 48 h, strict limits, risk, glucose, onset and sampling."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.sodium_correction.pairs import EDITS
from pytest_clinicare.suite import Verdict
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "sodium-correction"
MINUTE = 1 / 60


def _with(variant: str, values: list[tuple[float, int]], **changes: Any) -> tuple[Any, dict[str, Any]]:
    """The first case of the variant with these serum values and no others, potassium 4.0 and glucose 120."""
    case = case_of(SCENARIO, variant)
    recipe = {
        **deepcopy(case.recipe),
        "serum_sodium": [[hour, value, "none"] for hour, value in values],
        "potassium": [[hour, 4.0] for hour, _ in values],
        "glucose": [[hour, 120] for hour, _ in values],
        **changes,
    }
    return case, recipe


def _steady(*values: tuple[float, int], until: float = 96) -> list[tuple[float, int]]:
    """These values and the last one every 10 h."""
    out = list(values)
    while out[-1][0] < until - 10:
        out.append((out[-1][0] + 10, values[-1][1]))
    return out


@pytest.mark.parametrize(("hours", "verdict"), [(24.0, Verdict.YES), (24.0 + MINUTE, Verdict.NO)])
def test_a_day_is_24_hours_0_minutes(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    values = _steady((0.0, 112), (12.0, 117), (18.0, 119), (hours, 123))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(48.0, Verdict.YES), (48.0 + MINUTE, Verdict.NO)])
def test_two_days_are_48_hours_0_minutes(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    values = _steady((0.0, 108), (12.0, 112), (24.0, 117), (36.0, 121), (hours, 127))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("last", "verdict"), [(126, Verdict.NO), (127, Verdict.YES)])
def test_exactly_18_in_48_hours_is_within(tmp_path: Path, last: int, verdict: Verdict) -> None:
    values = _steady((0.0, 108), (12.0, 112), (24.0, 117), (36.0, 122), (47.0, last))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("index", "verdict"), [(120, Verdict.NO), (121, Verdict.LACK)])
def test_an_index_is_120_or_less(tmp_path: Path, index: int, verdict: Verdict) -> None:
    values = _steady((0.0, index), (10.0, 123), (20.0, 126))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(129, Verdict.YES), (130, Verdict.NO)])
def test_a_pair_starts_below_130(tmp_path: Path, first: int, verdict: Verdict) -> None:
    values = _steady((0.0, 119), (10.0, 124), (20.0, 128), (30.0, first), (50.0, 141))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("potassium", "hour", "verdict"), [
    (3.4, 24.0, Verdict.YES), (3.5, 24.0, Verdict.NO), (3.4, 24.0 + MINUTE, Verdict.NO),
])  # fmt: skip
def test_potassium_below_3_5_within_24_hours(tmp_path: Path, potassium: float, hour: float, verdict: Verdict) -> None:
    values = _steady((0.0, 114), (8.0, 118), (16.0, 123), (hour, 123))
    case, recipe = _with("exactly-ten-normal-risk", values)
    next(row for row in recipe["potassium"] if row[0] == hour)[1] = potassium
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("index", "verdict"), [(105, Verdict.YES), (106, Verdict.NO)])
def test_an_index_of_105_is_high_risk(tmp_path: Path, index: int, verdict: Verdict) -> None:
    values = _steady((0.0, index), (10.0, index + 4), (20.0, index + 9))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


NINE = _steady((0.0, 114), (10.0, 118), (20.0, 123))


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ([["course", "He has cirrhosis of the liver."]], Verdict.YES),
        ([["course", "Severe malnutrition was found by the dietitian."]], Verdict.YES),
        ([["code", "F1020"]], Verdict.YES),
        ([["code", "F1020"], ["social", "Denies alcohol."]], Verdict.NO),
        ([["course", "There was no evidence of cirrhosis."]], Verdict.NO),
        ([["family", "Father with alcoholism."]], Verdict.NO),
        ([["social", "History of alcohol abuse, sober for twenty years."]], Verdict.NO),
        (
            [["history", "She drinks a pint of vodka daily."], ["social", "No alcohol for ten years."]],
            Verdict.AMBIGUOUS,
        ),
        (
            [
                ["history", "She drinks a pint of vodka daily."],
                ["social", "No alcohol for ten years."],
                ["course", "Severe malnutrition was found by the dietitian."],
            ],
            Verdict.YES,
        ),
    ],
)
def test_risk_follows_statements_and_codes(tmp_path: Path, said: list[list[str]], verdict: Verdict) -> None:
    """Among them: abstinence is a denial that leaves the risk unresolved where current drinking is asserted."""
    case, recipe = _with("exactly-ten-normal-risk", NINE, risk_statements=said)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("before", "verdict"), [(130, Verdict.AMBIGUOUS), (129, Verdict.YES)])
def test_a_sodium_of_130_before_the_index_is_acute(tmp_path: Path, before: int, verdict: Verdict) -> None:
    case = case_of(SCENARIO, "acute-water-intoxication")
    recipe = {**deepcopy(case.recipe), "onset_statement": "none"}
    recipe["serum_sodium"][0][1] = before
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(900, Verdict.AMBIGUOUS), (300, Verdict.YES), (299, Verdict.YES)])
def test_falling_glucose_explains_a_rise(tmp_path: Path, first: int, verdict: Verdict) -> None:
    """From 300 to 250 the correction is 0.8 mmol/L and the limit is still passed."""
    case = case_of(SCENARIO, "falling-glucose")
    recipe = deepcopy(case.recipe)
    recipe["glucose"][0][1] = first
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("glucose", "verdict"), [(300, Verdict.AMBIGUOUS), (299, Verdict.YES)])
def test_glucose_counts_from_300(tmp_path: Path, glucose: int, verdict: Verdict) -> None:
    """+11 as measured; corrected for a fall to 100 it is below 10."""
    values = _steady((0.0, 115), (10.0, 119), (20.0, 126))
    case, recipe = _with("exactly-ten-normal-risk", values)
    for row in recipe["glucose"]:
        row[1] = glucose if row[0] == 0 else 100
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("second", "verdict"), [(12.0, Verdict.NO), (12.0 + MINUTE, Verdict.LACK)])
def test_a_gap_of_12_hours_in_the_first_day(tmp_path: Path, second: float, verdict: Verdict) -> None:
    values = _steady((0.0, 116), (second, 120), (22.0, 122))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("next_at", "verdict"), [(48.0, Verdict.NO), (48.0 + MINUTE, Verdict.LACK)])
def test_a_gap_of_24_hours_in_the_second_day(tmp_path: Path, next_at: float, verdict: Verdict) -> None:
    values = _steady((0.0, 116), (12.0, 119), (24.0, 122), (next_at, 124))
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(24.0, Verdict.LACK), (24.0 + MINUTE, Verdict.LACK)])
def test_a_value_within_24_hours_is_needed(tmp_path: Path, first: float, verdict: Verdict) -> None:
    """At 24 h it is there and the gap before it is too long; later there is none."""
    values = _steady((0.0, 116), (first, 120))
    draft = answer(*_with("exactly-ten-normal-risk", values), tmp_path)
    assert draft.verdict is verdict
    assert ("in the 24 h after" in draft.why) == (first > 24)


def test_gaps_after_130_do_not_matter(tmp_path: Path) -> None:
    values = [(0.0, 120), (12.0, 125), (22.0, 130), (60.0, 134)]
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is Verdict.NO


def test_no_value_up_to_48_hours_is_a_gap(tmp_path: Path) -> None:
    values = [(0.0, 116), (12.0, 119), (22.0, 122)]
    assert answer(*_with("exactly-ten-normal-risk", values), tmp_path).verdict is Verdict.LACK


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
