"""The renal trajectory investigation on hand-made charts, one trap each."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.systems.conftest import Patient

Course = list[tuple[int, list[float]]]


def build(patient: Patient, course: Course) -> list[int]:
    """Admissions by year from 2150 (age 60), a creatinine a day."""
    ids = []
    for number, (year, values) in enumerate(course, 1):
        admitted = datetime(2150 + year, 3, 1, 9)
        ids.append(patient.admission(number, admitted))
        for day, value in enumerate(values):
            patient.creatinine(admitted + timedelta(days=day, hours=2), value, ids[-1])
    return ids


def verdict(patient: Patient) -> str | None:
    report = patient.audit("renal-trajectory").report
    return report.verdict.value if report and report.verdict else None


@pytest.mark.parametrize(
    ("course", "expected"),
    [
        ([(0, [0.9, 0.9]), (2, [1.4, 1.4])], "yes"),
        ([(0, [2.6, 2.6]), (2, [3.6, 3.6])], "yes"),
        ([(0, [1.0, 1.0]), (1, [4.2, 1.7, 1.7]), (3, [1.7, 1.7])], "yes"),
        ([(0, [1.0, 1.0]), (1, [4.8, 2.9, 2.3])], "lack"),
        ([(0, [1.0, 1.1, 1.9])], "lack"),
        ([(0, [0.9]), (1, [1.6]), (2, [1.0, 1.0])], "lack"),
        ([(0, [1.0, 1.0]), (1, [3.0, 1.1, 1.0]), (2, [1.0, 1.0])], "no"),
        ([(0, [1.6, 1.6]), (2, [2.4, 1.5, 1.4])], "no"),
        ([(0, [1.0, 1.0]), (5, [1.2, 1.2])], "ambiguous"),
        ([(0, [1.0, 1.0]), (4, [1.2, 1.2])], "no"),
    ],
)
def test_measurements_decide(patient: Patient, course: Course, expected: str) -> None:
    build(patient, course)
    assert verdict(patient) == expected


def test_a_risen_code_that_the_laboratory_contradicts_is_ambiguous(patient: Patient) -> None:
    for code, hadm_id in zip(("N183", "N184"), build(patient, [(0, [1.6, 1.6]), (2, [1.6, 1.6])]), strict=True):
        patient.code(code, hadm_id)
    assert verdict(patient) == "ambiguous"


def test_onset_of_dialysis_is_worsening_whatever_the_creatinine(patient: Patient) -> None:
    ids = build(patient, [(0, [3.0, 3.0]), (1, [2.5, 2.5])])
    for code in ("N186", "Z992"):
        patient.code(code, ids[1])
    text = "Brief Hospital Course:\nNow on outpatient hemodialysis three times a week.\n"
    patient.note("discharge", text, datetime(2151, 3, 11), ids[1])
    assert verdict(patient) == "yes"


def test_dialysis_from_the_start_is_no_onset(patient: Patient) -> None:
    for hadm_id in build(patient, [(0, [5.0, 5.0]), (1, [6.5, 6.5])]):
        patient.code("N186", hadm_id)
        patient.order("Hemodialysis", "Hemodialysis", datetime(2150, 3, 2), hadm_id)
    assert verdict(patient) == "lack"


def test_temporary_dialysis_is_neither_onset_nor_a_baseline(patient: Patient) -> None:
    ids = build(patient, [(0, [0.9, 0.9]), (1, [4.0, 2.0, 1.5]), (2, [1.0, 1.0])])
    patient.draft.add(
        "procedures_icd", hadm_id=ids[1], seq_num=1, chartdate="2151-03-02", icd_code="5A1D90Z", icd_version=10
    )
    assert verdict(patient) == "no"


def test_dialysis_ordered_as_general_care_is_seen_and_cited(patient: Patient) -> None:
    ids = build(patient, [(0, [0.9, 0.9]), (1, [4.0, 2.0, 1.5]), (2, [1.0, 1.0])])
    patient.order("General Care", "Dialysis", datetime(2151, 3, 2), ids[1])
    report = patient.audit("renal-trajectory").report
    assert report is not None
    encounter = next(c for c in report.claims if c.kind == "encounter" and c.name == str(ids[1]))
    assert encounter.value == "not evaluable (dialysis in the admission)"
    assert encounter.evidence == (f"admissions:{ids[1]}", "poe:10000032-1")
    status = next(c for c in report.claims if c.name == "replacement therapy")
    assert (status.value, status.evidence) == ("temporary", ("poe:10000032-1",))


def test_weights_of_one_day_are_no_trend(patient: Patient) -> None:
    build(patient, [(0, [0.9, 0.9]), (2, [0.9, 0.9])])
    for number in range(3):
        patient.draft.add(
            "omr", chartdate="2150-03-02", seq_num=number, result_name="Weight (Lbs)", result_value="124.34"
        )
    report = patient.audit("renal-trajectory").report
    assert report is not None
    assert "on one day, 124.34 lb on 2150-03-02: no trend" in report.rationale
