"""Admissions with a positive C. difficile assay, or its code without one."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_POSITIVE = (
    "EXISTS (SELECT 1 FROM microbiologyevents m WHERE m.hadm_id = c.hadm_id AND lower(m.test_name) LIKE '%difficile%'"
    " AND m.org_name IN ('CLOSTRIDIUM DIFFICILE', 'CLOSTRIDIOIDES DIFFICILE', 'POSITIVE'))"
)
_CODE = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id"
    " AND d.icd_code IN ('A047', 'A0471', 'A0472', '00845'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a positive C. difficile assay, or a C. difficile code", f"({_POSITIVE} OR {_CODE})"),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main=_POSITIVE,
    share=0.85,
    favoured="EXISTS (SELECT 1 FROM patients p WHERE p.anchor_year_group IN ('2017 - 2019', '2020 - 2022'))",
)
