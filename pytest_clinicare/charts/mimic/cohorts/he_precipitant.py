"""Adults with coded cirrhosis and encephalopathy, lactulose or rifaximin early on, and a summary that names it."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition


def _coded(*codes: str) -> str:
    each = " OR ".join(f"d.icd_code GLOB '{code}'" for code in codes)
    return f"EXISTS (SELECT 1 FROM diagnoses_icd d WHERE d.hadm_id = c.hadm_id AND ({each}))"


_EARLY = (
    "EXISTS (SELECT 1 FROM prescriptions p JOIN admissions a USING (hadm_id) WHERE p.hadm_id = c.hadm_id"
    " AND (lower(p.drug) LIKE 'lactulose%' OR lower(p.drug) LIKE 'rifaximin%')"
    " AND p.starttime <= datetime(a.admittime, '+48 hours'))"
)
_NAMED = (
    "EXISTS (SELECT 1 FROM discharge n WHERE n.hadm_id = c.hadm_id AND lower(n.text) LIKE '%encephalopathy%'"
    " AND lower(n.text) LIKE '%cirrho%')"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("a code of cirrhosis", _coded("571[256]", "K703[01]", "K746[09]", "K74[345]")),
        Condition("a code of encephalopathy or hepatic failure", _coded("5722", "K729[01]", "K7682")),
        Condition("lactulose or rifaximin within 48 h of admission", _EARLY),
        Condition("a discharge summary that names cirrhosis and encephalopathy", _NAMED, notes="discharge"),
    ),
)
