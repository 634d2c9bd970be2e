"""Adult admissions coded for ketoacidosis, most with an insulin infusion and a low bicarbonate on arrival."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_CODE = (
    "EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND (d.icd_code LIKE 'E101%'"
    " OR d.icd_code LIKE 'E111%' OR d.icd_code LIKE 'E131%' OR (d.icd_version = 9 AND d.icd_code LIKE '2501%')))"
)
_INFUSED = (
    "EXISTS (SELECT 1 FROM inputevents i WHERE i.hadm_id = c.hadm_id AND i.itemid = 223258 AND i.rate > 0)"
    " AND EXISTS (SELECT 1 FROM labevents l, admissions a WHERE a.hadm_id = c.hadm_id AND l.subject_id = a.subject_id"
    " AND l.itemid = 50882 AND l.valuenum <= 18 AND julianday(l.charttime) BETWEEN"
    " julianday(coalesce(a.edregtime, a.admittime)) AND julianday(coalesce(a.edregtime, a.admittime)) + 1)"
)

COHORT = Cohort(
    ADMISSIONS,
    (ADULT, Condition("a code of diabetic ketoacidosis", _CODE)),
    main=_INFUSED,
    share=0.8,
)
