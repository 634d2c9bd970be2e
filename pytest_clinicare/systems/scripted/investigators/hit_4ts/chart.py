"""What a HIT audit gathers: heparin of every form, platelet counts, other causes, imaging, and alternatives."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.cultures import Culture, contaminants, cultures
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
PLATELETS, ANTIBODY, DENSITY = 51265, 52131, 52132
OTHERS = (51237, 51275, 51214)
_HEPARIN = re.compile(r"heparin|enoxaparin|lovenox|dalteparin|tinzaparin", re.IGNORECASE)
_FAULT = re.compile(r"clump|clot|dilut|error|unreliable|inaccurate", re.IGNORECASE)
_FLUSHED = re.compile(r"^(?:delayed )?flushed(?: in other location)?$", re.IGNORECASE)
_AGENTS = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "argatroban": "argatroban", "bivalirudin": "bivalirudin|angiomax", "fondaparinux": "fondaparinux|arixtra",
        "danaparoid": "danaparoid", "apixaban": "apixaban|eliquis", "rivaroxaban": "rivaroxaban|xarelto",
        "edoxaban": "edoxaban", "dabigatran": "dabigatran",
    }.items()
}  # fmt: skip
WARFARIN = re.compile(r"warfarin|coumadin", re.IGNORECASE)


@dataclass(frozen=True)
class Given:
    """A dose or a stretch of an infusion; ``end`` is its time for a dose."""

    agent: str
    start: datetime
    end: datetime
    row: Row

    @property
    def ref(self) -> str:
        return str(self.row["ref"])


@dataclass
class Chart:
    """What the tools returned. ``heparin`` and ``others`` are of the admission, ``before`` heparin of earlier stays."""

    session: Session
    admission: Row
    start: datetime
    left: datetime
    died: bool
    administrations: Found
    given: Found
    orders: Found
    discharge: Notes
    radiology: Notes
    microbiology: Found
    procedures: Found
    diagnoses: Found
    code_status: Found
    labs: Found = field(default_factory=lambda: Found([], 0))
    heparin: list[Given] = field(default_factory=list)
    before: list[Given] = field(default_factory=list)
    alternatives: list[Given] = field(default_factory=list)
    warfarin: list[Given] = field(default_factory=list)
    counts: list[Value] = field(default_factory=list)
    invalid: list[Row] = field(default_factory=list)
    cultures: list[Culture] = field(default_factory=list)

    @property
    def hadm_id(self) -> int:
        return int(self.admission["hadm_id"])

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == self.hadm_id]

    @property
    def first(self) -> datetime | None:
        return self.heparin[0].start if self.heparin else None

    def amount(self, given: Given) -> Decimal | None:
        """The dose of an administration, as a number."""
        for column in ("dose_given", "dose_due"):
            try:
                return Decimal(str(given.row.get(column)).split(",")[0])
            except InvalidOperation:
                continue
        return None


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    start = encounter_start(admission, session.query("list_ed_stays").rows, timedelta()) or admitted
    chart = Chart(
        session,
        admission,
        start,
        parse_time(admission.get("deathtime")) or parse_time(admission.get("dischtime")) or admitted,
        bool(admission.get("deathtime")),
        session.query("get_medication_administrations"),
        Found([], 0),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.notes("discharge"),
        session.notes("radiology", hadm_id=hadm_id),
        session.query("get_microbiology", hadm_id=hadm_id),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.query("get_code_status", hadm_id=hadm_id),
    )
    inside = [r for r in chart.administrations.rows if r.get("hadm_id") == hadm_id]
    chart.given = Found(inside, chart.administrations.call)
    chart.heparin = exposures(inside, {"heparin": _HEPARIN}, flushes=True)
    earlier = [
        r for r in chart.administrations.rows if r.get("hadm_id") != hadm_id and str(r["charttime"]) < iso(start)
    ]
    chart.before = exposures(earlier, {"heparin": _HEPARIN}, flushes=True)
    chart.alternatives = exposures(inside, _AGENTS)
    chart.warfarin = exposures(inside, {"warfarin": WARFARIN})
    since = (chart.first or start) - 7 * 24 * HOUR
    items = [PLATELETS, ANTIBODY, DENSITY, *OTHERS]
    chart.labs = session.query("get_labs", items=items, start=iso(since), end=iso(chart.left))
    chart.invalid = [
        r for r in chart.labs.rows if r["itemid"] == PLATELETS and _FAULT.search(str(r.get("comments") or ""))
    ]
    sound = [r for r in chart.labs.rows if r not in chart.invalid]
    chart.counts = valid_values(sound, PLATELETS, "k/ul", high=3000)
    found = cultures(chart.microbiology.rows)
    skin = contaminants(found)
    chart.cultures = [c for c in found if c.blood and c.isolates and not c.screen and c.specimen_id not in skin]
    return chart


def exposures(rows: list[Row], named: dict[str, re.Pattern[str]], *, flushes: bool = False) -> list[Given]:
    """Doses given and infusions with their end, in order of time (HEM-05 2.2 and 7.2)."""
    out = []
    for row in rows:
        drug, start = str(row.get("drug") or ""), parse_time(row.get("charttime"))
        agent = next((name for name, pattern in named.items() if pattern.search(drug)), None)
        if agent is None or start is None:
            continue
        event = str(row.get("event_txt") or "").strip()
        if row.get("source") == "inputevents":
            if (row.get("amount") or 0) > 0:
                out.append(Given(agent, start, parse_time(row.get("endtime")) or start, row))
        elif is_given(event) or (flushes and _FLUSHED.match(event)):
            end = _stopped(rows, row, start) if event.lower().startswith(("started", "restarted")) else start
            out.append(Given(agent, start, end, row))
    return sorted(out, key=lambda g: (g.start, g.ref))


def _stopped(rows: list[Row], row: Row, start: datetime) -> datetime:
    """The Stopped row of the same order after a Started one, else the next bag, else the start itself."""
    same = [r for r in rows if r.get("source") == "emar" and r.get("poe_id") == row.get("poe_id")]
    ends = [t for r in same if (t := parse_time(r.get("charttime"))) and t > start]
    return min(ends, default=start)
