"""What a DKA audit gathers: insulin given, chemistries by specimen, gases, sugars, ketones, and the summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
GLUCOSE, GAS_GLUCOSE, SODIUM, CHLORIDE, BICARBONATE = 50931, 50809, 50983, 50902, 50882
REPORTED_GAP, PH, SPECIMEN, LACTATE, BHB, ACETONE, URINE_KETONE = 50868, 50820, 52033, 50813, 51567, 50857, 51484
LABS = (
    GLUCOSE, GAS_GLUCOSE, SODIUM, CHLORIDE, BICARBONATE, REPORTED_GAP, PH, SPECIMEN, LACTATE, BHB, ACETONE,
    URINE_KETONE,
)  # fmt: skip
FLOWSHEET = (225664, 220621, 226537, 220274, 223830, 227073)
_SUGARS = (225664, 220621, 226537)
REGULAR = 223258
_BASAL = re.compile(r"glargine|lantus|detemir|levemir|degludec|tresiba|toujeo|\bnph\b", re.IGNORECASE)
_INSULIN = re.compile(r"insulin", re.IGNORECASE)


@dataclass(frozen=True)
class Segment:
    """A stretch of the infusion; ``end`` is None where none is recorded."""

    start: datetime
    end: datetime | None
    row: Row


@dataclass(frozen=True)
class Gap:
    """Sodium - (chloride + bicarbonate) of one chemistry specimen."""

    time: datetime
    sodium: Value
    chloride: Value
    bicarbonate: Value

    @property
    def value(self) -> Decimal:
        return self.sodium.value - (self.chloride.value + self.bicarbonate.value)

    @property
    def refs(self) -> tuple[str, ...]:
        return self.sodium.ref, self.chloride.ref, self.bicarbonate.ref

    @property
    def told(self) -> str:
        return f"{self.sodium.value} - ({self.chloride.value} + {self.bicarbonate.value}) = {self.value} mEq/L"


@dataclass(frozen=True)
class Ph:
    """A pH as reported, with its specimen type; ``venous`` is the value to compare with the limit."""

    reading: Value
    kind: str
    evidence: tuple[str, ...]

    @property
    def venous(self) -> Decimal:
        return self.reading.value - Decimal("0.03") if self.kind == "arterial" else self.reading.value


@dataclass
class Chart:
    """What the tools returned."""

    session: Session
    patient: Row
    admission: Row
    start: datetime
    given: Found
    orders: Found
    labs: Found
    diagnoses: Found
    discharge: Notes
    flowsheet: Found = field(default_factory=lambda: Found([], 0))
    segments: list[Segment] = field(default_factory=list)
    stop: datetime | None = None
    undetermined: str = ""

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == int(self.admission["hadm_id"])]

    @property
    def infused(self) -> list[Row]:
        return [s.row for s in self.segments]

    def values(self, itemid: int, unit: str, start: datetime, end: datetime, high: float = 2000) -> list[Value]:
        found = valid_values(self.labs.rows, itemid, unit, high=high, low=-1)
        return [v for v in found if start <= v.time <= end]

    def sugars(self, start: datetime, end: datetime) -> list[Value]:
        """Laboratory, gas analyser and fingerstick."""
        found = [v for item in (GLUCOSE, GAS_GLUCOSE) for v in self.values(item, "mg/dl", start, end)]
        for row in self.flowsheet.rows:
            time, figure = parse_time(row.get("charttime")), reported_figure(row)
            if row.get("itemid") in _SUGARS and time and figure is not None and start <= time <= end and figure > 0:
                found.append(Value(str(row["ref"]), time, figure))
        return sorted(found, key=lambda v: v.time)

    def gaps(self, start: datetime, end: datetime) -> list[Gap]:
        parts: dict[object, dict[int, Value]] = {}
        specimen_of = {str(r["ref"]): r.get("specimen_id") or r["ref"] for r in self.labs.rows}
        for item in (SODIUM, CHLORIDE, BICARBONATE):
            for value in self.values(item, "meq/l", start, end):
                parts.setdefault(specimen_of[value.ref], {})[item] = value
        whole = [p for p in parts.values() if len(p) == 3]
        gaps = [Gap(p[SODIUM].time, p[SODIUM], p[CHLORIDE], p[BICARBONATE]) for p in whole]
        return sorted(gaps, key=lambda g: g.time)

    def phs(self, start: datetime, end: datetime) -> list[Ph]:
        kinds = {r.get("specimen_id"): r for r in self.labs.rows if r.get("itemid") == SPECIMEN}
        specimen_of = {str(r["ref"]): r.get("specimen_id") for r in self.labs.rows}
        out = []
        for value in self.values(PH, "units", start, end, high=9):
            typed = kinds.get(specimen_of[value.ref])
            text = str((typed or {}).get("value") or "").upper()
            kind = "arterial" if text.startswith("ART") else "venous" if text else "unlabelled"
            evidence = (value.ref, *((str(typed["ref"]),) if typed else ()))
            out.append(Ph(value, kind, evidence))
        return out


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    start = encounter_start(admission, session.query("list_ed_stays").rows, timedelta()) or admitted
    left = parse_time(admission.get("dischtime")) or admitted + timedelta(days=30)
    around = {"start": iso(start), "end": iso(left)}
    chart = Chart(
        session,
        patient,
        admission,
        start,
        session.query("get_medication_administrations", hadm_id=hadm_id),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.query("get_labs", items=list(LABS), **around),
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.notes("discharge", hadm_id=hadm_id),
    )
    chart.flowsheet = session.query("get_vitals", items=list(FLOWSHEET), **around)
    chart.segments = segments(chart.given.rows)
    chart.stop, chart.undetermined = t_stop(chart.segments)
    return chart


def segments(rows: Sequence[Row]) -> list[Segment]:
    """Continuous intravenous regular insulin: input rows with a rate above zero, else eMAR starts and stops."""
    out = []
    for row in rows:
        start = parse_time(row.get("charttime"))
        if row.get("source") == "inputevents" and row.get("itemid") == REGULAR and (row.get("rate") or 0) > 0 and start:
            out.append(Segment(start, parse_time(row.get("endtime")), row))
    return sorted(out or _from_emar(rows), key=lambda s: s.start)


def _from_emar(rows: Sequence[Row]) -> list[Segment]:
    """From each start or rate change of an infusion to the next event."""
    events = []
    for row in rows:
        told, time = str(row.get("event_txt") or "").lower(), parse_time(row.get("charttime"))
        running = row.get("infusion_rate") or "drip" in str(row.get("route") or "").lower()
        if row.get("source") == "emar" and _INSULIN.search(str(row.get("drug") or "")) and running and time:
            events.append((time, told, row))
    out = []
    for n, (time, told, row) in enumerate(sorted(events, key=lambda event: event[0])):
        if told.startswith(("started", "restarted", "rate change")):
            out.append(Segment(time, events[n + 1][0] if n + 1 < len(events) else None, row))
    return out


def t_stop(found: Sequence[Segment]) -> tuple[datetime | None, str]:
    """End of the first run that is followed by more than 2 h without infusion; else why there is none."""
    if not found:
        return None, "no continuous insulin infusion was given"
    end: datetime | None = None
    for segment in found:
        if end is not None and segment.start - end > 2 * HOUR:
            return end, ""
        if segment.end is None:
            return None, "the infusion has a start without a recorded end"
        end = max(end, segment.end) if end else segment.end
    return end, ""


def basal(rows: Sequence[Row]) -> list[Row]:
    """Subcutaneous basal doses that were given, in order of time."""
    given = [
        r
        for r in rows
        if _BASAL.search(str(r.get("drug") or ""))
        and (r.get("source") == "inputevents" or is_given(r.get("event_txt")))
    ]
    return sorted(given, key=lambda r: str(r["charttime"]))


def injected(rows: Sequence[Row]) -> list[Row]:
    """All insulin that was given other than by infusion."""
    return [
        r
        for r in rows
        if _INSULIN.search(str(r.get("drug") or ""))
        and not (r.get("rate") or 0)
        and (r.get("source") == "inputevents" or is_given(r.get("event_txt")))
    ]
