"""What a de-escalation audit gathers, and the index culture that it starts from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose, doses, routes
from pytest_clinicare.systems.scripted.clinical.cultures import Culture, Isolate, contaminants, cultures
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.session import Found, Notes, Row, Session

HOUR = timedelta(hours=1)
NEUTROPHILS = (52075, 51301, 51256, 51144)


@dataclass
class Chart:
    """What the tools returned for one admission. ``hours`` count from T_final."""

    session: Session
    admission: Row
    start: datetime
    admitted: datetime
    left: datetime
    died: datetime | None
    microbiology: Found
    cultures: list[Culture]
    foreign: list[Culture]
    index: Culture | None = None
    isolates: tuple[Isolate, ...] = ()
    final: datetime | None = None
    administrations: Found = field(default_factory=lambda: Found([], 0))
    orders: Found = field(default_factory=lambda: Found([], 0))
    labs: Found = field(default_factory=lambda: Found([], 0))
    status: Found = field(default_factory=lambda: Found([], 0))
    notes: Notes = field(default_factory=lambda: Notes([], Found([], 0)))
    doses: list[Dose] = field(default_factory=list)

    def hours(self, time: datetime) -> float:
        assert self.final is not None
        return (time - self.final) / HOUR

    def at(self, hours: float) -> datetime:
        assert self.final is not None
        return self.final + hours * HOUR

    @property
    def comfort(self) -> datetime | None:
        """When comfort measures were first ordered or charted."""
        rows = [r for r in self.status.rows if "comfort" in str(r.get("value") or "").lower()]
        return min((t for r in rows if (t := parse_time(r.get("time")))), default=None)

    @property
    def ends(self) -> tuple[datetime, str]:
        """Where observation ends, and why."""
        options = [(self.left, "discharge")]
        options += [(self.died, "death")] if self.died else []
        options += [(self.comfort, "comfort care")] if self.comfort else []
        return min(options, key=lambda option: (option[0], option[1] != "death"))


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    start = encounter_start(admission, session.query("list_ed_stays").rows, timedelta()) or admitted
    left = parse_time(admission.get("dischtime")) or admitted + timedelta(days=60)
    microbiology = session.query("get_microbiology")
    found = cultures(microbiology.rows)
    inside = [c for c in found if start <= c.collected <= left]
    chart = Chart(
        session,
        admission,
        start,
        admitted,
        left,
        parse_time(admission.get("deathtime")),
        microbiology,
        inside,
        [c for c in found if c not in inside],
    )
    chart.index = index_culture(inside)
    if chart.index:
        chart.isolates = pathogens(chart.index)
        times = [i.final for i in chart.isolates]
        chart.final = max((t for t in times if t), default=None) if all(times) else None
    follow(chart)
    return chart


def follow(chart: Chart) -> None:
    """The sources whose window hangs on the index culture; the whole stay where there is none."""
    session, hadm_id = chart.session, session_hadm(chart)
    opening, closing = chart.start, chart.left
    if chart.index and chart.final:
        opening, closing = chart.index.collected, max(chart.left, chart.final + 96 * HOUR)
        near = {"start": iso(chart.final - 24 * HOUR), "end": iso(chart.final + 24 * HOUR)}
    else:
        near = {"start": iso(chart.start), "end": iso(chart.left)}
    chart.administrations = session.query("get_medication_administrations", start=iso(opening), end=iso(closing))
    chart.orders = session.query("get_medication_orders", hadm_id=hadm_id)
    chart.labs = session.query("get_labs", items=list(NEUTROPHILS), **near)
    chart.status = session.query("get_code_status", hadm_id=hadm_id)
    chart.notes = session.notes("discharge", hadm_id=hadm_id)
    chart.doses = doses(chart.administrations.rows, routes(chart.orders.rows))


def session_hadm(chart: Chart) -> int:
    return int(chart.admission["hadm_id"])


def index_culture(found: list[Culture]) -> Culture | None:
    """The first clinical specimen with a pathogen and a panel (2.1); ties by the earlier final result."""
    dirty = contaminants(found)
    fits = [c for c in found if not c.screen and c.specimen_id not in dirty and any(i.panel for i in pathogens(c))]
    return min(fits, key=lambda c: (c.collected, max(i.final or datetime.max for i in pathogens(c))), default=None)


def pathogens(culture: Culture) -> tuple[Isolate, ...]:
    """Isolates that an antibacterial decision follows from: with susceptibility rows, no yeast."""
    return tuple(i for i in culture.isolates if i.panel and not i.yeast)
