"""Adult inpatient admissions with a code and a summary, favoured where an encounter follows within the window."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_FOLLOWED = (
    "EXISTS (SELECT 1 FROM admissions a, admissions i WHERE i.hadm_id = c.hadm_id AND a.hadm_id <> i.hadm_id"
    " AND a.admittime >= i.dischtime AND date(a.admittime) <= date(i.dischtime, '+31 days'))"
)
_SEEN = (
    "EXISTS (SELECT 1 FROM edstays e, admissions i WHERE i.hadm_id = c.hadm_id AND e.hadm_id IS NULL"
    " AND e.intime >= i.dischtime AND date(e.intime) <= date(i.dischtime, '+31 days'))"
)
_EXCLUDED = (
    "EXISTS (SELECT 1 FROM admissions i WHERE i.hadm_id = c.hadm_id"
    " AND i.discharge_location IN ('AGAINST ADVICE', 'ACUTE HOSPITAL', 'DIED'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition(
            "an admission of inpatient class",
            "EXISTS (SELECT 1 FROM admissions i WHERE i.hadm_id = c.hadm_id AND i.admission_type NOT IN"
            " ('EU OBSERVATION', 'DIRECT OBSERVATION', 'AMBULATORY OBSERVATION'))",
        ),
        Condition(
            "at least one diagnosis code",
            "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id)",
        ),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main=f"({_FOLLOWED} OR {_SEEN})",
    share=2 / 3,
    favoured=_EXCLUDED,
)
