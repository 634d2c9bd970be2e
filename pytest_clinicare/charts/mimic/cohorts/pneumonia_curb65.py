"""Admissions with pneumonia and chest imaging around arrival."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CODE = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND (d.icd_code GLOB 'J1[2-8]*'"
    " OR d.icd_version = 9 AND d.icd_code GLOB '48[0-6]*'))"
)
_FILM = (
    "EXISTS (SELECT 1 FROM radiology r, admissions a WHERE a.hadm_id = c.hadm_id AND r.charttime BETWEEN"
    " datetime(a.admittime, '-48 hours') AND datetime(a.admittime, '+48 hours')"
    " AND (lower(r.text) LIKE '%consolidation%' OR lower(r.text) LIKE '%infiltrate%' OR lower(r.text) LIKE '%opacit%'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a code of pneumonia", _CODE),
        Condition("imaging that mentions an opacity around arrival", _FILM, notes="radiology"),
        Condition(
            "pneumonia in the discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id AND lower(d.text) LIKE '%pneumonia%')",
            notes="discharge",
        ),
    ),
    main="EXISTS (SELECT 1 FROM edstays e WHERE e.hadm_id = c.hadm_id)",
    share=0.8,
)
