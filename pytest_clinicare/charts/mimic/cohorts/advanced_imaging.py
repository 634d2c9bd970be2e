"""ICU stays with orders and radiology reports."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADULT, STAYS, Cohort, Condition

_CROSS_SECTIONAL_ORDER = (
    "EXISTS (SELECT 1 FROM poe WHERE poe.hadm_id = c.hadm_id AND order_type = 'Radiology'"
    " AND order_subtype IN ('CT Scan', 'MRI', 'Cross-Sectional Interventional Radiology'))"
)
_SEVERAL_STAYS = "(SELECT count(*) FROM icustays i WHERE i.hadm_id = c.hadm_id) > 1"

COHORT = Cohort(
    STAYS,
    (
        ADULT,
        Condition("admission present in hosp.poe", "EXISTS (SELECT 1 FROM poe WHERE poe.hadm_id = c.hadm_id)"),
        Condition(
            "admission present in note.radiology",
            "EXISTS (SELECT 1 FROM radiology r WHERE r.hadm_id = c.hadm_id)",
            notes="radiology",
        ),
    ),
    main=_CROSS_SECTIONAL_ORDER,
    share=0.5,
    favoured=_SEVERAL_STAYS,
)
