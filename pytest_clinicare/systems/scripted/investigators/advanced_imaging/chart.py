"""What an imaging investigation gathers: stays, orders as chains, reports, and which report belongs to which order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.orders import Order, chains
from pytest_clinicare.systems.scripted.clinical.radiology import Study, could_match, match, read_study
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, parse_time
from pytest_clinicare.systems.scripted.session import Found, Notes, Row, Session

OUTSIDE_ICU = "outside the ICU"
# CT scan, portable CT scan, magnetic resonance imaging
_SCAN_ITEMS = frozenset({221214, 229582, 223253})


@dataclass(frozen=True)
class Stay:
    stay_id: int
    ref: str
    intime: datetime | None
    outtime: datetime | None

    def holds(self, moment: datetime) -> bool:
        return bool(self.intime and self.outtime and self.intime <= moment <= self.outtime)


@dataclass(frozen=True)
class Matched:
    """A study with the order it is matched to; ``candidates`` are the orders a date-only report could belong to."""

    study: Study
    order: Order | None
    candidates: tuple[Order, ...] = ()


@dataclass
class Chart:
    stay: Stay | None
    stays: list[Stay]
    icu: Found
    orders: list[Order]
    radiology_rows: Found
    stream: Found | None
    reports: Notes
    studies: list[Matched]
    any_report: Found
    charted: list[Row]

    def place(self, order: Order) -> str:
        """The stay whose window holds the order time (the later of two that touch), else outside the ICU."""
        holding = [s for s in self.stays if s.holds(order.time)]
        return f"ICU stay {max(holding, key=lambda s: s.intime or order.time).stay_id}" if holding else OUTSIDE_ICU

    def here(self, order: Order) -> bool:
        return self.stay is not None and self.place(order) == f"ICU stay {self.stay.stay_id}"

    def reports_of(self, order: Order) -> list[Study]:
        return [m.study for m in self.studies if m.order is order]


def gather(session: Session) -> Chart:
    hadm_id, stay_id = session.brief.hadm_id, session.brief.stay_id
    icu = session.query("list_icu_stays", hadm_id=hadm_id)
    stays = [_stay(row) for row in icu.rows]
    stay = next((s for s in stays if s.stay_id == stay_id), None)
    session.query("list_transfers", hadm_id=hadm_id)
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    start, end = _bounds(session, admission, stay)
    radiology = session.query("get_orders", order_type="Radiology", hadm_id=hadm_id)
    stream = None
    if stay and stay.intime and stay.outtime:
        stream = session.query("get_orders", start=iso(stay.intime), end=iso(stay.outtime))
        radiology = session.merged(
            radiology, Found([r for r in stream.rows if r.get("order_type") == "Radiology"], stream.call)
        )
    charted: list[Row] = []
    if start and end:
        around = session.query("get_orders", order_type="Radiology", start=iso(start), end=iso(end))
        radiology = session.merged(radiology, around)
        procedures = session.query("get_procedures", hadm_id=hadm_id, **_window(stay, start, end))
        charted = [r for r in procedures.of("procedureevents") if r.get("itemid") in _SCAN_ITEMS]
    reports = session.notes(
        "radiology", hadm_id=hadm_id, start=iso(start) if start else None, end=iso(end) if end else None
    )
    orders = [o for o in chains(radiology.rows) if o.order_type == "Radiology"]
    studies = [s for n in reports.items if (s := read_study(n.ref, n.charttime, n.text))]
    any_report = reports.listed if reports.items else session.holds("list_notes", kind="radiology")
    charted.sort(key=lambda r: str(r.get("starttime") or ""))
    chart = Chart(stay, stays, icu, orders, radiology, stream, reports, [], any_report, charted)
    chart.studies = [_matched(chart, s) for s in studies if s.in_house and s.performed]
    return chart


def _stay(row: Row) -> Stay:
    return Stay(int(row["stay_id"]), str(row["ref"]), parse_time(row.get("intime")), parse_time(row.get("outtime")))


def _bounds(session: Session, admission: Row | None, stay: Stay | None) -> tuple[datetime | None, datetime | None]:
    """Encounter start and end, a day wide on either side of what is known."""
    start = encounter_start(admission, session.query("list_ed_stays").rows, timedelta(hours=24)) if admission else None
    end = parse_time(admission.get("dischtime")) if admission else None
    return start or (stay.intime if stay else None), end or (stay.outtime if stay else None)


def _window(stay: Stay | None, start: datetime, end: datetime) -> dict[str, str]:
    return {
        "start": iso(stay.intime if stay and stay.intime else start),
        "end": iso(stay.outtime if stay and stay.outtime else end),
    }


def _matched(chart: Chart, study: Study) -> Matched:
    if study.time is not None:
        return Matched(study, match(study, chart.orders))
    candidates = could_match(study, chart.orders)
    places = {chart.place(o) for o in candidates}
    only = min(candidates, key=lambda o: o.time) if len(places) == 1 else None
    return Matched(study, only, tuple(candidates))
