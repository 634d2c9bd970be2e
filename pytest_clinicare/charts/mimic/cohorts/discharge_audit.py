"""Adult inpatient admissions with a culture, favoured where a result came after discharge."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_STAY = (
    "EXISTS (SELECT 1 FROM admissions a WHERE a.hadm_id = c.hadm_id AND coalesce(a.discharge_location, '') <> ''"
    " AND a.dischtime >= datetime(a.admittime, '+24 hours'))"
)
_CULTURE = "EXISTS (SELECT 1 FROM microbiologyevents m WHERE m.hadm_id = c.hadm_id)"
_AFTER = (
    "EXISTS (SELECT 1 FROM microbiologyevents m, admissions a WHERE m.hadm_id = c.hadm_id AND a.hadm_id = c.hadm_id"
    " AND m.storetime > a.dischtime)"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("an inpatient stay of a day or more with a discharge location", _STAY),
        Condition("at least one culture", _CULTURE),
    ),
    favoured=_AFTER,
)
