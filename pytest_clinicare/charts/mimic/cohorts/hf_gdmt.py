"""Admissions with a code of heart failure and an ejection fraction in the discharge summary."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CODE = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id"
    " AND (d.icd_code LIKE '428%' AND d.icd_version = 9 OR d.icd_code LIKE 'I50%' AND d.icd_version = 10))"
)
_SUMMARY = "SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id AND "

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a code of heart failure", _CODE),
        Condition(
            "an ejection fraction and a list of discharge medications in the summary",
            f"EXISTS ({_SUMMARY}(lower(d.text) LIKE '%ejection fraction%' OR d.text LIKE '%EF%')"
            " AND lower(d.text) LIKE '%discharge medications%')",
            notes="discharge",
        ),
    ),
    main=(
        "EXISTS (SELECT 1 FROM admissions a WHERE a.hadm_id = c.hadm_id AND a.hospital_expire_flag = 0"
        " AND coalesce(a.discharge_location, '') NOT LIKE '%HOSPICE%')"
    ),
    share=0.85,
    favoured="EXISTS (SELECT 1 FROM patients p WHERE p.anchor_year_group IN ('2011 - 2013', '2017 - 2019'))",
)
