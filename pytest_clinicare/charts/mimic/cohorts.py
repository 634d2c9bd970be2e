"""Who is eligible for a scenario: its ``mimic.cohort`` text as conditions over a chart.

Broad on purpose: real charts of the right kind, not charts whose answer is known. A condition that only notes can show
has a weaker form, or none, for data without notes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NoteTable = Literal["discharge", "radiology"]


@dataclass(frozen=True)
class Condition:
    """``sql`` is a predicate over candidate ``c`` (``subject_id``, ``hadm_id``, ``stay_id``).

    ``notes`` names the note table that it reads; where that is empty, ``without_notes`` holds instead, or nothing.
    """

    text: str
    sql: str
    notes: NoteTable | None = None
    without_notes: str | None = None


@dataclass(frozen=True)
class Cohort:
    """``candidates`` is a query of one chart's candidates, one row each.

    ``share`` of the sample should satisfy ``main`` where enough do; candidates that satisfy ``favoured`` are drawn
    three times as readily. Neither excludes anyone.
    """

    candidates: str
    conditions: tuple[Condition, ...]
    main: str = "1"
    share: float = 1.0
    favoured: str = "0"


_ADMISSIONS = "SELECT subject_id, hadm_id, NULL AS stay_id FROM admissions"
_STAYS = "SELECT subject_id, hadm_id, stay_id FROM icustays"
_SUBJECTS = "SELECT subject_id, NULL AS hadm_id, NULL AS stay_id FROM patients"

_ADULT = Condition("adult (anchor_age >= 18)", "EXISTS (SELECT 1 FROM patients WHERE anchor_age >= 18)")

_CT_ORDER = (
    "EXISTS (SELECT 1 FROM poe WHERE poe.hadm_id = c.hadm_id"
    " AND order_type = 'Radiology' AND order_subtype = 'CT Scan')"
)
# From the heading to the end of its line.
_EXAMINATION = (
    "substr(r.text, instr(r.text, 'EXAMINATION:'),"
    " instr(substr(r.text, instr(r.text, 'EXAMINATION:')) || char(10), char(10)))"
)
_CT_REPORT = (
    "EXISTS (SELECT 1 FROM radiology r WHERE r.hadm_id = c.hadm_id AND instr(r.text, 'EXAMINATION:') > 0"
    f" AND {_EXAMINATION} || ' ' GLOB '*[^A-Za-z]CT[^A-Za-z]*')"
)
_CROSS_SECTIONAL_ORDER = (
    "EXISTS (SELECT 1 FROM poe WHERE poe.hadm_id = c.hadm_id AND order_type = 'Radiology'"
    " AND order_subtype IN ('CT Scan', 'MRI', 'Cross-Sectional Interventional Radiology'))"
)
_SEVERAL_STAYS = "(SELECT count(*) FROM icustays i WHERE i.hadm_id = c.hadm_id) > 1"

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

COHORTS: dict[str, Cohort] = {
    "post-ct-aki": Cohort(
        _ADMISSIONS,
        (
            _ADULT,
            Condition("at least one ICU stay", "EXISTS (SELECT 1 FROM icustays i WHERE i.hadm_id = c.hadm_id)"),
            Condition(
                "a CT: an order (Radiology, CT Scan), or a report whose EXAMINATION names CT",
                f"({_CT_ORDER} OR {_CT_REPORT})",
                notes="radiology",
                without_notes=_CT_ORDER,
            ),
        ),
    ),
    "advanced-imaging": Cohort(
        _STAYS,
        (
            _ADULT,
            Condition("admission present in hosp.poe", "EXISTS (SELECT 1 FROM poe WHERE poe.hadm_id = c.hadm_id)"),
            Condition(
                "admission present in note.radiology",
                "EXISTS (SELECT 1 FROM radiology r WHERE r.hadm_id = c.hadm_id)",
                notes="radiology",
            ),
        ),
        main=_CROSS_SECTIONAL_ORDER,
        share=0.5,
        favoured=_SEVERAL_STAYS,
    ),
    "med-reconciliation": Cohort(
        _ADMISSIONS,
        (
            _ADULT,
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
    ),
    "renal-trajectory": Cohort(
        _SUBJECTS,
        (
            _ADULT,
            Condition("two or more admissions", "(SELECT count(*) FROM admissions) >= 2"),
            Condition(
                "creatinine (50912) in at least one admission",
                "EXISTS (SELECT 1 FROM labevents l JOIN admissions a WHERE l.itemid = 50912"
                " AND (l.hadm_id = a.hadm_id OR l.charttime BETWEEN a.admittime AND a.dischtime))",
            ),
        ),
    ),
}
"""By scenario id."""
