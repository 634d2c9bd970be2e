"""Discharges with a home list and a discharge list, or without one."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_HOME_NAMES = (
    "(SELECT count(DISTINCT lower(m.name)) FROM medrecon m JOIN edstays e USING (stay_id) WHERE e.hadm_id = c.hadm_id)"
)
_LAST_DAY_GIVEN = (
    "EXISTS (SELECT 1 FROM emar JOIN admissions a USING (hadm_id) WHERE emar.hadm_id = c.hadm_id"
    " AND emar.charttime >= datetime(a.dischtime, '-24 hours') AND emar.charttime <= a.dischtime)"
)
_COMPARABLE = f"({_HOME_NAMES} >= 3 AND {_LAST_DAY_GIVEN})"
_NO_HOME_LIST = f"({_HOME_NAMES} = 0)"
_NO_DISCHARGE_LIST = (
    "NOT EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id"
    " AND instr(lower(d.text), 'discharge medications') > 0)"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition(
            "discharged alive",
            "EXISTS (SELECT 1 FROM admissions a WHERE a.hadm_id = c.hadm_id AND a.dischtime IS NOT NULL"
            " AND a.deathtime IS NULL AND coalesce(a.hospital_expire_flag, 0) = 0)",
        ),
        Condition(
            "a discharge summary",
            "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id)",
            notes="discharge",
        ),
        Condition(
            "main stratum (linked ED stay with 3 or more medrecon names, eMAR in the final 24 h), or deferral "
            "stratum (no linked ED stay, no medrecon row, or a summary without Discharge Medications)",
            f"({_COMPARABLE} OR {_NO_HOME_LIST} OR {_NO_DISCHARGE_LIST})",
            notes="discharge",
            without_notes=f"({_COMPARABLE} OR {_NO_HOME_LIST})",
        ),
    ),
    main=_COMPARABLE,
    share=0.8,
)
