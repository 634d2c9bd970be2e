"""The borders of TM-02: windows, limits, the order of settings, and what tells of a unit or of bleeding."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.transfusion_threshold.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold import told
from pytest_clinicare.systems.scripted.session import Note
from tests.systems.recipes import answer, case_of, cases_of, check_edits

SCENARIO = "transfusion-threshold"
MINUTE = 1 / 60


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _note(course: str, history: str = "") -> Note:
    text = f"History of Present Illness:\n{history}\n\nBrief Hospital Course:\n{course}\n\nDischarge Condition:\nwell"
    return Note("discharge:1", "1", 2, "2150-01-01", text)


def _last(recipe: dict[str, Any], value: float) -> None:
    max(row for row in recipe["hb"] if row[0] <= 0 and row[2] == "cbc")[1] = value


@pytest.mark.parametrize(("value", "verdict"), [(6.9, Verdict.YES), (7.0, Verdict.NO)])
def test_below_is_strict(tmp_path: Path, value: float, verdict: Verdict) -> None:
    case, recipe = _changed("below-7-default")
    _last(recipe, value)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("variant", "value", "verdict"),
    [
        ("orthopaedic-7x", 7.9, Verdict.YES),
        ("orthopaedic-7x", 8.0, Verdict.NO),
        ("cardiac-surgery-8-plus", 7.4, Verdict.YES),
        ("cardiac-surgery-8-plus", 7.5, Verdict.NO),
        ("cvd-in-note-only", 8.0, Verdict.NO),
        ("acs-8-to-10", 7.9, Verdict.YES),
        ("acs-8-to-10", 8.0, Verdict.AMBIGUOUS),
        ("acs-8-to-10", 9.9, Verdict.AMBIGUOUS),
        ("acs-8-to-10", 10.0, Verdict.NO),
        ("symptomatic-anaemia", 6.9, Verdict.YES),
        ("symptomatic-anaemia", 8.9, Verdict.AMBIGUOUS),
        ("symptomatic-anaemia", 9.0, Verdict.NO),
    ],
)
def test_thresholds_of_the_settings(tmp_path: Path, variant: str, value: float, verdict: Verdict) -> None:
    case, recipe = _changed(variant)
    _last(recipe, value)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(24.0, Verdict.NO), (24.0 + MINUTE, Verdict.LACK)])
def test_the_look_back_is_24_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed("no-hb-in-24h")
    max(row for row in recipe["hb"] if row[0] <= 0)[0] = -hours
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_value_at_the_start_counts(tmp_path: Path) -> None:
    case, recipe = _changed("default-7-0-and-above")
    recipe["hb"].append([0.0, 6.9, "cbc"])
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["hb"][-1][0] = MINUTE
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(("apart", "verdict"), [(1.0, Verdict.NO), (1.0 + MINUTE, Verdict.YES)])
def test_a_count_prevails_over_a_gas_within_60_minutes(tmp_path: Path, apart: float, verdict: Verdict) -> None:
    case, recipe = _changed("gas-value-beside-cbc")
    recipe["hb"] = [row for row in recipe["hb"] if not (row[2] == "gas" and -2 < row[0] <= 0)]
    count = max(row[0] for row in recipe["hb"] if row[0] <= 0)
    recipe["hb"] = [[row[0] - 0.5 if row[0] == count else row[0], *row[1:]] for row in recipe["hb"]]
    recipe["hb"].append([count - 0.5 + apart, 6.6, "gas"])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("value", "verdict"), [(89, Verdict.YES), (90, Verdict.NO)])
def test_instability_is_a_systolic_below_90(tmp_path: Path, value: int, verdict: Verdict) -> None:
    case, recipe = _changed("unstable-bleed-hb-9")
    recipe["sbp"][0][1] = value
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(6.0, Verdict.YES), (6.0 + MINUTE, Verdict.NO)])
def test_pressure_counts_for_six_hours(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case = next(c for c in _bled_on_the_ward())
    recipe = deepcopy(case.recipe)
    recipe["sbp"][0][0] = hours
    assert answer(case, recipe, tmp_path).verdict is verdict


def _bled_on_the_ward() -> list[Any]:
    return [c for c in cases_of(SCENARIO) if c.variant == "unstable-bleed-hb-9" and c.recipe["codes"][0] == "K921"]


def test_a_vasopressor_makes_bleeding_unstable(tmp_path: Path) -> None:
    case = _bled_on_the_ward()[0]
    recipe = {**deepcopy(case.recipe), "vasopressor": [-5.0, -1.0]}
    recipe["sbp"][0][1] = 100
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["vasopressor"] = [-9.0, -6.5]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(("fall", "verdict"), [(2.0, Verdict.YES), (1.9, Verdict.NO)])
def test_a_fall_of_two_grams_makes_bleeding_unstable(tmp_path: Path, fall: float, verdict: Verdict) -> None:
    case = _bled_on_the_ward()[0]
    recipe = deepcopy(case.recipe)
    recipe["sbp"][0][1] = 100
    recipe["hb"] = [row for row in recipe["hb"] if not -24 <= row[0] <= 0]
    recipe["hb"] += [[-12.0, round(9.0 + fall, 1), "cbc"], [-2.0, 9.0, "cbc"]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_code_alone_sets_no_threshold(tmp_path: Path) -> None:
    case, recipe = _changed("default-7-0-and-above", codes=["I2510", "D649"])
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["past"] = "Coronary artery disease"
    _last(recipe, 7.6)
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_transfusion_programme_is_left_to_judgment(tmp_path: Path) -> None:
    case, recipe = _changed("below-7-default", past="Sickle cell disease on a chronic transfusion program")
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS


def test_units_of_the_operating_room_are_passed_over(tmp_path: Path) -> None:
    case, recipe = _changed("cardiac-surgery-8-plus")
    recipe["units"] = [row for row in recipe["units"] if row[1] == "operating room"]
    recipe["summary"] = [text for text in recipe["summary"] if "unit" not in text and "acked" not in text]
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


@pytest.mark.parametrize(
    ("sentence", "overt"),
    [
        ("Melena began on hospital day three.", True),
        ("Bleeding was looked for and not found.", False),
        ("He has a history of GI bleed two years ago; there is no bleeding now.", False),
        ("Neither melena nor other bleeding was noted.", False),
        ("Chest tube output was minimal.", False),
    ],
)
def test_what_is_overt_bleeding(sentence: str, overt: bool) -> None:
    assert bool(told.bleedings(_note(sentence))) is overt


@pytest.mark.parametrize(
    ("sentence", "given"),
    [
        ("One unit of red cells was transfused.", True),
        ("The crossmatched unit was never hung and went back to the blood bank.", False),
        ("Two units of packed cells were given in the operating room.", False),
        ("By the 10/30 rule a unit was thought due.", False),
    ],
)
def test_what_tells_of_a_unit(sentence: str, given: bool) -> None:
    assert bool(told.transfusions(_note(sentence))) is given


@pytest.mark.parametrize(
    ("text", "day"), [("on hospital day three", 3), ("HD 4", 4), ("the second hospital day", 2), ("that day", None)]
)
def test_hospital_days(text: str, day: int | None) -> None:
    assert told.day_named(text) == day


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
