"""Admissions with a panel of a clinical isolate and a broad antibiotic before its result."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_BROAD = (
    "(lower(e.medication) LIKE 'piperacillin%' OR lower(e.medication) LIKE 'cefepime%'"
    " OR lower(e.medication) LIKE 'ceftazidime%' OR lower(e.medication) LIKE 'meropenem%'"
    " OR lower(e.medication) LIKE 'imipenem%' OR lower(e.medication) LIKE 'aztreonam%'"
    " OR lower(e.medication) IN ('vancomycin', 'linezolid', 'daptomycin', 'ceftaroline'))"
)
_ISOLATE = (
    "m.hadm_id = c.hadm_id AND m.interpretation IN ('S', 'I', 'R')"
    " AND lower(m.spec_type_desc || coalesce(m.test_name, '')) NOT LIKE '%screen%'"
    " AND lower(coalesce(m.org_name, '')) NOT LIKE '%coagulase negative%'"
)
_GIVEN_BEFORE = (
    "(EXISTS (SELECT 1 FROM emar e WHERE e.hadm_id = m.hadm_id AND e.event_txt LIKE '%Administered%'"
    f" AND e.charttime BETWEEN m.charttime AND m.storetime AND {_BROAD})"
    " OR EXISTS (SELECT 1 FROM inputevents i WHERE i.hadm_id = m.hadm_id"
    " AND i.itemid IN (225798, 225893, 225851, 225883)"
    " AND i.starttime BETWEEN m.charttime AND m.storetime))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition(
            "a clinical isolate with a panel, no screen or skin flora, and a broad antibiotic given before its result",
            f"EXISTS (SELECT 1 FROM microbiologyevents m WHERE {_ISOLATE} AND {_GIVEN_BEFORE})",
        ),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
    ),
)
