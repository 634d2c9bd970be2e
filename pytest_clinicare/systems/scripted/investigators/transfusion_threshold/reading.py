"""The parts of TM-02 that are weighed: haemoglobin, threshold, instability, coronary syndrome, symptoms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold import told
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.chart import HOUR, PRESSORS, TROPONIN, Chart
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.told import Told
from pytest_clinicare.systems.scripted.session import Row, refs

_HEART = re.compile(
    r"^bypass coronary|(?:replacement|repair|supplement) (?:of )?\w+ valve|open[- ]heart", re.IGNORECASE
)
_BONE = re.compile(
    r"^(?:reposition|replacement|revision|fusion|repair|resection|insertion|open reduction|fixation).*"
    r"(?:femur|femoral|hip|knee|tibia|fibula|humer|radius|ulna|pelvi|vertebra|ankle|shoulder|joint|bone)",
    re.IGNORECASE,
)
_PERCUTANEOUS = re.compile(r"percutaneous|transcatheter", re.IGNORECASE)
_CORONARY = re.compile(r"coronary|left heart", re.IGNORECASE)
_SEEN = re.compile(r"valve|bypass|graft|sternotomy|hip|knee|femur|nail|fixation|replacement|revision", re.IGNORECASE)


@dataclass(frozen=True)
class Threshold:
    value: Decimal
    setting: str
    evidence: tuple[str, ...]


@dataclass
class Reading:
    """What one chart shows of each part; ``fall`` is the widest drop of haemoglobin in the 24 h before the start."""

    chart: Chart
    last: tuple[Value, str] | None = None
    passed_over: tuple[Value, str] | None = None
    bleeding: tuple[str, tuple[str, ...]] | None = None
    dismissed: list[Told] = field(default_factory=list)
    lowest: Sign | None = None
    mean: Value | None = None
    pressors: list[Row] = field(default_factory=list)
    fall: tuple[Value, Value] | None = None
    syndrome: list[Told] = field(default_factory=list)
    demand: list[Told] = field(default_factory=list)
    troponin: list[Row] = field(default_factory=list)
    threshold: Threshold | None = None
    symptoms: list[Told] = field(default_factory=list)
    programme: list[Told] = field(default_factory=list)

    @property
    def unstable(self) -> str:
        """What makes overt bleeding unstable; empty where nothing does."""
        if self.lowest and self.lowest.value < 90:
            return f"systolic pressure {self.lowest.value:f} mmHg"
        if self.mean and self.mean.value < 65:
            return f"mean pressure {self.mean.value:f} mmHg"
        if self.pressors:
            return "a vasopressor running"
        if self.fall and self.fall[0].value - self.fall[1].value >= 2:
            return f"haemoglobin fall of {self.fall[0].value - self.fall[1].value} g/dL"
        return ""

    @property
    def exempt(self) -> bool:
        return self.bleeding is not None and bool(self.unstable)


def read(chart: Chart) -> Reading:
    """Every part that the chart allows; without a fixed start only what needs none."""
    reading = Reading(chart)
    for note in chart.mine:
        reading.dismissed += told.dismissed_bleeding(note)
        reading.demand += told.demand(note)
        reading.symptoms += told.symptoms(note)
    for note in (*chart.mine, *chart.earlier):
        reading.programme += told.programmes(note)
    reading.troponin = [r for r in chart.labs.rows if r.get("itemid") == TROPONIN]
    if chart.began is None:
        reading.syndrome = [t for note in chart.mine for t in told.coronary_syndromes(note)]
        return reading
    began = chart.began
    _haemoglobin(reading)
    reading.bleeding = _bleeding(reading)
    pressures = chart.systolic(began - 6 * HOUR, began)
    reading.lowest = min(pressures, key=lambda s: (s.value, s.time), default=None)
    reading.mean = min(chart.mean(began - 6 * HOUR, began), key=lambda v: (v.value, v.time), default=None)
    reading.pressors = [r for r in chart.inputs(PRESSORS) if _runs(r, chart)]
    reading.syndrome = _syndrome(chart)
    reading.threshold = _threshold(reading)
    return reading


def _runs(row: Row, chart: Chart) -> bool:
    assert chart.began is not None
    end = str(row.get("endtime") or row["charttime"])
    return str(row["charttime"]) <= iso(chart.began) and end >= iso(chart.began - 6 * HOUR)


def _haemoglobin(reading: Reading) -> None:
    """The last value, a count before a gas that lies within an hour of it; and the widest fall."""
    began = reading.chart.began
    assert began is not None
    since = max(began - 24 * HOUR, reading.chart.start)
    values = [pair for pair in reading.chart.values() if since <= pair[0].time <= began]
    if not values:
        return
    reading.last = values[-1]
    near = began - 6 * HOUR
    if reading.last[1] == "gas" and reading.last[0].time >= near:
        gas = reading.last
        counts = [p for p in values if p[1] == "count" and p[0].time >= near and gas[0].time - p[0].time <= HOUR]
        if counts:
            reading.last, reading.passed_over = counts[-1], gas
    drops = [(a, b) for n, (a, _) in enumerate(values) for b, _ in values[n + 1 :]]
    reading.fall = max(drops, key=lambda pair: pair[0].value - pair[1].value, default=None)


def _bleeding(reading: Reading) -> tuple[str, tuple[str, ...]] | None:
    """Overt bleeding in the 24 h before the start, from triage, a report, or a dated sentence of the summary."""
    chart = reading.chart
    began = chart.began
    assert began is not None
    complaint = str((chart.ed_stay or {}).get("chiefcomplaint") or "")
    arrived = parse_time((chart.ed_stay or {}).get("intime"))
    recent = arrived is not None and began - 24 * HOUR <= arrived <= began
    if chart.ed_stay and recent and told.is_bleeding(complaint):
        return f"triage complaint {complaint} at {chart.ed_stay['intime']}", (str(chart.ed_stay["triage_ref"]),)
    for note in chart.radiology.items:
        time = parse_time(note.charttime)
        impression = note.text.partition("IMPRESSION:")[2]
        if time and began - 24 * HOUR <= time <= began and told.is_bleeding(impression):
            return f"report of {note.charttime}", (note.ref,)
    midnight = chart.start.replace(hour=0, minute=0, second=0)
    for note in chart.mine:
        for said in told.bleedings(note):
            day = told.day_named(said.text)
            date = midnight + timedelta(days=day - 1) if day else None
            if date is None and said.section == "history of present illness" and recent:
                return f'"{said.text}"', (said.ref,)
            if date and date.date() in (began.date(), (began - timedelta(days=1)).date()):
                return f'"{said.text}" ({date.date()})', (said.ref,)
    return None


def _syndrome(chart: Chart) -> list[Told]:
    """A coronary syndrome of this stay that was there before the start, by its procedure, troponin or arrival."""
    assert chart.began is not None
    found = [t for note in chart.mine for t in told.coronary_syndromes(note)]
    raised = any(
        (figure := reported_figure(r)) is not None
        and figure > Decimal("0.01")
        and str(r["charttime"]) <= iso(chart.began)
        for r in chart.labs.rows
        if r.get("itemid") == TROPONIN
    )
    done = [r for r in chart.procedures.rows if _CORONARY.search(str(r.get("label") or "")) and _before(r, chart)]
    arrival = any(re.search(r"arrival|at the door|presented", t.text, re.IGNORECASE) for t in found)
    return found if found and (raised or done or arrival) else []


def _before(row: Row, chart: Chart) -> bool:
    """A coded date earlier than the calendar day of the start."""
    assert chart.began is not None
    return row.get("source") == "procedures_icd" and str(row.get("chartdate"))[:10] < iso(chart.began)[:10]


def _operation(chart: Chart, kind: re.Pattern[str]) -> tuple[str, ...]:
    """A coded operation before the start which the summary bears out."""
    coded = [
        r
        for r in chart.procedures.rows
        if kind.search(str(r.get("label") or ""))
        and not (_PERCUTANEOUS.search(str(r["label"])) and kind is _HEART)
        and _before(r, chart)
    ]
    lines = [t for note in chart.mine for t in told.operations(note) if _SEEN.search(t.text)]
    if not coded or not lines:
        return ()
    days = [found[1].ref for note in chart.mine if (found := told.operation_day(note))]
    return (*refs(coded), *(t.ref for t in lines), *days)


def _threshold(reading: Reading) -> Threshold:
    chart = reading.chart
    if reading.syndrome:
        return Threshold(Decimal("8.0"), "acute coronary syndrome", tuple(t.ref for t in reading.syndrome))
    if heart := _operation(chart, _HEART):
        return Threshold(Decimal("7.5"), "cardiac surgery", heart)
    if bone := _operation(chart, _BONE):
        return Threshold(Decimal("8.0"), "orthopaedic surgery", bone)
    known = [t for note in (*chart.mine, *chart.earlier) for t in told.vessel_disease(note)]
    if known:
        return Threshold(Decimal("8.0"), "pre-existing cardiovascular disease", tuple(t.ref for t in known))
    looked = [*(n.ref for n in chart.mine), *refs(chart.procedures.rows[:6]), *refs(chart.diagnoses.rows[:10])]
    return Threshold(Decimal("7.0"), "default", tuple(looked))
