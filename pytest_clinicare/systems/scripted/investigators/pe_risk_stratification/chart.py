"""What an embolism audit gathers: CT reports, administrations, orders, pressures, laboratory and the summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure, valid_values
from pytest_clinicare.systems.scripted.clinical.vital_signs import items_of
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.ct import Report, reports
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
TROPONIN, PROBNP, CREATININE, PLATELETS = 51003, 50963, 50912, 51265
ADMISSION_WEIGHT, DAILY_WEIGHT = 226512, 224639
SIGNS = ("systolic pressure", "heart rate", "saturation")
_POUND = Decimal("0.45359237")


@dataclass
class Chart:
    """``t_ct`` is the examination time of the confirming CT, else of the first CT, else the arrival."""

    session: Session
    patient: Found
    admission: Row
    ed_stay: Row | None
    start: datetime
    left: datetime
    radiology: Notes
    discharge: Notes
    cts: list[Report]
    ct: Report | None
    t_ct: datetime
    given: Found
    orders: Found
    vitals: Found
    labs: Found
    body: Found
    procedures: Found
    diagnoses: Found

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == int(self.admission["hadm_id"])]

    @property
    def dispensed(self) -> dict[object, Row]:
        """Prescriptions by pharmacy number."""
        return {r["pharmacy_id"]: r for r in self.orders.rows if r.get("pharmacy_id") is not None}

    def ct_hours(self, before: float, after: float) -> tuple[datetime, datetime]:
        return self.t_ct + before * HOUR, self.t_ct + after * HOUR

    def weight(self, time: datetime) -> tuple[Decimal, str] | None:
        """The nearest weight of the encounter in kg, with its row."""
        found: list[tuple[timedelta, Decimal, str]] = []
        for row in self.vitals.rows:
            at, figure = parse_time(row.get("charttime")), reported_figure(row)
            if row.get("itemid") in (ADMISSION_WEIGHT, DAILY_WEIGHT) and at and figure and 25 <= figure <= 300:
                found.append((abs(at - time), figure, str(row["ref"])))
        for row in self.body.rows:
            at = parse_time(row.get("chartdate"))
            if row.get("result_name") == "Weight (Lbs)" and at and self.start - 24 * HOUR < at <= self.left:
                figure = Decimal(str(row["result_value"])) * _POUND
                found.append((abs(at - time), figure, str(row["ref"])))
        best = min(found, default=None, key=lambda f: f[0])
        return (best[1], best[2]) if best else None

    def clearance(self) -> Decimal | None:
        """Cockcroft-Gault from the first creatinine."""
        values = valid_values(self.labs.rows, CREATININE)
        weighed = self.weight(self.t_ct)
        if not values or weighed is None:
            return None
        factor = Decimal("0.85") if self.sex == "F" else Decimal(1)
        return (140 - self.age) * weighed[0] * factor / (72 * values[0].value)

    @property
    def age(self) -> int:
        row = self.patient.rows[0]
        return int(row["anchor_age"]) + self.start.year - int(row["anchor_year"])

    @property
    def sex(self) -> str:
        return str(self.patient.rows[0].get("gender"))


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = session.query("get_patient")
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    stays = session.query("list_ed_stays").rows
    stay, link = linked_ed_stay(admission, stays)
    start = encounter_start(admission, stays, timedelta()) or admitted
    left = parse_time(admission.get("dischtime")) or admitted + timedelta(days=30)
    radiology = session.notes("radiology", hadm_id=hadm_id, start=iso(start), end=iso(left))
    cts = reports(radiology.items)
    ct = next((r for r in cts if r.confirmed), None)
    t_ct = (ct or cts[0]).time if cts else start

    def window(before: float, after: float) -> dict[str, str]:
        return {"start": iso(t_ct + before * HOUR), "end": iso(t_ct + after * HOUR)}

    return Chart(
        session,
        patient,
        admission,
        stay if link == "hadm_id" else None,
        start,
        left,
        radiology,
        session.notes("discharge", hadm_id=hadm_id),
        cts,
        ct,
        t_ct,
        session.query("get_medication_administrations", **window(-24, 48)),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.query("get_vitals", items=[*items_of(*SIGNS), ADMISSION_WEIGHT, DAILY_WEIGHT], **window(-12, 24)),
        session.query("get_labs", items=[TROPONIN, PROBNP, CREATININE, PLATELETS], start=iso(start), end=iso(left)),
        session.query("get_outpatient_measurements"),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_diagnoses", hadm_id=hadm_id),
    )
