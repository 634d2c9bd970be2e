"""Adult admissions through the emergency department with a poisoning code."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_DRUG = (
    "(d.icd_version = 10 AND (d.icd_code GLOB 'T3[6-9]*' OR d.icd_code GLOB 'T4*' OR d.icd_code GLOB 'T50*')"
    " AND substr(d.icd_code, 6, 1) IN ('1', '2', '4'))"
    " OR (d.icd_version = 9 AND d.icd_code GLOB '9[67][0-9]*')"
)
_ADVERSE = (
    "d.icd_version = 10 AND (d.icd_code GLOB 'T3[6-9]*' OR d.icd_code GLOB 'T4*' OR d.icd_code GLOB 'T50*')"
    " AND substr(d.icd_code, 6, 1) = '5'"
)
_POISONED = f"EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND ({_DRUG}))"
_EITHER = f"EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND ({_DRUG} OR ({_ADVERSE})))"

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a code of poisoning, or of an adverse effect, by a drug", _EITHER),
        Condition(
            "arrival through the emergency department",
            "EXISTS (SELECT 1 FROM admissions a WHERE a.hadm_id = c.hadm_id AND a.edregtime IS NOT NULL)",
        ),
    ),
    main=_POISONED,
    share=0.9,
)
