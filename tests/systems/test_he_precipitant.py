"""The borders of GI-07: the window, the limits of Tier 1, the corrected count, Tier 2, the core work-up."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.pairs import EDITS
from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.plan import BOWELS, SEDATIVES, TREATED
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.he_precipitant.candidates import Met, Tiers
from pytest_clinicare.systems.scripted.investigators.he_precipitant.investigation import Reading, decide
from pytest_clinicare.systems.scripted.investigators.he_precipitant.story import Story
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "he-precipitant"
DRY, WET = "negative-work-up-no-ascites", "negative-tap-old-sbp"
MINUTE = 1 / 60
MANY = ">100,000 CFU/ML"


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


@pytest.mark.parametrize(
    ("hours", "verdict"),
    [(-72.0, Verdict.YES), (-72.0 - MINUTE, Verdict.NO), (48.0, Verdict.YES), (48.0 + MINUTE, Verdict.NO)],
)
def test_the_window_holds_both_its_ends(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed(DRY)
    recipe["panels"].append([hours, 136, 2.8, recipe["usual"][2]])
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("sodium", "potassium", "creatinine", "verdict"),
    [
        (136, 3.0, 0.8, Verdict.YES),
        (136, 3.1, 0.8, Verdict.NO),
        (125, 4.0, 0.8, Verdict.YES),
        (126, 4.0, 0.8, Verdict.NO),
        (136, 4.0, 1.2, Verdict.YES),
        (136, 4.0, 1.1, Verdict.NO),
    ],
)
def test_limits_of_the_chemistry(
    tmp_path: Path, sodium: int, potassium: float, creatinine: float, verdict: Verdict
) -> None:
    case, recipe = _changed(DRY)
    recipe["clinic"][1][3], recipe["usual"][2] = 0.8, 0.8
    recipe["panels"][0][1:] = [sodium, potassium, creatinine]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("days", "verdict"), [(8, Verdict.YES), (6, Verdict.NO), (364, Verdict.YES), (367, Verdict.NO)]
)
def test_the_creatinine_baseline_is_of_365_to_7_days(tmp_path: Path, days: int, verdict: Verdict) -> None:
    case, recipe = _changed(DRY)
    recipe["clinic"] = [[days, 136, 4.0, 0.8, recipe["hb"][0][1]]]
    recipe["earlier"] = "none"
    recipe["panels"][0][3] = 2.0
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("fluid", "verdict"),
    [
        ([1000, 25, 0, 500, "no growth"], Verdict.YES),
        ([996, 25, 0, 500, "no growth"], Verdict.NO),
        ([1000, 20, 5, 500, "no growth"], Verdict.YES),
        ([1000, 27, 0, 10000, "no growth"], Verdict.YES),
        ([1000, 27, 0, 10001, "no growth"], Verdict.NO),
        ([1000, 27, 0, "none", "no growth"], Verdict.YES),
        ([240, 10, 0, 75000, "no growth"], Verdict.NO),
        ([300, "none", 0, 500, "no growth"], Verdict.LACK),
        ([249, "none", 0, 500, "no growth"], Verdict.NO),
        ([300, 30, 0, 500, "e-coli"], Verdict.AMBIGUOUS),
        ([300, 30, 0, 500, "cons"], Verdict.NO),
        ([1000, 60, 0, 500, "e-coli"], Verdict.YES),
    ],
)
def test_the_corrected_count(tmp_path: Path, fluid: list[Any], verdict: Verdict) -> None:
    """1000 x 27 % is 270; 10,001 red cells take off 40."""
    case, recipe = _changed(WET, fluid=fluid)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("hours", "verdict"), [(48.0, Verdict.NO), (48.0 + MINUTE, Verdict.LACK)])
def test_the_count_is_of_the_window(tmp_path: Path, hours: float, verdict: Verdict) -> None:
    case, recipe = _changed(WET, tap=hours)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("count", "doses", "verdict"),
    [
        (MANY, [["ceftriaxone", 30.0, 30.0]], Verdict.YES),
        ("100,000 CFU/ML", [["ceftriaxone", 30.0, 30.0]], Verdict.YES),
        ("10,000-100,000 CFU/ML", [["ceftriaxone", 30.0, 30.0]], Verdict.NO),
        (MANY, [], Verdict.NO),
        (MANY, [["ceftriaxone", 2.0, 2.0]], Verdict.YES),
        (MANY, [["ceftriaxone", 48.5, 48.5]], Verdict.NO),
    ],
)
def test_a_urinary_infection_needs_a_count_and_a_dose(
    tmp_path: Path, count: str, doses: list[Any], verdict: Verdict
) -> None:
    """The dose may precede the specimen (GI-07 4.1); it must lie in the window."""
    case, recipe = _changed("uti-second-culture", antibiotics=doses)
    recipe["cultures"][2] = ["urine", 20.0, "e-coli", count]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("specimen", "organism", "verdict"),
    [
        ("blood-single", "cons", Verdict.NO),
        ("blood", "cons", Verdict.YES),
        ("blood-single", "e-coli", Verdict.YES),
    ],
)
def test_skin_organisms_need_two_sets(tmp_path: Path, specimen: str, organism: str, verdict: Verdict) -> None:
    case, recipe = _changed(DRY)
    recipe["cultures"][0] = [specimen, 0.0, organism, ""]
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("doses", "verdict"), [([["ceftriaxone", 4.0, 4.0]], Verdict.YES), ([], Verdict.NO)])
def test_pneumonia_needs_a_report_and_a_dose(tmp_path: Path, doses: list[Any], verdict: Verdict) -> None:
    case, recipe = _changed(DRY, chest=[0.5, "consolidation"], antibiotics=doses)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("low", "source", "verdict"), [(9.0, "", 1), (9.1, "", 0), (9.1, "bleeding ulcer", 1)])
def test_overt_bleeding_needs_a_fall_or_a_source(tmp_path: Path, low: float, source: str, verdict: int) -> None:
    case, recipe = _changed(DRY)
    recipe["clinic"][1][4] = 11.0
    recipe["hb"] = [[-1.0, low], [4.0, 10.5]]
    told = "Melena was passed on arrival." + (f" Endoscopy showed a {source}." if source else "")
    recipe["course"][TREATED] = f"{told} {recipe['course'][TREATED]}"
    assert answer(case, recipe, tmp_path).verdict is (Verdict.YES if verdict else Verdict.NO)


def test_a_fall_without_overt_bleeding_is_none(tmp_path: Path) -> None:
    case, recipe = _changed(DRY)
    recipe["clinic"][1][4], recipe["hb"] = 12.0, [[-1.0, 8.0]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(("source", "verdict"), [("trace", Verdict.NO), ("ultrasound", Verdict.NO)])
def test_trace_fluid_is_no_ascites(tmp_path: Path, source: str, verdict: Verdict) -> None:
    case, recipe = _changed(DRY, ascites=["none", source])
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_a_contradicted_statement_does_not_count(tmp_path: Path) -> None:
    case, recipe = _changed("missed-lactulose-no-ascites")
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["course"].append("By the daughter lactulose had been taken as prescribed, with three stools a day.")
    assert answer(case, recipe, tmp_path).verdict is Verdict.AMBIGUOUS


def test_a_statement_on_an_earlier_episode_does_not_count(tmp_path: Path) -> None:
    case, recipe = _changed(DRY)
    recipe["course"][TREATED] += " Last year missed lactulose had set off another bout."
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_a_sedative_needs_exposure(tmp_path: Path) -> None:
    case, recipe = _changed("sedative-negative-tap")
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES
    recipe["home"] = [name for name in recipe["home"] if name not in ("lorazepam", "zolpidem")]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_a_sedative_that_is_taken_but_not_blamed_does_not_count(tmp_path: Path) -> None:
    case, recipe = _changed("sedative-negative-tap")
    recipe["course"][SEDATIVES] = "Lorazepam had been on the list for years."
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize("what", ["chest", "cultures"])
def test_a_missing_core_element_is_lack_of_data(tmp_path: Path, what: str) -> None:
    case, recipe = _changed(DRY)
    recipe[what] = "none" if what == "chest" else []
    draft = answer(case, recipe, tmp_path)
    assert draft.verdict is Verdict.LACK
    assert any("Open gap" in claim.text for claim in draft.findings["F8"])


def test_tier_1_answers_where_the_tap_is_missing_and_the_gap_is_told(tmp_path: Path) -> None:
    case, recipe = _changed("variceal-bleed-ascites-untapped")
    draft = answer(case, recipe, tmp_path)
    assert draft.verdict is Verdict.YES
    assert any("Open gap" in claim.text and "paracentesis" in claim.text for claim in draft.findings["F8"])


def test_a_soft_cause_does_not_stand_while_the_fluid_is_untested(tmp_path: Path) -> None:
    case, recipe = _changed(WET, tap="none", fluid="none")
    recipe["course"][BOWELS] = "Lactulose had run out six days before."
    assert answer(case, recipe, tmp_path).verdict is Verdict.LACK


def test_without_the_premise_there_is_nothing_to_review() -> None:
    """Even a potassium of 2.6 mmol/L."""
    found = Tiers(met=[Met("hypokalemia", "2.6 mmol/L", ("labevents:1",))])
    for story in (Story(), Story(cirrhosis=[("Cirrhosis.", "discharge:1")]), Story(overt=True)):
        draft = Draft()
        decide(Reading(MagicMock(), story, found), draft)
        assert draft.verdict is Verdict.LACK


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
