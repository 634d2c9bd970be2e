"""What a Sepsis-3 audit gathers around an ICU stay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose, agent_of, doses, routes
from pytest_clinicare.systems.scripted.clinical.cultures import Culture, cultures
from pytest_clinicare.systems.scripted.clinical.gases import (
    CHARTED_OXYGEN,
    CHARTED_PO2,
    OXYGEN,
    PO2,
    SPECIMEN,
    Gas,
    gases,
)
from pytest_clinicare.systems.scripted.clinical.sofa import (
    COAGULATION,
    EYES,
    LIVER,
    MEAN_PRESSURES,
    MOTOR,
    RENAL,
    VERBAL,
    Scored,
    drips,
    of_drips,
    of_gases,
    of_glasgow,
    of_laboratory,
    of_pressures,
    of_urine,
    sedation,
)
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
PLATELETS, BILIRUBIN, CREATININE = 51265, 50885, 50912
INVASIVE, NON_INVASIVE, MODE, DEVICE = 225792, 225794, 223849, 226732
VITALS = (*MEAN_PRESSURES, EYES, VERBAL, MOTOR, CHARTED_OXYGEN, CHARTED_PO2, MODE, DEVICE)
_LAB = {
    COAGULATION: (PLATELETS, "k/ul", 3000),
    LIVER: (BILIRUBIN, "mg/dl", 100),
    RENAL: (CREATININE, "mg/dl", 50),
}


@dataclass
class Chart:
    """What the tools returned; ``scored`` are points of every value, wherever in time."""

    session: Session
    patient: Row
    admission: Row
    stay: Row
    intime: datetime
    outtime: datetime
    admitted: datetime
    microbiology: Found
    administrations: Found
    orders: Found
    labs: Found
    vitals: Found
    fluids: Found
    procedures: Found
    diagnoses: Found
    discharge: Notes
    cultures: list[Culture]
    doses: list[Dose]
    gases: list[Gas]
    scored: list[Scored]
    aside: list[Row]
    support: list[tuple[datetime, datetime]]

    @property
    def mine(self) -> list[Note]:
        return [note for note in self.discharge.items if note.hadm_id == self.session.brief.hadm_id]

    @property
    def period(self) -> tuple[datetime, datetime]:
        """In which onset must lie."""
        return self.intime - 48 * HOUR, self.outtime

    @property
    def administered(self) -> bool:
        """Whether the admission has any eMAR row, or an antibiotic in the input record."""
        rows = self.administrations.rows
        return any(row.get("source") == "emar" for row in rows) or bool(self.doses)

    @property
    def ordered(self) -> list[Row]:
        """Prescriptions of systemic antibacterials."""
        return [row for row in self.orders.rows if agent_of(str(row.get("drug") or ""))]

    def values(self, component: str) -> list[Value]:
        itemid, unit, high = _LAB[component]
        rows = [r for r in self.labs.rows if not (itemid == PLATELETS and _clumped(r))]
        return valid_values(rows, itemid, unit, high=high)


def _clumped(row: Row) -> bool:
    return "clump" in str(row.get("comments") or "").lower()


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the stay or its times are not on record."""
    brief = session.brief
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == brief.hadm_id), None)
    stay = next((r for r in session.query("list_icu_stays").rows if r["stay_id"] == brief.stay_id), None)
    intime, outtime = (parse_time(stay.get(name)) for name in ("intime", "outtime")) if stay else (None, None)
    admitted = encounter_start(admission, session.query("list_ed_stays").rows, timedelta()) if admission else None
    if admission is None or stay is None or intime is None or outtime is None or admitted is None:
        return None
    far = {"start": iso(intime - 120 * HOUR), "end": iso(outtime + 72 * HOUR)}
    near = {"start": iso(intime - 96 * HOUR), "end": iso(outtime + 24 * HOUR)}
    year = {"start": iso(min(admitted - timedelta(days=365), intime - 96 * HOUR)), "end": near["end"]}
    microbiology = session.query("get_microbiology", **near)
    administrations = session.query("get_medication_administrations", **far)
    orders = session.query("get_medication_orders", hadm_id=brief.hadm_id)
    labs = session.query("get_labs", items=[PLATELETS, BILIRUBIN, CREATININE, PO2, OXYGEN, SPECIMEN], **year)
    vitals = session.query("get_vitals", items=list(VITALS), **near)
    procedures = session.query("get_procedures", hadm_id=brief.hadm_id)
    support = _support(procedures.rows)
    infused = [r for r in administrations.rows if r.get("source") == "inputevents"]
    glasgow, aside = of_glasgow(vitals.rows, sedation(infused))
    breathing = gases(labs.rows, _room_air(vitals.rows), 4 * HOUR)
    chart = Chart(
        session=session,
        patient=patient,
        admission=admission,
        stay=stay,
        intime=intime,
        outtime=outtime,
        admitted=admitted,
        microbiology=microbiology,
        administrations=administrations,
        orders=orders,
        labs=labs,
        vitals=vitals,
        fluids=session.query("get_fluid_balance", **near),
        procedures=procedures,
        diagnoses=session.query("get_diagnoses", hadm_id=brief.hadm_id),
        discharge=session.notes("discharge"),
        cultures=cultures(microbiology.rows),
        doses=doses(administrations.rows, routes(orders.rows)),
        gases=breathing,
        scored=[],
        aside=aside,
        support=support,
    )
    chart.scored = [
        *of_gases(breathing, support),
        *(scored for name in _LAB for scored in of_laboratory(chart.values(name), name)),
        *of_pressures(vitals.rows),
        *of_drips(drips(infused)),
        *glasgow,
    ]
    return chart


def urine(chart: Chart, window: tuple[datetime, datetime]) -> list[Scored]:
    return of_urine(chart.fluids.rows, window)


def _support(rows: list[Row]) -> list[tuple[datetime, datetime]]:
    """Stretches of invasive and non-invasive ventilation."""
    found = []
    for row in rows:
        start, end = parse_time(row.get("starttime")), parse_time(row.get("endtime"))
        if row.get("itemid") in (INVASIVE, NON_INVASIVE) and start and end:
            found.append((start, end))
    return found


def _room_air(rows: list[Row]) -> list[Row]:
    """The flowsheet, in which a device charted as None is an inspired fraction of 0.21."""
    air = [
        {**row, "itemid": CHARTED_OXYGEN, "value": "21", "valuenum": 21.0}
        for row in rows
        if row.get("itemid") == DEVICE and str(row.get("value") or "").strip().lower() == "none"
    ]
    return [*rows, *air]
