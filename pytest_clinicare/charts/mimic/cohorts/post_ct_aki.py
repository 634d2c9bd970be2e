"""ICU admissions with a CT."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CT_ORDER = (
    "EXISTS (SELECT 1 FROM poe WHERE poe.hadm_id = c.hadm_id"
    " AND order_type = 'Radiology' AND order_subtype = 'CT Scan')"
)
# From the heading to the end of its line.
_EXAMINATION = (
    "substr(r.text, instr(r.text, 'EXAMINATION:'),"
    " instr(substr(r.text, instr(r.text, 'EXAMINATION:')) || char(10), char(10)))"
)
_CT_REPORT = (
    "EXISTS (SELECT 1 FROM radiology r WHERE r.hadm_id = c.hadm_id AND instr(r.text, 'EXAMINATION:') > 0"
    f" AND {_EXAMINATION} || ' ' GLOB '*[^A-Za-z]CT[^A-Za-z]*')"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("at least one ICU stay", "EXISTS (SELECT 1 FROM icustays i WHERE i.hadm_id = c.hadm_id)"),
        Condition(
            "a CT: an order (Radiology, CT Scan), or a report whose EXAMINATION names CT",
            f"({_CT_ORDER} OR {_CT_REPORT})",
            notes="radiology",
            without_notes=_CT_ORDER,
        ),
    ),
)
