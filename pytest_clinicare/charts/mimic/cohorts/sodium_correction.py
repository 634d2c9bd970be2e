"""Adult admissions with a serum sodium of 120 or less and a later one, or 121 to 124 with the code."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_LOW = "EXISTS (SELECT 1 FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid = 50983 AND l.valuenum <= 120)"
_CODED = (
    "(EXISTS (SELECT 1 FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid = 50983 AND l.valuenum BETWEEN 121 AND"
    " 124) AND EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND d.icd_code IN ('E871', '2761')))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a serum sodium of 120 or less, or of 121 to 124 with the code", f"({_LOW} OR {_CODED})"),
        Condition(
            "two serum sodium values",
            "(SELECT count(*) FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid = 50983) >= 2",
        ),
    ),
    main=_LOW,
    share=0.9,
)
