"""What an overdose audit gathers: arrival and release, levels, antidote, triggers, orders, codes, the summary."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.times import iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
ACETAMINOPHEN, ALT, INR = 50856, 50861, 51237


@dataclass(frozen=True)
class Level:
    """An acetaminophen level; a negative one has the value 0."""

    time: datetime
    value: Decimal
    ref: str


@dataclass(frozen=True)
class Antidote:
    """Acetylcysteine as given: ``end`` is None where it is not recorded."""

    first: datetime
    end: datetime | None
    rows: tuple[Row, ...]


@dataclass
class Chart:
    """What the tools returned."""

    session: Session
    patient: Row
    admission: Row
    ed_stay: Row | None
    arrival: datetime
    release: datetime
    labs: Found
    given: Found
    icu: Found
    procedures: Found
    diagnoses: Found
    orders: Found
    prescriptions: Found
    discharge: Notes
    levels: list[Level] = field(default_factory=list)

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == int(self.admission["hadm_id"])]

    @property
    def complaint(self) -> str:
        return str((self.ed_stay or {}).get("chiefcomplaint") or "")

    @property
    def triage_ref(self) -> str | None:
        ref = (self.ed_stay or {}).get("triage_ref")
        return str(ref) if ref else None

    @property
    def destination(self) -> str:
        return str(self.admission.get("discharge_location") or "").upper()

    def values(self, itemid: int) -> list[Value]:
        unit = "iu/l" if itemid == ALT else ""
        rows = [{**r, "valueuom": unit or None} for r in self.labs.rows if r.get("itemid") == itemid]
        return valid_values(rows, itemid, unit or "ratio", high=100000)


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    stay, _ = linked_ed_stay(admission, session.query("list_ed_stays").rows)
    arrival = parse_time(admission.get("edregtime")) or (parse_time(stay.get("intime")) if stay else None) or admitted
    release = parse_time(admission.get("dischtime")) or admitted
    around = {"start": iso(min(arrival, admitted)), "end": iso(release)}
    chart = Chart(
        session, patient, admission, stay, arrival, release,
        session.query("get_labs", items=[ACETAMINOPHEN, ALT, INR], **around),
        session.query("get_medication_administrations", hadm_id=hadm_id),
        session.query("list_icu_stays", hadm_id=hadm_id),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.query("get_orders", hadm_id=hadm_id),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.notes("discharge", hadm_id=hadm_id),
    )  # fmt: skip
    chart.levels = sorted(_levels(chart.labs.rows), key=lambda level: level.time)
    return chart


def _levels(rows: list[Row]) -> list[Level]:
    out = []
    for row in rows:
        time, figure = parse_time(row.get("charttime")), reported_figure(row)
        if row.get("itemid") != ACETAMINOPHEN or time is None:
            continue
        told = f"{row.get('value') or ''} {row.get('comments') or ''}".lower()
        if figure is None and ("neg" in told or "<" in told):
            figure = Decimal(0)
        if figure is not None:
            out.append(Level(time, figure, str(row["ref"])))
    return out


def antidote(chart: Chart) -> Antidote | None:
    """Acetylcysteine by vein or mouth: first dose, and the end of the last administration."""
    rows = [r for r in chart.given.rows if "acetylcysteine" in str(r.get("drug") or "").lower()]
    rows = [r for r in rows if str(r.get("route") or "").upper() not in ("NEB", "IH")]
    doses = [r for r in rows if r.get("source") == "inputevents" or is_given(r.get("event_txt"))]
    if not doses:
        return None
    doses.sort(key=lambda r: str(r["charttime"]))
    first, last = parse_time(doses[0]["charttime"]), doses[-1]
    assert first
    stops = [
        r
        for r in rows
        if str(r.get("event_txt") or "").lower().startswith("stopped") and str(r["charttime"]) > str(last["charttime"])
    ]
    end: datetime | None
    if last.get("source") == "inputevents":
        end = parse_time(last.get("endtime"))
    elif stops:
        end = parse_time(stops[-1]["charttime"])
    else:
        oral = str(last.get("event_txt") or "").lower().startswith("administered")
        end = parse_time(last["charttime"]) if oral else None
    return Antidote(first, end, (*doses, *stops[-1:]))
