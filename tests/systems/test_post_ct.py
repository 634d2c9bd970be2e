"""The post-CT investigation on hand-made charts, one trap each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from pytest_clinicare.environment import Environment
from tests.systems.conftest import ADMITTED, Patient

T0 = ADMITTED + timedelta(hours=30)
CT = "EXAMINATION:  CT ABD & PELVIS WITH CONTRAST\n\nFINDINGS:  No abscess.\n"


def scanned(
    patient: Patient, window: list[tuple[float, float]], prior: Sequence[tuple[float, float]] = ((200, 1.0),)
) -> int:
    """One CT ordered 6 h before T0; creatinine at hours from T0 and at days before admission."""
    hadm_id = patient.admission()
    patient.order("Radiology", "CT Scan", T0 - timedelta(hours=6), hadm_id)
    patient.note("radiology", CT, T0, hadm_id)
    for days, value in prior:
        patient.creatinine(ADMITTED - timedelta(days=days), value)
    for hours, value in window:
        patient.creatinine(T0 + timedelta(hours=hours), value, hadm_id)
    return hadm_id


def verdict(environment: Environment) -> Any:
    assert environment.report is not None
    return environment.report.verdict


@pytest.mark.parametrize(
    ("prior", "window", "expected"),
    [
        ([(200, 0.9)], [(10, 1.0), (30, 1.2)], "yes"),
        ([(200, 1.0)], [(12, 1.0), (24, 1.1), (48, 1.4)], "yes"),
        ([(200, 1.0)], [(12, 1.0), (24, 1.1), (48.1, 1.6)], "no"),
        ([(200, 0.8)], [(22, 1.4)], "yes"),
        ([(200, 1.0)], [(8, 1.1), (75, 1.5)], "lack"),
        ([(60, 0.7), (420, 0.7), (200, 1.1)], [(10, 1.2), (30, 1.3)], "no"),
        ([(200, 1.0)], [(-3, 1.5), (10, 1.2), (30, 1.0)], "no"),
        ([], [(-5, 2.4), (10, 2.6), (30, 2.8)], "yes"),
        ([], [(10, 1.3), (30, 1.2)], "lack"),
        ([(300, 0.9), (200, 1.5), (120, 1.6)], [(10, 1.3), (30, 1.4)], "ambiguous"),
    ],
)
def test_baseline_window_and_thresholds(
    patient: Patient, prior: list[tuple[float, float]], window: list[tuple[float, float]], expected: str
) -> None:
    hadm_id = scanned(patient, window, prior)
    assert verdict(patient.audit("post-ct-aki", hadm_id)) == expected


@pytest.mark.parametrize(
    ("code", "window", "expected"),
    [
        ("N184", [(10, 1.0), (30, 1.0)], "ambiguous"),
        ("N184", [(10, 1.0), (30, 1.5)], "yes"),
        ("N186", [(10, 1.0), (30, 1.5)], "ambiguous"),
        ("N179", [(10, 1.0), (30, 1.0)], "no"),
    ],
)
def test_codes_that_decide_and_codes_that_do_not(
    patient: Patient, code: str, window: list[tuple[float, float]], expected: str
) -> None:
    hadm_id = scanned(patient, window)
    patient.code(code, hadm_id)
    assert verdict(patient.audit("post-ct-aki", hadm_id)) == expected


def test_a_withdrawn_dialysis_order_still_abstains(patient: Patient) -> None:
    hadm_id = scanned(patient, [(10, 1.0), (30, 1.0)])
    patient.order("Hemodialysis", "Hemodialysis", T0, hadm_id)
    assert verdict(patient.audit("post-ct-aki", hadm_id)) == "ambiguous"


def test_without_a_report_there_is_no_scan_time(patient: Patient) -> None:
    hadm_id = patient.admission()
    patient.order("Radiology", "CT Scan", T0, hadm_id)
    patient.note("radiology", "EXAMINATION:  CHEST (PORTABLE AP)\n\nCOMPARISON:  CT chest of ___.\n", T0, hadm_id)
    for hours, value in ((-200 * 24, 0.9), (10, 0.9), (30, 1.4)):
        patient.creatinine(T0 + timedelta(hours=hours), value)
    assert verdict(patient.audit("post-ct-aki", hadm_id)) == "lack"


def test_only_the_earliest_ct_opens_a_window(patient: Patient) -> None:
    hadm_id = scanned(patient, [(10, 1.0), (30, 1.1), (120, 1.6)])
    patient.note("radiology", CT, T0 + timedelta(hours=96), hadm_id)
    assert verdict(patient.audit("post-ct-aki", hadm_id)) == "no"


def test_mdrd_serves_where_disease_is_documented_and_nothing_was_measured(patient: Patient) -> None:
    hadm_id = scanned(patient, [(10, 1.5), (30, 1.7)], [])
    patient.code("N183", hadm_id)
    environment = patient.audit("post-ct-aki", hadm_id)
    assert verdict(environment) == "yes"
    assert environment.report is not None
    (baseline,) = (c for c in environment.report.claims if c.kind == "baseline")
    assert (baseline.name, baseline.value) == ("tier 3", 1.01)
