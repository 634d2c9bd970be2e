"""What a sodium audit gathers: valid sodium values and their pairs, potassium, glucose, treatment, the summary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
SODIUM, POTASSIUM, GLUCOSE, WHOLE_BLOOD = 50983, 50971, 50931, (50824, 52455)
_VOID = re.compile(
    r"contaminat|(?:drawn )?above (?:an? |the )?(?:infusion|iv)|wrong patient|reported in error", re.IGNORECASE
)
_GIVEN = re.compile(r"3%|hypertonic|desmopressin|ddavp|dextrose 5|tolvaptan|conivaptan", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """Two values in order of draw; ``rise`` may be after correction for glucose."""

    first: Value
    second: Value
    rise: Decimal

    @property
    def apart(self) -> timedelta:
        return self.second.time - self.first.time

    @property
    def told(self) -> str:
        return (
            f"{self.first.value} at {iso(self.first.time)} to {self.second.value} at {iso(self.second.time)}, "
            f"{self.rise:+} mmol/L in {self.apart / HOUR:.2f} h"
        )

    @property
    def refs(self) -> tuple[str, str]:
        return self.first.ref, self.second.ref


@dataclass
class Chart:
    """What the tools returned; ``values`` are the valid sodium values of the review period."""

    session: Session
    patient: Row
    admission: Row
    start: datetime
    left: datetime
    labs: Found
    diagnoses: Found
    discharge: Notes
    index: Value | None = None
    values: list[Value] = field(default_factory=list)
    before: list[Value] = field(default_factory=list)
    void: list[Row] = field(default_factory=list)
    given: Found = field(default_factory=lambda: Found([], 0))

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == int(self.admission["hadm_id"])]

    @property
    def end(self) -> datetime:
        """Of the review period."""
        assert self.index
        return min(self.index.time + 96 * HOUR, self.left)

    @property
    def treatments(self) -> list[Row]:
        return [r for r in self.given.rows if _GIVEN.search(str(r.get("drug") or ""))]

    def of(self, itemid: int) -> list[Value]:
        unit, high = ("mg/dl", 3000) if itemid == GLUCOSE else ("meq/l", 300)
        return valid_values(self.labs.rows, itemid, unit, high=high)

    @property
    def whole_blood(self) -> list[Row]:
        return [r for r in self.labs.rows if r.get("itemid") in WHOLE_BLOOD]

    def glucose_at(self, time: datetime) -> Value | None:
        """The serum glucose nearest to a draw within 2 h."""
        near = [v for v in self.of(GLUCOSE) if abs(v.time - time) <= 2 * HOUR]
        return min(near, key=lambda v: abs(v.time - time), default=None)


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    patient = next(iter(session.query("get_patient").rows), {})
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    start = encounter_start(admission, session.query("list_ed_stays").rows, 6 * HOUR) or admitted
    left = parse_time(admission.get("deathtime")) or parse_time(admission.get("dischtime")) or admitted + 2400 * HOUR
    around = {"start": iso(start - 48 * HOUR), "end": iso(left)}
    items = [SODIUM, POTASSIUM, GLUCOSE, *WHOLE_BLOOD]
    chart = Chart(
        session, patient, admission, start, left, session.query("get_labs", items=items, **around),
        session.query("get_diagnoses", hadm_id=hadm_id), session.notes("discharge", hadm_id=hadm_id),
    )  # fmt: skip
    chart.void = [
        r for r in chart.labs.rows if r.get("itemid") == SODIUM and _VOID.search(str(r.get("comments") or ""))
    ]
    dropped = {str(r["ref"]) for r in chart.void}
    found = [v for v in chart.of(SODIUM) if v.ref not in dropped]
    inside = [v for v in found if start <= v.time <= left]
    chart.index = next((v for v in inside if v.value <= 120), None)
    if chart.index is not None:
        chart.values = [v for v in inside if chart.index.time <= v.time <= chart.end]
        chart.before = [v for v in found if chart.index.time - 48 * HOUR <= v.time < chart.index.time]
    else:
        chart.values = inside
    chart.given = session.query("get_medication_administrations", start=iso(start), end=iso(left))
    return chart


def pairs(values: Sequence[Value], hours: int) -> Iterator[Pair]:
    """Every ordered pair no more than ``hours`` apart whose earlier value is below 130."""
    for n, first in enumerate(values):
        for second in values[n + 1 :]:
            if first.value < 130 and second.time - first.time <= hours * HOUR:
                yield Pair(first, second, second.value - first.value)


def largest(found: Sequence[Pair]) -> Pair | None:
    """The greatest rise; of equal ones the quickest."""
    return max(found, key=lambda p: (p.rise, -p.apart), default=None)


def corrected(chart: Chart, pair: Pair) -> Pair:
    """Both ends with 1.6 mmol/L for each 100 mg/dL of glucose above 100, where both have a glucose."""
    ends = [chart.glucose_at(pair.first.time), chart.glucose_at(pair.second.time)]
    if ends[0] is None or ends[1] is None:
        return pair
    added = [max(Decimal(0), (g.value - 100) / 100 * Decimal("1.6")) for g in ends if g]
    return Pair(pair.first, pair.second, pair.rise + added[1] - added[0])
