"""The borders of CC-005: the period, merging, what counts, stays elsewhere and the rule of three and half."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.hand import DAY, at, clock
from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.pairs import EDITS
from pytest_clinicare.suite import Verdict, suite_root
from pytest_clinicare.systems.scripted.investigators.frequent_admitter.reasons import family
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "frequent-admitter"
YEAR = 365 * DAY


def _changed(variant: str) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, deepcopy(case.recipe)


def _move(row: list[Any], minute: int) -> None:
    row[0], row[1] = minute // DAY, clock(minute % DAY)


def _deciding(recipe: dict[str, Any]) -> list[list[Any]]:
    return [row for row in recipe["admissions"] if row[0] >= 0 and row[2] in ("EW EMER.", "URGENT")]


@pytest.mark.parametrize(("late", "verdict"), [(0, Verdict.YES), (1, Verdict.NO)])
def test_the_period_includes_its_end(tmp_path: Path, late: int, verdict: Verdict) -> None:
    case, recipe = _changed("exactly-365-days")
    rows = _deciding(recipe)
    _move(rows[-1], at(rows[0]) + YEAR + late)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("gap", "verdict"), [(DAY, Verdict.NO), (DAY + 1, Verdict.YES)])
def test_24_hours_or_less_make_one_episode(tmp_path: Path, gap: int, verdict: Verdict) -> None:
    case, recipe = _changed("split-rows-merge")
    rows = _deciding(recipe)
    _move(rows[1], at(rows[0]) + rows[0][3] + gap)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ("OBSERVATION ADMIT", Verdict.YES),
        ("URGENT", Verdict.YES),
        ("DIRECT EMER.", Verdict.YES),
        ("ELECTIVE", Verdict.NO),
        ("SURGICAL SAME DAY ADMISSION", Verdict.NO),
        ("EU OBSERVATION", Verdict.NO),
        ("DIRECT OBSERVATION", Verdict.NO),
    ],
)
def test_what_counts_goes_by_the_type(tmp_path: Path, kind: str, verdict: Verdict) -> None:
    case, recipe = _changed("exactly-365-days")
    _deciding(recipe)[1][2] = kind
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("She was hospitalized at an outside hospital since the last discharge here.", Verdict.LACK),
        ("She was hospitalized at an outside hospital through its emergency room 20 days before this admission for "
         "heart failure.", Verdict.YES),
        ("She was hospitalized at an outside hospital through its emergency room 900 days before this admission for "
         "heart failure.", Verdict.NO),
        ("She was hospitalized at an outside hospital 20 days before this admission.", Verdict.LACK),
        ("She was admitted to an outside hospital for a planned knee replacement.", Verdict.NO),
        ("She was admitted here by transfer from an outside hospital.", Verdict.NO),
        ("An outside hospital saw her in its clinic.", Verdict.NO),
    ],
)  # fmt: skip
def test_stays_elsewhere(tmp_path: Path, sentence: str, verdict: Verdict) -> None:
    case, recipe = _changed("outside-admission-undated")
    recipe["outside_mentions"][0][1] = sentence
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_three_of_seven_are_less_than_half(tmp_path: Path) -> None:
    """Three of six suffice, three of seven do not: the elective stays of the case made emergencies."""
    case, recipe = _changed("elective-interleaved")
    told = {row[0]: row for row in recipe["summaries"]}
    turned = 0
    for number, row in enumerate(recipe["admissions"]):
        if row[4] == "veins":
            row[2] = "URGENT"
            told[number][3] = f"The admission was due to problem {'abc'[turned]}."
            turned += 1
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    number = next(n for n, row in enumerate(recipe["admissions"]) if row[4] == "copd")
    told[number][3] = "The admission was due to gout."
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_a_code_stands_in_for_a_missing_summary_only(tmp_path: Path) -> None:
    case, recipe = _changed("reasons-undocumented")
    for row in recipe["admissions"]:
        if row[5] == "none":
            row[5] = "I5023"
            break
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ("sepsis from an infected dialysis catheter", "RENAL-DIALYSIS"),
        ("hyperkalemia after an error of the pharmacy", "own"),
        ("SBP", "LIVER"),
        ("acute pyelonephritis", "INFECTION urinary"),
        ("a hip fracture", "own"),
    ],
)
def test_families(told: str, named: str) -> None:
    assert family(told).startswith(named)


def test_the_protocol_says_what_a_transfer_is() -> None:
    text = (suite_root().policy_docs / "refhosp-frequent-admitter.md").read_text(encoding="utf-8")
    assert "joined by a transfer (24 h or less)" in text


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
