"""What a post-CT investigation gathers: the required sources, in their required scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.clinical.orders import Order, chains
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

CT_ORDERS = ("CT Scan", "Cross-Sectional Interventional Radiology")
_CT_SCAN_ITEMS = frozenset({221214, 229582})


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
    any_report: Found
    ct_orders: list[Order] = field(default_factory=list)

    @property
    def scope(self) -> frozenset[int]:
        """This admission and the earlier ones."""
        return self.earlier | {int(self.admission["hadm_id"])}

    @property
    def charted_scans(self) -> list[Row]:
        """CT scans that the ICU charted, in order."""
        rows = [r for r in self.procedures.of("procedureevents") if r.get("itemid") in _CT_SCAN_ITEMS]
        return sorted(rows, key=lambda r: str(r.get("starttime") or ""))

    @property
    def in_encounter(self) -> list[Value]:
        """Valid creatinine values from encounter start to discharge."""
        return [v for v in self.values if self.start <= v.time <= self.discharged]

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
    radiology = session.notes("radiology", hadm_id=hadm_id, start=iso(start), end=iso(discharged))
    return Chart(
        patients.rows[0],
        admission,
        earlier,
        start,
        admitted,
        discharged,
        labs,
        creatinine.serum_values(labs.rows),
        radiology,
        orders,
        dialysis,
        session.query("get_diagnoses"),
        session.query("get_procedures", hadm_id=hadm_id),
        session.notes("discharge"),
        radiology.listed if radiology.items else session.holds("list_notes", kind="radiology"),
        [o for o in chains(orders.rows) if o.order_type == "Radiology" and o.subtype in CT_ORDERS],
    )
