"""Patients with three or more admissions within some year."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADULT, SUBJECTS, Cohort, Condition

COHORT = Cohort(
    SUBJECTS,
    (
        ADULT,
        Condition(
            "three admissions within 365 days",
            "EXISTS (SELECT 1 FROM admissions a WHERE (SELECT count(*) FROM admissions b"
            " WHERE b.admittime BETWEEN a.admittime AND datetime(a.admittime, '+365 days')) >= 3)",
        ),
        Condition("a discharge summary", "EXISTS (SELECT 1 FROM discharge)", notes="discharge"),
    ),
)
