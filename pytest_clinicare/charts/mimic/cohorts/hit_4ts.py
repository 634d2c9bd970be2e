"""Admissions with heparin on several days and a fall of platelets in which HIT was thought of."""

from __future__ import annotations

from pytest_clinicare.charts.mimic.cohort import ADMISSIONS, ADULT, Cohort, Condition

_HEPARIN = "(lower(e.medication) LIKE '%heparin%' OR lower(e.medication) LIKE '%enoxaparin%')"
_DAYS = (
    f"(SELECT count(DISTINCT substr(e.charttime, 1, 10)) FROM emar e WHERE e.hadm_id = c.hadm_id AND {_HEPARIN}"
    " AND e.event_txt IN ('Administered', 'Started', 'Restarted', 'Flushed')) >= 4"
)
_LOW = (
    "EXISTS (SELECT 1 FROM labevents a JOIN labevents b ON a.charttime < b.charttime AND b.hadm_id = c.hadm_id"
    " WHERE a.hadm_id = c.hadm_id AND a.itemid = 51265 AND b.itemid = 51265 AND b.valuenum < 150"
    " AND b.valuenum <= 0.75 * a.valuenum)"
)
_ANTIBODY = "EXISTS (SELECT 1 FROM labevents l WHERE l.hadm_id = c.hadm_id AND l.itemid IN (52131, 52132))"
_NAMED = (
    "EXISTS (SELECT 1 FROM discharge d WHERE d.hadm_id = c.hadm_id AND (d.text LIKE '%HIT %'"
    " OR lower(d.text) LIKE '%heparin-induced%' OR lower(d.text) LIKE '%heparin induced%'))"
)

COHORT = Cohort(
    ADMISSIONS,
    (
        ADULT,
        Condition("heparin or enoxaparin on at least 4 days", _DAYS),
        Condition("a platelet count below 150 after a fall of 25 %", _LOW),
        Condition(
            "a HIT antibody, or HIT named in the summary",
            f"({_ANTIBODY} OR {_NAMED})",
            notes="discharge",
            without_notes=_ANTIBODY,
        ),
    ),
)
