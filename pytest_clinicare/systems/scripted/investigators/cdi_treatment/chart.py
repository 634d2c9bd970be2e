"""What a C. difficile audit gathers: assays of the patient, values around collection, and every dose."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose, doses, routes
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
WHITE, CREATININE = 51301, 50912
_SYSTOLIC = (220179, 220050, 225309)
_DIFFICILE = re.compile(r"difficile|c\. ?diff", re.IGNORECASE)
_NUCLEIC = re.compile(r"pcr|naat|amplif|dna|gene", re.IGNORECASE)
_TOXIN = re.compile(r"toxin|eia|antigen", re.IGNORECASE)
_POSITIVE = frozenset({"CLOSTRIDIUM DIFFICILE", "CLOSTRIDIOIDES DIFFICILE", "POSITIVE"})
PRESSORS = re.compile(r"norepinephrine|vasopressin|phenylephrine|\bepinephrine|dopamine", re.IGNORECASE)


@dataclass(frozen=True)
class Assay:
    """``kind`` is toxin, nucleic acid or other (GDH); ``result`` is positive or negative. A cancelled test is none."""

    kind: str
    result: str
    collected: datetime
    stored: datetime | None
    row: Row

    @property
    def ref(self) -> str:
        return str(self.row["ref"])


@dataclass
class Chart:
    """What the tools returned; ``index`` is the first positive assay of the admission."""

    session: Session
    patient: Row
    admission: Row
    start: datetime
    left: datetime
    microbiology: Found
    assays: list[Assay]
    index: Assay | None = None
    administrations: Found = field(default_factory=lambda: Found([], 0))
    orders: Found = field(default_factory=lambda: Found([], 0))
    labs: Found = field(default_factory=lambda: Found([], 0))
    inputs: Found = field(default_factory=lambda: Found([], 0))
    pressures: Found = field(default_factory=lambda: Found([], 0))
    diagnoses: Found = field(default_factory=lambda: Found([], 0))
    radiology: Notes = field(default_factory=lambda: Notes([], Found([], 0)))
    discharge: Notes = field(default_factory=lambda: Notes([], Found([], 0)))
    doses: list[Dose] = field(default_factory=list)

    @property
    def hadm_id(self) -> int:
        return int(self.admission["hadm_id"])

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == self.hadm_id]

    @property
    def inside(self) -> list[Assay]:
        """Assays collected in this admission."""
        return [a for a in self.assays if self.start <= a.collected <= self.left]

    def prescription(self, dose: Dose) -> Row | None:
        """The order that a dose was given under, by pharmacy number."""
        number = dose.row.get("pharmacy_id")
        return next((r for r in self.orders.rows if number and r.get("pharmacy_id") == number), None)


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    start = encounter_start(admission, session.query("list_ed_stays").rows, timedelta()) or admitted
    left = parse_time(admission.get("dischtime")) or admitted + timedelta(days=60)
    microbiology = session.query("get_microbiology")
    chart = Chart(session, patient, admission, start, left, microbiology, read_assays(microbiology.rows))
    chart.index = next((a for a in chart.inside if a.result == "positive" and a.kind != "other"), None)
    opening, closing, near = start, left, (start, left)
    if chart.index:
        opening = chart.index.collected - 48 * HOUR
        closing = (chart.index.stored or chart.index.collected) + timedelta(days=10)
        near = (chart.index.collected - 24 * HOUR, chart.index.collected + 24 * HOUR)
    around = {"start": iso(near[0]), "end": iso(near[1])}
    chart.administrations = session.query("get_medication_administrations", start=iso(opening), end=iso(closing))
    chart.orders = session.query("get_medication_orders", hadm_id=hadm_id)
    chart.labs = session.query("get_labs", items=[WHITE, CREATININE], **around)
    infused = session.query("get_medication_administrations", **around)
    chart.inputs = Found(
        [r for r in infused.rows if r.get("source") == "inputevents" and PRESSORS.search(str(r.get("drug") or ""))],
        infused.call,
    )
    chart.pressures = session.query("get_vitals", items=[*_SYSTOLIC, "sbp"], **around)
    chart.diagnoses = session.query("get_diagnoses", hadm_id=hadm_id)
    chart.radiology = session.notes("radiology", hadm_id=hadm_id)
    chart.discharge = session.notes("discharge")
    chart.doses = doses(chart.administrations.rows, routes(chart.orders.rows))
    return chart


def read_assays(rows: list[Row]) -> list[Assay]:
    """C. difficile assays of stool in order of collection, without cancelled ones."""
    out = []
    for row in rows:
        test, organism = str(row.get("test_name") or ""), str(row.get("org_name") or "").strip().upper()
        collected = parse_time(row.get("charttime")) or parse_time(row.get("chartdate"))
        if not _DIFFICILE.search(test) or organism == "CANCELLED" or collected is None:
            continue
        kind = "nucleic acid" if _NUCLEIC.search(test) else "toxin" if _TOXIN.search(test) else "other"
        result = "positive" if organism in _POSITIVE else "negative"
        out.append(Assay(kind, result, collected, parse_time(row.get("storetime")), row))
    return sorted(out, key=lambda a: (a.collected, a.result != "positive", a.kind))
