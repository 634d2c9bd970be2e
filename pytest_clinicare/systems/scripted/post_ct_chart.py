"""What a post-CT investigation gathers: the required sources, in their required scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.clinical.creatinine import Value
from pytest_clinicare.systems.scripted.clinical.orders import Order, chains
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session


@dataclass
class Chart:
    """What the tools returned for one admission."""

    patient: Row
    admission: Row
    earlier: frozenset[int]
    start: datetime
    admitted: datetime
    discharged: datetime
    labs: Found
    values: list[Value]
    radiology: Notes
    orders: Found
    dialysis_orders: Found
    diagnoses: Found
    procedures: Found
    discharge: Notes
    ct_orders: list[Order] = field(default_factory=list)

    @property
    def scope(self) -> frozenset[int]:
        """This admission and the earlier ones."""
        return self.earlier | {int(self.admission["hadm_id"])}

    @property
    def summaries(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id in self.scope]

    def codes(self, wanted: frozenset[str]) -> list[Row]:
        return [
            r for r in kidney.codes_in(self.diagnoses.of("diagnoses_icd"), wanted) if r.get("hadm_id") in self.scope
        ]


def gather(session: Session) -> Chart | None:
    """All required sources, in their required scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patients = session.query("get_patient")
    admissions = session.query("list_admissions").rows
    admission = next((row for row in admissions if row["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None or not patients.rows:
        return None
    start = encounter_start(admission, session.query("list_ed_stays").rows, timedelta(hours=6)) or admitted
    discharged = parse_time(admission.get("dischtime")) or admitted + timedelta(days=60)
    horizon = discharged + timedelta(hours=48)
    opening = min(admitted - timedelta(days=365), start)
    labs = session.query("get_labs", items=[creatinine.SERUM_CREATININE], start=iso(opening), end=iso(horizon))
    orders = session.merged(
        session.query("get_orders", order_type="Radiology", hadm_id=hadm_id),
        session.query("get_orders", order_type="Radiology", start=iso(start), end=iso(discharged)),
    )
    dialysis = session.merged(
        session.query("get_orders", order_type="Hemodialysis", hadm_id=hadm_id),
        session.query("get_orders", order_subtype="dialysis", hadm_id=hadm_id),
    )
    earlier = frozenset(r["hadm_id"] for r in admissions if (parse_time(r.get("admittime")) or admitted) < admitted)
    return Chart(
        patients.rows[0],
        admission,
        earlier,
        start,
        admitted,
        discharged,
        labs,
        creatinine.valid_values(labs.rows),
        session.notes("radiology", hadm_id=hadm_id, start=iso(start), end=iso(discharged)),
        orders,
        dialysis,
        session.query("get_diagnoses"),
        session.query("get_procedures", hadm_id=hadm_id),
        session.notes("discharge"),
        [o for o in chains(orders.rows) if o.order_type == "Radiology" and o.cross_sectional],
    )
