"""Admissions with a CT that speaks of embolism around arrival, or a code of it."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CODE = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND (d.icd_code GLOB 'I26*'"
    " OR d.icd_version = 9 AND d.icd_code GLOB '4151*'))"
)
_SCAN = (
    "EXISTS (SELECT 1 FROM radiology r, admissions a WHERE a.hadm_id = c.hadm_id AND r.charttime BETWEEN"
    " datetime(a.admittime, '-48 hours') AND datetime(a.admittime, '+48 hours') AND r.text LIKE '%CT%'"
    " AND (lower(r.text) LIKE '%pulmonary embol%' OR lower(r.text) LIKE '%filling defect%'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a code of pulmonary embolism", _CODE),
        Condition("a CT that speaks of embolism around arrival", _SCAN, notes="radiology"),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main="EXISTS (SELECT 1 FROM emar e WHERE e.hadm_id = c.hadm_id)",
    share=0.8,
)
