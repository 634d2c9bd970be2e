"""The borders of NEU-01: window, zones, pressure, dose, laboratory limits, and what the summary says."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis import chart
from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis.pairs import EDITS
from pytest_clinicare.suite import Case, Verdict
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "stroke-thrombolysis"


def _changed(variant: str, **changes: Any) -> tuple[Case, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _last_pressure(recipe: dict[str, Any]) -> list[int]:
    needle = recipe["alteplase"][0][1]
    rows: list[list[int]] = [row for row in recipe["pressures"] if row[0] <= needle]
    return rows[-1]


@pytest.mark.parametrize(("minutes", "verdict"), [(270, Verdict.YES), (271, Verdict.NO)])
def test_the_needle_is_in_time_to_the_minute(tmp_path: Path, minutes: int, verdict: Verdict) -> None:
    case, recipe = _changed("treated-dtn-over-60")
    recipe["lkw"] = recipe["alteplase"][0][1] - minutes
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("minutes", "verdict"),
    [(210, Verdict.NO), (211, Verdict.AMBIGUOUS), (270, Verdict.AMBIGUOUS), (271, Verdict.YES)],
)
def test_zones_of_an_untreated_patient(tmp_path: Path, minutes: int, verdict: Verdict) -> None:
    case, recipe = _changed("eligible-untreated", lkw=-minutes)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("minutes", "verdict"),
    [(180, Verdict.NO), (181, Verdict.AMBIGUOUS), (210, Verdict.AMBIGUOUS), (271, Verdict.YES)],
)
def test_zones_with_a_caution(tmp_path: Path, minutes: int, verdict: Verdict) -> None:
    case, recipe = _changed("caution-untreated", lkw=-minutes)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("age", "verdict"), [(80, Verdict.NO), (81, Verdict.AMBIGUOUS)])
def test_an_age_of_80_is_no_caution(tmp_path: Path, age: int, verdict: Verdict) -> None:
    case, recipe = _changed("caution-untreated")
    recipe["patient"][1] = age
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("history", "verdict"),
    [
        (["Diabetes mellitus, type 2"], Verdict.NO),
        (["Diabetes mellitus, type 2", "Ischemic stroke 6 years ago"], Verdict.AMBIGUOUS),
        (["Ischemic stroke 2 months ago"], Verdict.YES),
    ],
)
def test_diabetes_and_prior_stroke_together_are_a_caution(tmp_path: Path, history: list[str], verdict: Verdict) -> None:
    case, recipe = _changed("caution-untreated", history=history)
    recipe["patient"][1] = 70
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("high", "low", "verdict"),
    [(184, 109, Verdict.YES), (185, 90, Verdict.NO), (170, 110, Verdict.NO)],
)
def test_185_or_110_fails(tmp_path: Path, high: int, low: int, verdict: Verdict) -> None:
    case, recipe = _changed("treated-dtn-over-60")
    _last_pressure(recipe)[1:] = [high, low]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("weight", "total", "verdict"),
    [(70.0, 69.3, Verdict.YES), (70.0, 69.4, Verdict.NO), (70.0, 56.7, Verdict.YES), (70.0, 56.6, Verdict.NO),
     (110.0, 90.0, Verdict.YES), (110.0, 90.1, Verdict.NO)],
)  # fmt: skip
def test_the_dose_is_within_ten_percent_and_90_mg(
    tmp_path: Path, weight: float, total: float, verdict: Verdict
) -> None:
    case, recipe = _changed("treated-dtn-over-60", weight=weight)
    at = recipe["alteplase"][0][1]
    recipe["alteplase"] = [[7.0, at, "Administered"], [round(total - 7, 1), at + 2, "Started"]]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("inr", "verdict"), [(1.7, Verdict.NO), (1.8, Verdict.YES)])
def test_an_inr_of_1_7_is_not_above(tmp_path: Path, inr: float, verdict: Verdict) -> None:
    case, recipe = _changed("warfarin-inr-1-7")
    recipe["labs"][2] = inr
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("count", "verdict"), [(99, Verdict.YES), (100, Verdict.NO)])
def test_platelets_of_100_are_enough(tmp_path: Path, count: int, verdict: Verdict) -> None:
    case, recipe = _changed("platelets-low")
    recipe["labs"][5] = count
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("at", "verdict"), [(120, Verdict.YES), (121, Verdict.NO)])
def test_a_laboratory_exclusion_counts_to_two_hours(tmp_path: Path, at: int, verdict: Verdict) -> None:
    case, recipe = _changed("platelets-low")
    recipe["labs"][:2] = [at, at + 20]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("after", "verdict"), [(0, Verdict.NO), (1, Verdict.YES)])
def test_a_result_after_the_needle_is_not_held_against_it(tmp_path: Path, after: int, verdict: Verdict) -> None:
    case, recipe = _changed("treated-inr-high")
    recipe["labs"][1] = recipe["alteplase"][0][1] + after
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("glucose", "verdict"), [(49, Verdict.YES), (50, Verdict.NO), (400, Verdict.NO), (401, Verdict.YES)]
)
def test_glucose_outside_50_to_400_excludes(tmp_path: Path, glucose: int, verdict: Verdict) -> None:
    case, recipe = _changed("eligible-untreated")
    recipe["labs"][6] = glucose
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("score", "verdict"), [(5, Verdict.YES), (6, Verdict.NO)])
def test_non_disabling_needs_a_score_of_five_at_most(tmp_path: Path, score: int, verdict: Verdict) -> None:
    case, recipe = _changed("non-disabling", nihss=score)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("days", "verdict"), [(21, Verdict.YES), (22, Verdict.NO)])
def test_a_bleed_counts_for_21_days(tmp_path: Path, days: int, verdict: Verdict) -> None:
    case, recipe = _changed("old-gi-bleed-untreated", history=[f"Gastrointestinal bleed {days} days ago"])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("decision", "verdict"),
    [
        ("The patient declined alteplase after a talk about risk.", Verdict.YES),
        ("The deficit had completely resolved by the time of the CT.", Verdict.YES),
        ("Blood pressure could not be lowered below the limit.", Verdict.YES),
        ("Alteplase was not given as the family was not reached.", Verdict.NO),
        ("Alteplase was not given because of age.", Verdict.NO),
    ],
)
def test_reasons(tmp_path: Path, decision: str, verdict: Verdict) -> None:
    case, recipe = _changed("eligible-untreated", decision=decision)
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_clock_time_in_the_summary_is_the_needle(tmp_path: Path) -> None:
    """Without a row (3.2): the time is there, no dose is recorded in any source."""
    case, recipe = _changed("needle-time-missing", decision="tPA was given in the emergency department at 11:50.")
    draft = answer(case, recipe, tmp_path)
    assert draft.verdict is Verdict.LACK
    assert "no dose is recorded" in draft.why


@pytest.mark.parametrize(("lkw", "verdict"), [("unknown", Verdict.YES), ("absent", Verdict.LACK)])
def test_unknown_is_stated_or_nothing_is_said(tmp_path: Path, lkw: str, verdict: Verdict) -> None:
    case, recipe = _changed("lkw-silent-untreated", lkw=lkw)
    if lkw == "unknown":
        recipe["lkw_told"] = "The time of last known well is unknown to all."
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_note_that_explains_the_difference_settles_it(tmp_path: Path) -> None:
    case, recipe = _changed("lkw-conflict")
    recipe["lkw_told"] = (
        "Last known well was {hours} hours before arrival per daughter; the triage entry was a mistake."
    )
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_times_in_zones_of_one_verdict_are_no_conflict(tmp_path: Path) -> None:
    case, recipe = _changed("lkw-conflict", lkw=-420, triage_told=5)
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


@pytest.mark.parametrize(
    ("since", "extent", "verdict"),
    [(270, "less than one third", Verdict.YES), (271, "less than one third", Verdict.NO), (270, "most", Verdict.NO)],
)
def test_the_wake_up_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, since: int, extent: str, verdict: Verdict
) -> None:
    """An MRI before the needle with a small lesion and no FLAIR change, and the needle soon enough after waking."""

    def mri(record: Any, enc: Any, clock: Any, _entry: Any) -> None:
        text = f"FINDINGS: \n\nAcute infarct of {extent} of the left MCA territory, no visible FLAIR change."
        record.radiology(clock.at(20), "MR HEAD W/O CONTRAST", text, enc)

    monkeypatch.setattr(chart, "_imaging", mri)
    case, recipe = _changed("treated-late", lkw=-500)
    recipe["lkw_told"] = "{Pronoun} went to bed at {lkw} and woke at {found} with the deficit."
    recipe["found"] = recipe["alteplase"][0][1] - since
    recipe["triage_told"] = "none"
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
