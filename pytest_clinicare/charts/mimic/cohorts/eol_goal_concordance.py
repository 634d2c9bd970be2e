"""Admissions with intensive care that end in death or in discharge to hospice."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CODE_STATUS = (
    "(EXISTS (SELECT 1 FROM chartevents x WHERE x.hadm_id = c.hadm_id AND x.itemid = 223758)"
    " OR EXISTS (SELECT 1 FROM poe p WHERE p.hadm_id = c.hadm_id AND p.order_subtype = 'Code status'))"
)
_CODED = "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND d.icd_code IN ('Z66', 'V4986'))"

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("an ICU stay", "EXISTS (SELECT 1 FROM icustays i WHERE i.hadm_id = c.hadm_id)"),
        Condition(
            "death in hospital or discharge to hospice",
            "EXISTS (SELECT 1 FROM admissions a WHERE a.hadm_id = c.hadm_id"
            " AND (a.hospital_expire_flag = 1 OR a.discharge_location = 'HOSPICE'))",
        ),
        Condition("a code status ordered or charted, or a code for one", f"({_CODE_STATUS} OR {_CODED})"),
    ),
    main=_CODE_STATUS,
    share=0.9,
)
