"""The borders of HIM-007: pending results, the last 24 hours, masks, exceptions, and what the note says of the code."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.pairs import EDITS
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.investigators.discharge_audit.concordance import group_of_wording
from tests.systems.recipes import answer, case_of, check_edits

SCENARIO = "discharge-audit"
POLICY = Path(__file__).resolve().parents[2] / "policy_docs" / "refhosp-discharge-summary-standard.md"


def _verdict(tmp_path: Path, variant: str, **changes: Any) -> Verdict:
    case = case_of(SCENARIO, variant)
    return answer(case, {**deepcopy(case.recipe), **changes}, tmp_path).verdict


@pytest.mark.parametrize(("stored", "verdict"), [(-0.5, Verdict.YES), (0.5, Verdict.NO)])
def test_pending_is_stored_after_dischtime(tmp_path: Path, stored: float, verdict: Verdict) -> None:
    case = case_of(SCENARIO, "pending-culture-unnamed")
    specimens = deepcopy(case.recipe["specimens"])
    specimens[2][2] = stored
    assert _verdict(tmp_path, "pending-culture-unnamed", specimens=specimens) is verdict


def test_a_screen_is_out_of_scope(tmp_path: Path) -> None:
    case = case_of(SCENARIO, "pending-culture-unnamed")
    specimens = deepcopy(case.recipe["specimens"])
    specimens[2][0] = "mrsa-screen"
    assert _verdict(tmp_path, "pending-culture-unnamed", specimens=specimens) is Verdict.YES


@pytest.mark.parametrize(("last", "verdict"), [(24.0, Verdict.NO), (24.25, Verdict.YES)])
def test_the_last_24_hours_are_closed(tmp_path: Path, last: float, verdict: Verdict) -> None:
    """An antibiotic that the course does not speak of."""
    case = case_of(SCENARIO, "antibiotic-lost-at-discharge")
    drugs = [["ceftriaxone", 100.0 + last, last, ""]]
    assert _verdict(tmp_path, case.variant or "", drugs=drugs, course=[]) is verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [("Ceftriaxone was completed in hospital.", Verdict.YES), ("Ceftriaxone was well tolerated.", Verdict.NO)],
)
def test_a_drug_said_to_be_completed_is_no_deficiency(tmp_path: Path, sentence: str, verdict: Verdict) -> None:
    assert _verdict(tmp_path, "antibiotic-lost-at-discharge", course=[sentence]) is verdict


def test_prophylactic_heparin_and_sliding_scale_do_not_count(tmp_path: Path) -> None:
    """Every chart may hold them up to dischtime, and no complete summary lists them."""
    assert _verdict(tmp_path, "complete-and-concordant") is Verdict.YES


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"location": " "}, Verdict.LACK),
        ({"disposition": "___"}, Verdict.LACK),
        ({"disposition": ""}, Verdict.NO),
        ({"disposition": "Extended Care"}, Verdict.NO),
        ({"follow_up": "___"}, Verdict.YES),
        ({"condition": ""}, Verdict.NO),
        ({"condition": "___"}, Verdict.YES),
        ({"diagnosis": ""}, Verdict.NO),
        ({"letter": []}, Verdict.NO),
    ],
)
def test_elements_and_disposition(tmp_path: Path, changes: dict[str, Any], verdict: Verdict) -> None:
    assert _verdict(tmp_path, "complete-and-concordant", **changes) is verdict


@pytest.mark.parametrize("lipase", [179.0, 181.0])
def test_an_unresolved_possibility_is_ambiguous_with_any_evidence(tmp_path: Path, lipase: float) -> None:
    labs = [["lactate", 1.2], ["lipase", lipase]]
    assert _verdict(tmp_path, "unresolved-differential", labs=labs) is Verdict.AMBIGUOUS


@pytest.mark.parametrize(("lipase", "verdict"), [(179.0, Verdict.YES), (180.0, Verdict.NO)])
def test_lipase_of_three_times_normal_is_measured_evidence(tmp_path: Path, lipase: float, verdict: Verdict) -> None:
    labs = [["lactate", 1.2], ["lipase", lipase]]
    assert _verdict(tmp_path, "unresolved-differential", labs=labs, course=[]) is verdict


@pytest.mark.parametrize(
    ("grown", "verdict"), [(["staph-aureus"], Verdict.AMBIGUOUS), (["cons"], Verdict.YES), ([], Verdict.YES)]
)
def test_sepsis_excluded_against_a_culture(tmp_path: Path, grown: list[str], verdict: Verdict) -> None:
    case = case_of(SCENARIO, "code-excluded-no-evidence")
    specimens = deepcopy(case.recipe["specimens"])
    specimens[0][3] = grown
    assert _verdict(tmp_path, "code-excluded-no-evidence", specimens=specimens) is verdict


def test_a_deficiency_decides_in_spite_of_an_impossible_check(tmp_path: Path) -> None:
    assert _verdict(tmp_path, "no-diagnosis-codes", condition="") is Verdict.NO


@pytest.mark.parametrize("sentence", ["Likely pneumonia, treated as such.", "Presumed pneumonia."])
def test_hedged_wording_names_the_condition(tmp_path: Path, sentence: str) -> None:
    assert _verdict(tmp_path, "excluded-but-measured", course=[sentence]) is Verdict.YES
    assert "hedged wording" in POLICY.read_text(encoding="utf-8")
    assert "a masked medication list is documented too" in POLICY.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wording", "group"),
    [("Home With Service", "Home"), ("Extended Care", "Facility"), ("Expired", "Died"), ("Home hospice", "Hospice"),
     ("___", ""), ("Nursing home", "Facility")],
)  # fmt: skip
def test_groups_of_the_note(wording: str, group: str) -> None:
    assert group_of_wording(wording) == group


def test_edits(tmp_path: Path) -> None:
    check_edits(SCENARIO, EDITS, tmp_path)
