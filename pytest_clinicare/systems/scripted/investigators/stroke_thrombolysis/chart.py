"""What a thrombolysis audit gathers: arrival, pressures, laboratory, administrations, home drugs, notes and imaging."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.times import iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.vital_signs import items_of
from pytest_clinicare.systems.scripted.session import Found, Note, Row, Session

INR, PT, PTT, PLATELETS, GLUCOSE = 51237, 51274, 51275, 51265, 50931
KILOGRAMS, POUNDS, DAILY_WEIGHT = 226512, 226531, 224639


@dataclass
class Chart:
    """What the tools returned for the encounter, from 24 h before arrival."""

    session: Session
    patient: Row
    admission: Row
    ed: Row
    arrival: datetime
    left: datetime
    labs: Found
    vitals: Found
    given: Found
    orders: Found
    home: Found
    diagnoses: Found
    discharge: list[Note]
    radiology: list[Note]

    @property
    def age(self) -> int:
        return int(self.patient["anchor_age"]) + self.arrival.year - int(self.patient["anchor_year"])


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None without the admission or its ED stay."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    if admission is None:
        return None
    ed, _ = linked_ed_stay(admission, session.query("list_ed_stays").rows)
    arrival = parse_time(ed.get("intime")) if ed else None
    left = parse_time(admission.get("dischtime"))
    if ed is None or arrival is None or left is None:
        return None
    around = {"start": iso(arrival - timedelta(hours=24)), "end": iso(left)}
    pressures = items_of("systolic pressure", "diastolic pressure")
    return Chart(
        session,
        patient,
        admission,
        ed,
        arrival,
        left,
        session.query("get_labs", items=[INR, PT, PTT, PLATELETS, GLUCOSE], **around),
        session.query("get_vitals", items=[*pressures, KILOGRAMS, POUNDS, DAILY_WEIGHT], **around),
        session.query("get_medication_administrations", **around),
        session.query("get_medication_orders", hadm_id=hadm_id),
        _home(session, ed),
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.notes("discharge", hadm_id=hadm_id).items,
        session.notes("radiology", hadm_id=hadm_id).items,
    )


def _home(session: Session, ed: Row) -> Found:
    """The home list taken at this ED stay."""
    found = session.query("get_home_medications")
    return Found([r for r in found.rows if r.get("stay_id") in (None, ed["stay_id"])], found.call, found.complete)
