"""ICU stays of a day or more with a culture or an antibiotic order around them, and a discharge summary."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADULT, STAYS, Cohort, Condition

_CULTURE = (
    "EXISTS (SELECT 1 FROM icustays i JOIN microbiologyevents m ON m.subject_id = i.subject_id"
    " WHERE i.stay_id = c.stay_id"
    " AND coalesce(m.charttime, m.chartdate) BETWEEN datetime(i.intime, '-48 hours') AND i.outtime)"
)
_ANTIBIOTIC = (
    "EXISTS (SELECT 1 FROM prescriptions p WHERE p.hadm_id = c.hadm_id AND (lower(p.drug) LIKE 'cef%'"
    " OR lower(p.drug) LIKE 'piperacillin%' OR lower(p.drug) LIKE 'vancomycin%' OR lower(p.drug) LIKE 'meropenem%'"
    " OR lower(p.drug) LIKE '%floxacin%' OR lower(p.drug) LIKE 'azithromycin%'))"
)

COHORT = Cohort(
    STAYS,
    (
        ADULT,
        Condition("a culture or a systemic antibiotic order around the stay", f"({_CULTURE} OR {_ANTIBIOTIC})"),
        Condition(
            "an ICU stay of 24 h or more",
            "EXISTS (SELECT 1 FROM icustays i WHERE i.stay_id = c.stay_id"
            " AND julianday(i.outtime) - julianday(i.intime) >= 1)",
        ),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
    main=f"({_CULTURE} AND {_ANTIBIOTIC})",
    share=0.85,
)
