"""What every investigation says where there is nothing to audit."""

from __future__ import annotations

import pytest

from pytest_clinicare.suite import Verdict, load_suite
from tests.systems.conftest import Patient

# It asks of the patient, and no admission is an answer to it.
OF_THE_PATIENT = {"frequent-admitter"}


@pytest.mark.parametrize("scenario", sorted(set(load_suite().scenarios) - OF_THE_PATIENT))
def test_an_encounter_that_is_not_on_record_lacks_data(patient: Patient, scenario: str) -> None:
    report = patient.audit(scenario, 20000099, 30000099).report
    assert report is not None
    assert report.verdict is Verdict.LACK
