"""The borders of IP-012: periods, day numbers, what counts as pus, culture, opening and diagnosis."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.pairs import EDITS, _move
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.operation import (
    category_of,
    index_operation,
    later_operations,
    period_of,
)
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "ssi-surveillance"
POLICY = Path(__file__).resolve().parents[2] / "policy_docs" / "refhosp-ssi-surveillance.md"


def _changed(variant: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, {**deepcopy(case.recipe), **changes}


def _moved(variant: str, day: int) -> tuple[Any, dict[str, Any]]:
    case = case_of(SCENARIO, variant)
    return case, _move(case.recipe, day - case.recipe["readmission"][0])


@pytest.mark.parametrize(("day", "verdict"), [(30, Verdict.YES), (31, Verdict.NO)])
@pytest.mark.parametrize(
    "variant", ["abscess-at-readmission", "superficial-on-day-30", "late-superficial-after-prosthesis"]
)
def test_day_30_is_inside_and_day_31_is_not(tmp_path: Path, variant: str, day: int, verdict: Verdict) -> None:
    case, recipe = _moved(variant, day)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(("day", "verdict"), [(90, Verdict.YES), (91, Verdict.NO)])
def test_a_deep_infection_of_a_hernia_counts_to_day_90(tmp_path: Path, day: int, verdict: Verdict) -> None:
    """Pain on arrival is the first element; tissue is taken the day after."""
    case, recipe = _moved("deep-mesh-day-45-80", day)
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("code", "version", "category"),
    [
        ("0DTN0ZZ", 10, "COLO"),
        ("4576", 9, "COLO"),
        ("0DTJ4ZZ", 10, "APPY"),
        ("0WUF0JZ", 10, "HER"),
        ("8154", 9, "KPRO"),
        ("0W9J30Z", 10, None),
        ("0DN80ZZ", 10, None),
        ("8154", 10, None),
    ],
)
def test_categories(code: str, version: int, category: str | None) -> None:
    assert category_of(code, version) == category
    assert category is None or period_of(category) == (90 if category in ("HER", "KPRO", "HPRO") else 30)


def test_day_numbers_and_later_operations() -> None:
    rows = [
        {"ref": "a", "hadm_id": 1, "chartdate": "2150-03-02", "icd_code": "0DTN0ZZ", "icd_version": 10, "seq_num": 1},
        {"ref": "b", "hadm_id": 1, "chartdate": "2150-03-02", "icd_code": "0DN80ZZ", "icd_version": 10, "seq_num": 2},
        {"ref": "c", "hadm_id": 2, "chartdate": "2150-03-12", "icd_code": "0DN80ZZ", "icd_version": 10, "seq_num": 1},
        {"ref": "d", "hadm_id": 2, "chartdate": "2150-03-14", "icd_code": "0W9J30Z", "icd_version": 10, "seq_num": 2},
    ]
    index = index_operation(rows, 1)
    assert index
    assert (index.category, index.day_of(date(2150, 3, 2)), index.day_of(date(2150, 3, 31))) == ("COLO", 1, 30)
    assert [row["ref"] for _, row in later_operations(rows, index)] == ["c"]


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("The redness was a wound infection and was treated with cephalexin.", Verdict.YES),
        ("A surgical site infection of the incision was treated with cephalexin.", Verdict.YES),
        ("Wound infection versus cellulitis was treated with cephalexin.", Verdict.AMBIGUOUS),
        ("There was concern for wound infection and cephalexin was given.", Verdict.NO),
        ("Possible wound infection, treated with cephalexin.", Verdict.NO),
        ("Cellulitis of the incision was treated with cephalexin.", Verdict.NO),
    ],
)
def test_what_a_physician_must_say(tmp_path: Path, told: str, verdict: Verdict) -> None:
    """IP-012 4.3: a diagnosis, one left open, and hedges that affirm nothing and open nothing."""
    case, recipe = _changed("infection-versus-cellulitis")
    recipe["summary"][0] = told
    assert answer(case, recipe, tmp_path).verdict is verdict


@pytest.mark.parametrize(
    ("fluid", "verdict"), [("cloudy fluid", Verdict.NO), ("serous fluid", Verdict.NO), ("pus", Verdict.AMBIGUOUS)]
)
def test_purulence_needs_the_word(tmp_path: Path, fluid: str, verdict: Verdict) -> None:
    case, recipe = _changed("pus-or-old-blood")
    for row in recipe["imaging"]:
        row[3:] = [t.replace("purulent fluid", fluid).replace("Purulent fluid", fluid.capitalize()) for t in row[3:]]
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_pus_that_nobody_denies_decides(tmp_path: Path) -> None:
    case, recipe = _changed("pus-or-old-blood")
    recipe["summary"][0] = "The collection was drained by radiology."
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_an_abscess_on_imaging_alone_is_none(tmp_path: Path) -> None:
    case, recipe = _changed("abscess-at-readmission", procedures=[])
    recipe["imaging"] = [row for row in recipe["imaging"] if row[1].startswith("CT ABD")]
    recipe["cultures"] = [row for row in recipe["cultures"] if row[0] in ("blood", "urine")]
    recipe["summary"] = ["A pelvic abscess was treated with antibiotics alone.", *recipe["summary"][1:2]]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_mixed_flora_is_no_organism(tmp_path: Path) -> None:
    case, recipe = _changed("ed-culture-without-hadm")
    recipe["cultures"][-1][2] = ["mixed"]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


def test_one_positive_specimen_of_a_joint_is_none_and_two_are(tmp_path: Path) -> None:
    case, recipe = _changed("late-superficial-after-prosthesis")
    day = recipe["readmission"][0]
    recipe["cultures"] = [["joint", day + 1, ["staph-aureus"]]]
    recipe["summary"] = ["The hip was sampled.", "Fluid came from the joint."]
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO
    recipe["cultures"].append(["tissue", day + 1, ["staph-aureus"]])
    assert answer(case, recipe, tmp_path).verdict is Verdict.YES


def test_a_culture_of_the_operation_itself_is_no_event(tmp_path: Path) -> None:
    case, recipe = _changed("present-at-surgery", readmission="none", event="none", procedures=[], imaging=[])
    recipe["cultures"] = [["peritoneal", 1, ["e-coli"]]]
    recipe["summary"] = []
    recipe["codes"] = []
    assert answer(case, recipe, tmp_path).verdict is Verdict.NO


@pytest.mark.parametrize(("day", "verdict"), [(1, Verdict.YES), (8, Verdict.NO)])
def test_a_later_operation_takes_the_event(tmp_path: Path, day: int, verdict: Verdict) -> None:
    """One on the day of the operation itself is part of it."""
    case, recipe = _changed("second-operation-between")
    recipe["procedures"] = [[day if day > 1 else 1, "0DN80ZZ", 10]]
    recipe["readmission"][0] = 8
    assert answer(case, recipe, tmp_path).verdict is verdict


def test_the_protocol_says_how_hedges_layers_and_denials_are_read() -> None:
    """Sharpened in this copy of IP-012: 4.2 tissue, 4.3 hedges, 4.4 what a summary removes."""
    text = " ".join(POLICY.read_text(encoding="utf-8").split())
    assert "A TISSUE specimen is of the layer that the text says was opened or sampled" in text
    assert "is no affirmation and opens no contradiction" in text
    assert "It removes equivocal wording only" in text


def test_edits_lead_where_they_say(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
