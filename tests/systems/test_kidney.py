"""Kidney disease in codes and in words; negation, history and hypothesis are not findings."""

from __future__ import annotations

import pytest

from pytest_clinicare.systems.scripted.clinical import kidney


@pytest.mark.parametrize(
    ("code", "stage"),
    [
        ("N184", 4),
        ("N18.31", 3),
        ("N186", 5),
        ("5855", 5),
        ("N189", None),
        ("5859", None),
        ("N179", None),
        ("N1830", 3),
    ],
)
def test_stage_of_a_code(code: str, stage: int | None) -> None:
    assert kidney.coded_stage({"icd_code": code}) == stage


@pytest.mark.parametrize(
    ("sentence", "stage"),
    [
        ("PMH notable for CKD stage 4.", 4),
        ("Stage IIIb chronic kidney disease, stable.", 3),
        ("CKD (stage 3a) at baseline.", 3),
        ("Chronic kidney disease, stage V.", 5),
        ("No chronic kidney disease.", None),
        ("CKD of unclear stage.", None),
    ],
)
def test_stage_as_stated(sentence: str, stage: int | None) -> None:
    found = kidney.stated_stage(f"Brief Hospital Course:\n{sentence}\n")
    assert (found[0] if found else None) == stage


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Patient with ESRD on HD MWF.", True),
        ("He receives outpatient hemodialysis three times a week.", True),
        ("He did not require maintenance dialysis.", False),
        ("No ESRD.", False),
        ("CRRT was run for three days and stopped.", False),
    ],
)
def test_end_stage_disease_as_stated(sentence: str, expected: bool) -> None:
    assert (kidney.stated_end_stage(f"Brief Hospital Course:\n{sentence}\n") is not None) is expected


def test_family_history_is_not_the_patient() -> None:
    assert (
        kidney.stated_end_stage("Family History:\nMother with ESRD on HD.\n\nBrief Hospital Course:\nDid well.\n")
        is None
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Course complicated by AKI, resolved with fluids.", True),
        ("No evidence of acute kidney injury.", False),
        ("History of AKI two years ago.", False),
    ],
)
def test_acute_kidney_injury_of_this_admission(sentence: str, expected: bool) -> None:
    assert (kidney.stated_aki(f"Brief Hospital Course:\n{sentence}\n") is not None) is expected


def test_a_transplant_evaluation_is_no_transplant() -> None:
    assert kidney.stated_transplant("Brief Hospital Course:\nReferred for kidney transplant evaluation.\n") is None
    assert kidney.stated_transplant("Past Medical History:\n- s/p living donor kidney transplant\n") is not None
