"""What a surveillance audit gathers: the operation, every encounter of the period, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from pytest_clinicare.systems.scripted.clinical.cultures import Culture, cultures
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.operation import (
    LONGEST,
    Operation,
    entries,
    index_operation,
    later_operations,
)
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

# What was sent after the last day may belong to an event that began in the period.
_BEYOND = timedelta(days=7)
_INFECTION = ("T814", "99859")


@dataclass
class Spot:
    """One encounter of the period. ``complaint`` is that of its emergency department stay; ``note`` the summary."""

    ref: str
    kind: str
    start: datetime
    end: datetime
    hadm_id: int | None
    complaint: str
    note: Note | None = None
    cultures: list[Culture] = field(default_factory=list)
    reports: list[Note] = field(default_factory=list)


@dataclass
class Chart:
    """``operation`` is None where none of a category is coded with a date; the window then runs from the admission."""

    session: Session
    admission: Row
    procedures: Found
    admissions: Found
    visits: Found
    operation: Operation | None
    window: tuple[datetime, datetime]
    microbiology: Found
    diagnoses: Found
    drugs: Found
    discharge: Notes
    radiology: Notes
    spots: list[Spot] = field(default_factory=list)

    @property
    def hadm_id(self) -> int:
        return int(self.admission["hadm_id"])

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == self.hadm_id]

    @property
    def codes(self) -> list[Row]:
        """Codes of infection after a procedure, in any admission."""
        return [r for r in self.diagnoses.rows if code_of(r).startswith(_INFECTION)]

    @property
    def later_operations(self) -> list[tuple[datetime, Row]]:
        if self.operation is None:
            return []
        found = later_operations(self.procedures.rows, self.operation)
        return [(datetime.combine(day, time()), row) for day, row in found]

    @property
    def entries(self) -> list[tuple[datetime, Row]]:
        if self.operation is None:
            return []
        return [(datetime.combine(day, time()), row) for day, row in entries(self.procedures.rows, self.operation)]


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admissions, visits = session.query("list_admissions"), session.query("list_ed_stays")
    admission = next((r for r in admissions.rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None or hadm_id is None:
        return None
    procedures = session.query("get_procedures")
    operation = index_operation(procedures.rows, hadm_id)
    first = encounter_start(admission, visits.rows, timedelta()) or admitted
    if operation:
        first = datetime.combine(operation.day_1, time())
    last = datetime.combine((first + timedelta(days=LONGEST - 1)).date(), time(23, 59, 59))
    window = {"start": iso(first), "end": iso(last)}
    chart = Chart(
        session,
        admission,
        procedures,
        admissions,
        visits,
        operation,
        (first, last),
        session.query("get_microbiology", start=iso(first), end=iso(last + _BEYOND)),
        session.query("get_diagnoses"),
        session.query("get_medication_administrations", **window),
        session.notes("discharge"),
        _reports(session, window),
    )
    chart.spots = _spots(chart)
    return chart


def _reports(session: Session, window: dict[str, str]) -> Notes:
    listed = session.query("list_notes", kind="radiology", **window)
    return Notes([session.read_note(row) for row in listed.rows], listed)


def _spots(chart: Chart) -> list[Spot]:
    """Admissions and emergency visits that touch the window, in order, with what lies inside them."""
    out: list[Spot] = []
    first, last = chart.window
    linked = {r["hadm_id"]: r for r in chart.visits.rows if r.get("hadm_id") is not None}
    for row in chart.admissions.rows:
        start = encounter_start(row, chart.visits.rows, timedelta())
        end = parse_time(row.get("dischtime"))
        if start and end and start <= last and end >= first:
            visit = linked.get(row["hadm_id"], {})
            note = next((n for n in chart.discharge.items if n.hadm_id == row["hadm_id"]), None)
            complaint = str(visit.get("chiefcomplaint") or "")
            out.append(Spot(str(row["ref"]), "admission", start, end, int(row["hadm_id"]), complaint, note))
    for row in chart.visits.rows:
        start, end = parse_time(row.get("intime")), parse_time(row.get("outtime"))
        if row.get("hadm_id") is None and start and end and start <= last and end >= first:
            complaint = str(row.get("chiefcomplaint") or "")
            out.append(Spot(str(row.get("triage_ref") or row["ref"]), "emergency visit", start, end, None, complaint))
    out.sort(key=lambda s: s.start)
    for culture in cultures(chart.microbiology.rows):
        spot = next((s for s in out if _inside(s, culture.collected, culture.timed)), None)
        if spot:
            spot.cultures.append(culture)
    for note in chart.radiology.items:
        moment = parse_time(note.charttime)
        spot = next((s for s in out if moment and _inside(s, moment, True)), None)
        if spot:
            spot.reports.append(note)
    return out


def _inside(spot: Spot, moment: datetime, timed: bool) -> bool:
    if timed:
        return spot.start <= moment <= spot.end
    return spot.start.date() <= moment.date() <= spot.end.date()
