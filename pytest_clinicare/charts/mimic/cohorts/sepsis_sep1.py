"""Adult admissions with a blood culture, an IV antibiotic near it and a lactate."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_ANTIBIOTIC = (
    "(lower(p.drug) LIKE 'cef%' OR lower(p.drug) LIKE '%cillin%' OR lower(p.drug) LIKE '%penem%'"
    " OR lower(p.drug) LIKE '%floxacin%' OR lower(p.drug) LIKE 'vancomycin%')"
)
_NEAR = (
    "EXISTS (SELECT 1 FROM microbiologyevents m, prescriptions p WHERE m.hadm_id = c.hadm_id"
    " AND m.spec_type_desc LIKE 'BLOOD CULTURE%' AND p.hadm_id = c.hadm_id AND p.route LIKE 'IV%'"
    f" AND {_ANTIBIOTIC} AND abs(julianday(p.starttime) - julianday(coalesce(m.charttime, m.chartdate))) <= 1)"
)
_STAY = (
    "(EXISTS (SELECT 1 FROM edstays e WHERE e.hadm_id = c.hadm_id)"
    " OR EXISTS (SELECT 1 FROM icustays i WHERE i.hadm_id = c.hadm_id))"
)
_ED_ROWS = (
    "NOT EXISTS (SELECT 1 FROM edstays e WHERE e.hadm_id = c.hadm_id AND NOT EXISTS"
    " (SELECT 1 FROM emar a WHERE a.subject_id = c.subject_id AND a.charttime BETWEEN e.intime AND e.outtime))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("an ED or ICU stay", _STAY),
        Condition("a blood culture and an IV antibiotic within 24 h of each other", _NEAR),
        Condition("a lactate", "EXISTS (SELECT 1 FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid = 50813)"),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main=_ED_ROWS,
    share=0.85,
    favoured="EXISTS (SELECT 1 FROM icustays i WHERE i.hadm_id = c.hadm_id)",
)
