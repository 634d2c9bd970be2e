"""Patients with several admissions and a creatinine."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADULT, SUBJECTS, Cohort, Condition

COHORT = Cohort(
    SUBJECTS,
    (
        ADULT,
        Condition("two or more admissions", "(SELECT count(*) FROM admissions) >= 2"),
        Condition(
            "creatinine (50912) in at least one admission",
            "EXISTS (SELECT 1 FROM labevents l JOIN admissions a WHERE l.itemid = 50912"
            " AND (l.hadm_id = a.hadm_id OR l.charttime BETWEEN a.admittime AND a.dischtime))",
        ),
    ),
)
