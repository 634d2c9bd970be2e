"""What a transfusion audit gathers: red-cell units, blood counts before the first, pressures, operations and notes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign, items_of, readings
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.told import Told, day_named, transfusions
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
COUNT, GAS, TROPONIN = 51222, 50811, 51003
RED_CELLS = frozenset({225168, 220996})
PRESSORS = frozenset({221906, 222315, 221289, 221749, 221662})
MEAN = (220181, 220052, 225312)
_REPLACED = re.compile(r"dilut|hemoly", re.IGNORECASE)
_CLOCK = re.compile(r"\b(?:at|from|started)\s+(?:about\s+)?(\d{1,2}):(\d\d)", re.IGNORECASE)


@dataclass(frozen=True)
class Unit:
    """A red-cell unit outside the operating room; ``start`` is None where no time is fixed."""

    start: datetime | None
    evidence: tuple[str, ...]
    source: str


@dataclass
class Chart:
    """What the tools returned; ``index`` is the first unit outside the operating room."""

    session: Session
    admission: Row
    ed_stay: Row | None
    start: datetime
    left: datetime
    given: Found
    orders: Found
    discharge: Notes
    radiology: Notes
    procedures: Found
    diagnoses: Found
    index: Unit | None = None
    labs: Found = field(default_factory=lambda: Found([], 0))
    vitals: Found = field(default_factory=lambda: Found([], 0))

    @property
    def hadm_id(self) -> int:
        return int(self.admission["hadm_id"])

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == self.hadm_id]

    @property
    def earlier(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id != self.hadm_id and n.charttime < iso(self.start)]

    @property
    def began(self) -> datetime | None:
        return self.index.start if self.index else None

    def inputs(self, items: frozenset[int]) -> list[Row]:
        """Rows of the ICU input record with an amount."""
        return [
            r
            for r in self.given.rows
            if r.get("source") == "inputevents" and r.get("itemid") in items and (r.get("amount") or 0) > 0
        ]

    def values(self) -> list[tuple[Value, str]]:
        """Valid haemoglobins in order of time, each ``count`` or ``gas``."""
        rows = [r for r in self.labs.rows if not self._replaced(r)]
        found = [(v, "count") for v in valid_values(rows, COUNT, "g/dl", high=30)]
        found += [(v, "gas") for v in valid_values(rows, GAS, "g/dl", high=30)]
        return sorted(found, key=lambda pair: (pair[0].time, pair[0].ref))

    def _replaced(self, row: Row) -> bool:
        """Marked as diluted or haemolysed, with a repeat before the start."""
        if not _REPLACED.search(str(row.get("comments") or "")):
            return False
        later = (r for r in self.labs.rows if r["itemid"] == row["itemid"] and r["charttime"] > row["charttime"])
        return any(self.began is None or str(r["charttime"]) <= iso(self.began) for r in later)

    def systolic(self, start: datetime, end: datetime) -> list[Sign]:
        return readings("systolic pressure", self.ed_stay, self.vitals.rows, start, end)

    def mean(self, start: datetime, end: datetime) -> list[Value]:
        found = []
        for row in self.vitals.rows:
            time, number = parse_time(row.get("charttime")), row.get("valuenum")
            if row.get("itemid") in MEAN and time and number and start <= time <= end and 20 <= float(number) <= 200:
                found.append(Value(str(row["ref"]), time, Decimal(str(number))))
        return sorted(found, key=lambda v: v.time)


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    stays = session.query("list_ed_stays").rows
    ed_stay, _ = linked_ed_stay(admission, stays)
    chart = Chart(
        session,
        admission,
        ed_stay,
        encounter_start(admission, stays, timedelta()) or admitted,
        parse_time(admission.get("dischtime")) or admitted + timedelta(days=60),
        session.query("get_medication_administrations", hadm_id=hadm_id),
        session.query("get_orders", order_type="Blood Bank", hadm_id=hadm_id),
        session.notes("discharge"),
        session.notes("radiology", hadm_id=hadm_id),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_diagnoses"),
    )
    chart.index = _index(chart)
    began = chart.began
    first, last = (began - 30 * 24 * HOUR, began) if began else (chart.start - 30 * 24 * HOUR, chart.left)
    chart.labs = session.query("get_labs", items=[COUNT, GAS, TROPONIN], start=iso(first), end=iso(last))
    near = (began - 24 * HOUR, began) if began else (chart.start, chart.left)
    items = [*items_of("systolic pressure"), *MEAN]
    chart.vitals = session.query("get_vitals", items=items, start=iso(near[0]), end=iso(near[1]))
    return chart


def _index(chart: Chart) -> Unit | None:
    rows = sorted(chart.inputs(RED_CELLS), key=lambda r: str(r["charttime"]))
    if rows:
        return Unit(parse_time(rows[0]["charttime"]), (str(rows[0]["ref"]),), "input record")
    told = [(note, t) for note in chart.mine for t in transfusions(note)]
    times = [(time, t) for _, t in told if (time := _stated(t, chart.start)) is not None]
    if len(times) == len(told) and times:
        time, said = min(times, key=lambda pair: pair[0])
        return Unit(time, (said.ref,), "summary")
    return Unit(None, tuple(t.ref for _, t in told), "summary") if told else None


def _stated(told: Told, start: datetime) -> datetime | None:
    """Hospital day and clock time that a sentence gives for a unit."""
    day, clock = day_named(told.text), _CLOCK.search(told.text)
    if day is None or clock is None:
        return None
    midnight = start.replace(hour=0, minute=0, second=0)
    return midnight + timedelta(days=day - 1, hours=int(clock.group(1)), minutes=int(clock.group(2)))
