"""What a SEP-1 audit gathers: vital signs, laboratory, cultures, administrations and their orders, code status."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose, doses, routes
from pytest_clinicare.systems.scripted.clinical.cultures import Culture, cultures
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.session import Found, Note, Row, Session

HOUR = timedelta(hours=1)
LACTATE, WHITE, BANDS, CREATININE, BILIRUBIN, PLATELETS, INR, PTT = (
    50813,
    51301,
    51144,
    50912,
    50885,
    51265,
    51237,
    51275,
)
LABS = [LACTATE, WHITE, BANDS, CREATININE, BILIRUBIN, PLATELETS, INR, PTT]
PULSE, BREATHS, CELSIUS, FAHRENHEIT, MODE = 220045, 220210, 223762, 223761, 223849
SYSTOLIC, MEAN = (220179, 220050), (220181, 220052)
WEIGHTS = (226512, 224639)
_VITALS: list[int | str] = [
    PULSE, BREATHS, CELSIUS, FAHRENHEIT, MODE, *SYSTOLIC, *MEAN, *WEIGHTS,
    "temperature", "heartrate", "resprate", "sbp",
]  # fmt: skip


@dataclass
class Chart:
    """What the tools returned for the encounter, from 72 h before it."""

    session: Session
    patient: Row
    admission: Row
    ed: Row | None
    start: datetime
    left: datetime
    labs: Found
    vitals: Found
    microbiology: Found
    given: Found
    orders: Found
    status: Found
    diagnoses: Found
    notes: list[Note]
    cultures: list[Culture] = field(default_factory=list)
    doses: list[Dose] = field(default_factory=list)

    @property
    def intravenous(self) -> list[Dose]:
        """IV antibiotic doses, surgical prophylaxis aside (none is named as such in these wards)."""
        return [d for d in self.doses if d.route == "IV"]


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    stays = session.query("list_ed_stays").rows
    start = encounter_start(admission, stays, timedelta()) if admission else None
    left = parse_time(admission.get("dischtime")) if admission else None
    if admission is None or start is None or left is None:
        return None
    around = {"start": iso(start - 72 * HOUR), "end": iso(left)}
    chart = Chart(
        session,
        patient,
        admission,
        linked_ed_stay(admission, stays)[0],
        start,
        left,
        session.query("get_labs", items=LABS, **around),
        session.query("get_vitals", items=_VITALS, **around),
        session.query("get_microbiology", **around),
        session.query("get_medication_administrations", **around),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.query("get_code_status", hadm_id=hadm_id),
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.notes("discharge", hadm_id=hadm_id).items,
    )
    chart.cultures = [c for c in cultures(chart.microbiology.rows) if not c.screen and c.timed]
    chart.doses = doses(chart.given.rows, routes(chart.orders.rows))
    return chart
