"""Admissions with an operation of an NHSN category, favoured where something came after it."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_TEN = (
    "'0DTF', '0DTG', '0DTN', '0DTJ', '0FT4', '0DB8', '0DT8', '0DB6', '0DT6', '0WUF', '0YU5', '0YU6', '0SR9', '0SRB', "
    "'0SRC', '0SRD', '0210', '0211', '0212', '0213'"
)
_NINE = (
    "'4573', '4575', '4576', '1733', '1736', '4701', '4709', '5122', '5123', '4562', '437', '4389', '5305', '5351', "
    "'5361', '8151', '8152', '8154', '3611', '3612', '3613', '3614'"
)
_OPERATION = (
    "SELECT p.chartdate FROM procedures_icd p WHERE p.hadm_id = c.hadm_id AND (p.icd_version = 10 AND "
    f"substr(p.icd_code, 1, 4) IN ({_TEN}) OR p.icd_version = 9 AND p.icd_code IN ({_NINE}))"
)
_LATER = (
    "EXISTS (SELECT 1 FROM admissions a, admissions i WHERE i.hadm_id = c.hadm_id AND a.admittime > i.dischtime"
    " AND a.admittime < datetime(i.dischtime, '+90 days'))"
)
_CULTURE = (
    "EXISTS (SELECT 1 FROM microbiologyevents m, admissions i WHERE i.hadm_id = c.hadm_id"
    " AND (m.spec_type_desc IN ('ABSCESS', 'TISSUE', 'PERITONEAL FLUID', 'JOINT FLUID', 'FLUID,OTHER')"
    " OR m.spec_type_desc = 'SWAB' AND m.test_name = 'WOUND CULTURE')"
    " AND coalesce(m.charttime, m.chartdate) BETWEEN i.admittime AND datetime(i.dischtime, '+90 days'))"
)
_CODE = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d, admissions a, admissions i WHERE i.hadm_id = c.hadm_id"
    " AND a.hadm_id = d.hadm_id AND a.admittime BETWEEN i.admittime AND datetime(i.dischtime, '+90 days')"
    " AND (d.icd_code LIKE 'T814%' OR d.icd_code = '99859'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("an operation of an NHSN category of IP-012", f"EXISTS ({_OPERATION})"),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    favoured=f"({_LATER} OR {_CULTURE} OR {_CODE})",
)
