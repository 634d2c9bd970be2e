"""Adults admitted through the ED with an ischaemic stroke code, head imaging within a day, and a summary."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CODED = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND d.seq_num <= 3 AND"
    " ((d.icd_version = 10 AND d.icd_code LIKE 'I63%') OR (d.icd_version = 9 AND"
    " (d.icd_code LIKE '433_1' OR d.icd_code LIKE '434_1'))))"
)
_IMAGED = (
    "EXISTS (SELECT 1 FROM radiology r, edstays e WHERE e.hadm_id = c.hadm_id AND r.subject_id = c.subject_id"
    " AND r.charttime BETWEEN e.intime AND datetime(e.intime, '+24 hours')"
    " AND (r.text LIKE '%CT HEAD%' OR r.text LIKE '%MR HEAD%' OR r.text LIKE '%MRI%HEAD%' OR r.text LIKE '%MR%BRAIN%'))"
)
_DOSE = (
    "(EXISTS (SELECT 1 FROM emar m WHERE m.hadm_id = c.hadm_id AND lower(m.medication) LIKE 'alteplase%'"
    " AND lower(m.medication) NOT LIKE '%clearance%')"
    " OR EXISTS (SELECT 1 FROM inputevents i WHERE i.hadm_id = c.hadm_id AND i.itemid = 221319))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("an ED stay", "EXISTS (SELECT 1 FROM edstays e WHERE e.hadm_id = c.hadm_id)"),
        Condition("an ischaemic stroke code in the first three positions", _CODED),
        Condition("a head CT or MRI report within 24 h of arrival", _IMAGED, notes="radiology"),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main=_DOSE,
    share=0.5,
)
