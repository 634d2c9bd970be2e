"""Admissions with red cells given outside the operating room, ordered, or coded, and a haemoglobin."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_GIVEN = "EXISTS (SELECT 1 FROM inputevents i WHERE i.hadm_id = c.hadm_id AND i.itemid IN (225168, 220996))"
_ORDERED = (
    "EXISTS (SELECT 1 FROM poe o WHERE o.hadm_id = c.hadm_id AND o.order_type = 'Blood Bank'"
    " AND o.order_subtype = 'Red Cell Product Order')"
)
_CODED = (
    "EXISTS (SELECT 1 FROM procedures_icd p WHERE p.hadm_id = c.hadm_id"
    " AND p.icd_code IN ('9904', '30233N1', '30243N1'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("red cells given, ordered or coded", f"({_GIVEN} OR {_ORDERED} OR {_CODED})"),
        Condition(
            "a haemoglobin",
            "EXISTS (SELECT 1 FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid = 51222"
            " AND l.valuenum IS NOT NULL)",
        ),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main=_GIVEN,
    share=0.85,
)
