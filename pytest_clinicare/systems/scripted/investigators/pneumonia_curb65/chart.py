"""What a CURB-65 audit gathers: arrival, the first hours, the first urea nitrogen, chest imaging and the summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.times import iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.vital_signs import items_of
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
UREA = 51006
VERBAL, ORIENTATION = 223900, (228394, 228395, 228396)
SIGNS = ("respiratory rate", "systolic pressure", "diastolic pressure")
_INTUBATION = (224385, 225792)


@dataclass
class Chart:
    """``t0`` is the arrival in the linked ED stay, else the admission time."""

    session: Session
    patient: Found
    admission: Row
    ed_stays: Found
    ed_stay: Row | None
    t0: datetime
    icu_stays: Found
    vitals: Found
    labs: Found
    procedures: Found
    radiology: Notes
    discharge: Notes
    diagnoses: Found

    @property
    def six(self) -> datetime:
        return self.t0 + 6 * HOUR

    @property
    def intubated(self) -> datetime | None:
        """Start of intubation or invasive ventilation."""
        rows = [r for r in self.procedures.rows if r.get("itemid") in _INTUBATION]
        times = [time for r in rows if (time := parse_time(r.get("starttime")))]
        return min(times, default=None)

    @property
    def mine(self) -> list[Note]:
        return self.discharge.items


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = session.query("get_patient")
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    ed_stays = session.query("list_ed_stays")
    stay, link = linked_ed_stay(admission, ed_stays.rows)
    stay = stay if link == "hadm_id" else None
    t0 = (parse_time(stay.get("intime")) if stay else None) or admitted

    def window(before: float, after: float) -> dict[str, str]:
        return {"start": iso(t0 + before * HOUR), "end": iso(t0 + after * HOUR)}

    wanted = [*items_of(*SIGNS), VERBAL, *ORIENTATION]
    return Chart(
        session,
        patient,
        admission,
        ed_stays,
        stay,
        t0,
        session.query("list_icu_stays", hadm_id=hadm_id),
        session.query("get_vitals", items=wanted, **window(0, 6)),
        session.query("get_labs", items=[UREA], **window(0, 24)),
        session.query("get_procedures", hadm_id=hadm_id, **window(0, 24)),
        session.notes("radiology", hadm_id=hadm_id, **window(-24, 48)),
        session.notes("discharge", hadm_id=hadm_id),
        session.query("get_diagnoses", hadm_id=hadm_id),
    )
