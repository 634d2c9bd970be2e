"""What a precipitant review gathers: the window, chemistry, fluid, cultures, reports, drugs, the summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose, doses, routes
from pytest_clinicare.systems.scripted.clinical.cultures import Culture, cultures
from pytest_clinicare.systems.scripted.clinical.radiology import title_of
from pytest_clinicare.systems.scripted.clinical.times import iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure, valid_values
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

SODIUM, POTASSIUM, CREATININE, HEMOGLOBIN = 50983, 50971, 50912, 51222
CELLS, POLYS, BANDS, RED = 52065, 51125, 51111, 51127
UNITS = {SODIUM: "meq/l", POTASSIUM: "meq/l", CREATININE: "mg/dl", HEMOGLOBIN: "g/dl"}
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Tap:
    """A specimen of ascitic fluid with its count; ``polys`` holds polys and bands, None without a differential."""

    time: datetime
    cells: Decimal
    polys: Decimal | None
    red: Decimal | None
    rows: tuple[Row, ...]

    @property
    def counted(self) -> bool:
        """A count by GI-07 6.1.1: with a differential, or below 250 without one."""
        return self.polys is not None or self.cells < 250

    @property
    def raw(self) -> Decimal:
        """PMN before the correction; a total below 250 without a differential stands for itself as the most."""
        return self.cells * self.polys / 100 if self.polys is not None else self.cells

    @property
    def pmn(self) -> Decimal:
        """Corrected by one for 250 red cells where these exceed 10,000/uL; never below 0."""
        if self.red is None or self.red <= 10000:
            return self.raw
        return max(self.raw - self.red / 250, Decimal(0))


@dataclass
class Chart:
    """What the tools returned."""

    session: Session
    admission: Row
    ed_stay: Row | None
    admitted: datetime
    labs: Found
    microbiology: Found
    given: Found
    orders: Found
    procedures: Found
    prescriptions: Found
    home: Found
    discharge: Notes
    radiology: Notes
    diagnoses: Found

    @property
    def window(self) -> tuple[datetime, datetime]:
        return self.admitted - 3 * _DAY, self.admitted + 2 * _DAY

    def inside(self, time: datetime) -> bool:
        start, end = self.window
        return start <= time <= end

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == int(self.admission["hadm_id"])]

    @property
    def complaint(self) -> str:
        return str((self.ed_stay or {}).get("chiefcomplaint") or "")

    def values(self, itemid: int) -> list[Value]:
        return valid_values(self.labs.rows, itemid, UNITS[itemid], high=1000)

    def within(self, itemid: int) -> list[Value]:
        return [v for v in self.values(itemid) if self.inside(v.time)]

    @property
    def cultures(self) -> list[Culture]:
        """Clinical cultures collected inside the window."""
        start, end = self.window
        found = [c for c in cultures(self.microbiology.rows) if not c.screen]
        return [
            c
            for c in found
            if (self.inside(c.collected) if c.timed else start <= c.collected and c.collected + _DAY <= end)
        ]

    @property
    def antibiotics(self) -> list[Dose]:
        """Doses inside the window; rifaximin treats the encephalopathy and is none of them."""
        found = doses(self.given.rows, routes(self.prescriptions.rows))
        return [d for d in found if self.inside(d.time) and d.agent != "rifaximin"]

    def reports(self, *titles: str) -> list[Note]:
        """Reports of the admission whose title holds one of the words."""
        return [n for n in self.radiology.items if any(word in title_of(n.text).upper() for word in titles)]

    def reports_inside(self, *titles: str) -> list[Note]:
        return [n for n in self.reports(*titles) if (time := parse_time(n.charttime)) and self.inside(time)]

    @property
    def taps(self) -> list[Tap]:
        """Fluid collected inside the window, in order."""
        specimens: dict[object, list[Row]] = {}
        for row in self.labs.rows:
            if row.get("itemid") in (CELLS, POLYS, BANDS, RED):
                specimens.setdefault(row.get("specimen_id") or row.get("charttime"), []).append(row)
        found = [tap for rows in specimens.values() if (tap := _tap(rows)) and self.inside(tap.time)]
        return sorted(found, key=lambda tap: tap.time)


def _tap(rows: list[Row]) -> Tap | None:
    figures = {int(r["itemid"]): figure for r in rows if (figure := reported_figure(r)) is not None}
    time = parse_time(rows[0].get("charttime"))
    if CELLS not in figures or time is None:
        return None
    polys = figures[POLYS] + figures.get(BANDS, Decimal(0)) if POLYS in figures else None
    return Tap(time, figures[CELLS], polys, figures.get(RED), tuple(rows))


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    stay, _ = linked_ed_stay(admission, session.query("list_ed_stays").rows)
    window = {"start": iso(admitted - 3 * _DAY), "end": iso(admitted + 2 * _DAY)}
    labs = {"start": iso(admitted - 365 * _DAY), "end": window["end"]}
    items = [SODIUM, POTASSIUM, CREATININE, HEMOGLOBIN, CELLS, POLYS, BANDS, RED]
    return Chart(
        session, admission, stay, admitted,
        session.query("get_labs", items=items, **labs),
        session.query("get_microbiology", **window),
        session.merged(
            session.query("get_medication_administrations", hadm_id=hadm_id),
            session.query("get_medication_administrations", **window),
        ),
        session.query("get_orders", hadm_id=hadm_id),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.query("get_home_medications", stay_id=stay["stay_id"] if stay else None),
        session.notes("discharge", hadm_id=hadm_id),
        session.notes("radiology", hadm_id=hadm_id, **window),
        session.query("get_diagnoses", hadm_id=hadm_id),
    )  # fmt: skip
