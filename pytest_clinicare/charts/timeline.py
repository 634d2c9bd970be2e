"""What happened to a patient, in order: the encounters, and the events between them that a reader looks for first."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.charts.chart import Chart
from pytest_clinicare.charts.schema import TABLES

_EVENTS = """
    SELECT intime, 'ED arrival', coalesce(t.chiefcomplaint, ''), 'edstays:' || e.stay_id
      FROM edstays e LEFT JOIN triage t USING (stay_id)
    UNION ALL SELECT outtime, 'ED departure', coalesce(disposition, ''), 'edstays:' || stay_id FROM edstays
    UNION ALL SELECT admittime, 'admission', admission_type, 'admissions:' || hadm_id FROM admissions
    UNION ALL SELECT dischtime, 'discharge', coalesce(discharge_location, ''), 'admissions:' || hadm_id FROM admissions
    UNION ALL SELECT deathtime, 'death', 'in hospital', 'admissions:' || hadm_id FROM admissions
    UNION ALL SELECT intime, 'ICU in', coalesce(first_careunit, ''), 'icustays:' || stay_id FROM icustays
    UNION ALL SELECT outtime, 'ICU out', coalesce(last_careunit, ''), 'icustays:' || stay_id FROM icustays
    UNION ALL SELECT ordertime, 'imaging order', coalesce(order_subtype, '') || ', ' || coalesce(transaction_type, ''),
      'poe:' || poe_id FROM poe WHERE order_type = 'Radiology'
    UNION ALL SELECT charttime, 'imaging report', coalesce((SELECT field_value FROM radiology_detail d
      WHERE d.note_id = r.note_id AND d.field_name = 'exam_name' LIMIT 1), note_type), 'radiology:' || note_id
      FROM radiology r
    UNION ALL SELECT chartdate, 'procedure', coalesce(long_title, p.icd_code),
      'procedures_icd:' || hadm_id || '/' || seq_num FROM procedures_icd p
      LEFT JOIN d_icd_procedures d ON d.icd_code = p.icd_code AND d.icd_version = p.icd_version
    UNION ALL SELECT charttime, 'note', 'discharge summary', 'discharge:' || note_id FROM discharge
    UNION ALL SELECT dod, 'death', 'date of death', 'patients:' || subject_id FROM patients
"""


@dataclass(frozen=True)
class Event:
    """``time`` as the chart has it: a time, or a date where only that is known."""

    time: str
    kind: str
    text: str
    ref: str


def timeline(chart: Chart) -> list[Event]:
    """The dated events of encounters, imaging, procedures and summaries, earliest first."""
    rows = chart.rows(f"SELECT * FROM ({_EVENTS}) WHERE intime IS NOT NULL ORDER BY intime")
    return [Event(*row) for row in rows]


def row_counts(chart: Chart) -> dict[str, int]:
    """Rows of every table that has any, by qualified name (``hosp.labevents``)."""
    counts = {t.qualified: int(chart.rows(f'SELECT count(*) FROM "{name}"')[0][0]) for name, t in TABLES.items()}
    return {name: count for name, count in counts.items() if count}
