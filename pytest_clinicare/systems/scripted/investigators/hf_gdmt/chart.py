"""What a heart-failure audit gathers: ejection fractions of every note, the discharge list, last values, the years."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.medication_list import Entry, entries
from pytest_clinicare.systems.scripted.clinical.notes import Section, section, sentences
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

POTASSIUM, CREATININE = 50971, 50912
_EF = re.compile(
    r"(?:\bLVEF|\bEF\b|ejection fraction)[^.%\d]{0,40}?(\d{1,2})(?:\s*(?:-|to)\s*(\d{1,2}))?\s*%", re.IGNORECASE
)
_STOPPED = re.compile(
    r"(?im)^[^\n\d]*(?:stopped|discontinued)[^\n]*medications?[^\n]*$|^[^\n\d]*medications?[^\n]*(?:stopped|discontinued)[^\n]*$"
)
_LEAVING = re.compile(r"discharge (?:physical )?exam|at discharge", re.IGNORECASE)
_PRESSURE = re.compile(r"\bBP:?\s*(\d{2,3})/\d{2,3}")
_PULSE = re.compile(r"\b(?:HR|pulse):?\s*(\d{2,3})\b", re.IGNORECASE)
_NO_FRACTION = frozenset({"family history", "allergies", "medications on admission", "discharge medications"})
_NONE = Found([], 0)


@dataclass(frozen=True)
class Fraction:
    """One stated ejection fraction; a range counts by its upper bound (3.2). ``mine`` is of this admission."""

    percent: int
    told: str
    time: datetime
    ref: str
    mine: bool


@dataclass
class Chart:
    """What the tools returned."""

    session: Session
    patient: Row
    admission: Row
    start: datetime
    left: datetime
    discharge: Notes
    radiology: Notes
    labs: Found = _NONE
    orders: Found = _NONE
    administrations: Found = _NONE
    home: Found = _NONE
    vitals: Found = _NONE
    diagnoses: Found = _NONE
    fractions: list[Fraction] = field(default_factory=list)

    @property
    def mine(self) -> Note | None:
        """The discharge summary of the admission."""
        hadm_id = int(self.admission["hadm_id"])
        return next((n for n in self.discharge.items if n.hadm_id == hadm_id), None)

    @property
    def looked_back(self) -> list[Fraction]:
        """Ejection fractions from 365 days before admission to discharge, the oldest first."""
        admitted = parse_time(self.admission["admittime"])
        assert admitted is not None
        return [f for f in self.fractions if admitted - timedelta(days=365) <= f.time <= self.left]

    @property
    def female(self) -> bool:
        return str(self.patient.get("gender")) == "F"

    @property
    def age(self) -> int:
        admitted = parse_time(self.admission["admittime"])
        assert admitted is not None
        return int(self.patient["anchor_age"]) + admitted.year - int(self.patient["anchor_year"])

    def last(self, itemid: int, unit: str) -> Value | None:
        """The last valid result of the admission."""
        found = [v for v in valid_values(self.labs.rows, itemid, unit) if self.start <= v.time <= self.left]
        return found[-1] if found else None


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    stays = session.query("list_ed_stays")
    start = encounter_start(admission, stays.rows, timedelta()) or admitted
    left = parse_time(admission.get("dischtime")) or admitted + timedelta(days=60)
    chart = Chart(session, patient, admission, start, left, session.notes("discharge"), session.notes("radiology"))
    window = {"start": iso(start), "end": iso(left)}
    chart.labs = session.query("get_labs", items=[POTASSIUM, CREATININE], **window)
    chart.orders = session.query("get_medication_orders", hadm_id=hadm_id)
    chart.administrations = session.query("get_medication_administrations", **window)
    mine = next((r["stay_id"] for r in stays.rows if r.get("hadm_id") == hadm_id), None)
    chart.home = session.query("get_home_medications", stay_id=mine)
    chart.vitals = session.query("get_vitals", items=["sbp", "heartrate", 220179, 220045], **window)
    chart.diagnoses = session.query("get_diagnoses", hadm_id=hadm_id)
    chart.fractions = _fractions(chart)
    return chart


def _fractions(chart: Chart) -> list[Fraction]:
    """Each stated value bears the date of its note."""
    out = []
    hadm_id = int(chart.admission["hadm_id"])
    for note in (*chart.discharge.items, *chart.radiology.items):
        time = parse_time(note.charttime)
        if time is None:
            continue
        mine = note.hadm_id == hadm_id or (note.hadm_id is None and chart.start <= time <= chart.left)
        for sentence in sentences(note.text, _NO_FRACTION):
            for found in _EF.finditer(sentence.text):
                upper = int(found.group(2) or found.group(1))
                told = f"{found.group(1)}-{found.group(2)}" if found.group(2) else found.group(1)
                ref = note.span(sentence.start, sentence.end)
                out.append(Fraction(upper, told, min(time, chart.left), ref, mine))
    return sorted(out, key=lambda f: (f.time, -f.percent))


def discharge_list(note: Note | None) -> tuple[list[Entry], Section] | None:
    """Entries of the list and where it stands, without what follows a heading of stopped medications (4.1)."""
    found = section(note.text, "discharge medications") if note else None
    if found is None or found.masked:
        return None
    cut = _STOPPED.search(found.text)
    end = cut.start() if cut else len(found.text)
    kept = Section(found.name, found.start, found.start + end, found.text[:end])
    listed = [e for e in entries(kept) if not e.stopped and not re.match(r"\s*(?:STOP|HELD|HOLD)\b", e.text)]
    return listed, kept


def examination(note: Note | None) -> tuple[tuple[int, str] | None, tuple[int, str] | None]:
    """Systolic pressure and heart rate of the discharge examination, each with its span."""
    mark = _LEAVING.search(note.text) if note else None
    if note is None or mark is None:
        return None, None
    part = note.text[mark.end() : mark.end() + 400]
    out: list[tuple[int, str] | None] = []
    for pattern in (_PRESSURE, _PULSE):
        found = pattern.search(part)
        at = mark.end()
        out.append((int(found.group(1)), note.span(at + found.start(), at + found.end())) if found else None)
    return out[0], out[1]
