"""Admissions of patients on an oral anticoagulant who bled, with a haemoglobin."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_NAMES = ("warfarin", "coumadin", "dabigatran", "pradaxa", "apixaban", "eliquis", "rivaroxaban", "xarelto")
_LISTED = " OR ".join(f"lower(m.name) LIKE '%{name}%'" for name in _NAMES)
_TAKEN = (
    "EXISTS (SELECT 1 FROM medrecon m JOIN edstays e USING (stay_id)"
    f" WHERE e.hadm_id = c.hadm_id AND ({_LISTED}))"
)  # fmt: skip
_ADMISSION_LIST = "substr(lower(d.text), instr(lower(d.text), 'medications on admission'), 3000)"
_TOLD = (
    "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id AND ("
    + " OR ".join(f"{_ADMISSION_LIST} LIKE '%{name}%'" for name in _NAMES)
    + "))"
)
_SITES = ("subdural", "subarachnoid", "intraparenchymal hem", "intracranial hem", "retroperitoneal hem", "hemothorax")
_SCANNED = (
    "EXISTS (SELECT 1 FROM radiology r WHERE r.hadm_id = c.hadm_id AND ("
    + " OR ".join(f"lower(r.text) LIKE '%{site}%'" for site in (*_SITES, "hemarthrosis"))
    + "))"
)
_BLED = (
    "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id AND (lower(d.text) LIKE '%melena%'"
    " OR lower(d.text) LIKE '%gi bleed%' OR lower(d.text) LIKE '%gastrointestinal bleed%'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition(
            "not elective",
            "EXISTS (SELECT 1 FROM admissions a WHERE a.hadm_id = c.hadm_id AND a.admission_type != 'ELECTIVE')",
        ),
        Condition("an oral anticoagulant before admission", f"({_TAKEN} OR {_TOLD})", notes="discharge"),
        Condition("a bleed", f"({_SCANNED} OR {_BLED})", notes="discharge"),
        Condition(
            "a haemoglobin",
            "EXISTS (SELECT 1 FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid = 51222"
            " AND l.valuenum IS NOT NULL)",
        ),
    ),
    main=_SCANNED,
    share=0.7,
)
