"""What a reversal audit gathers: the anticoagulant, the bleed and its time, results, pressures, agents and weight."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.administration import given as doses_given
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, iso, linked_ed_stay, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign, items_of, readings
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.bleed import Bleed, find_bleed
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session

HOUR = timedelta(hours=1)
INR, HAEMOGLOBIN, CREATININE, PTT = 51237, 51222, 50912, 51275
WEIGHTS = (226512, 224639)
PLASMA, VITAMIN_K = 220970, 227535
RED_CELLS = frozenset({225168, 220996})
PRESSORS = frozenset({221906, 222315, 221289, 221749, 221662})
DRUGS = {
    "warfarin": re.compile(r"\b(?:warfarin|coumadin|jantoven)\b", re.IGNORECASE),
    "dabigatran": re.compile(r"\b(?:dabigatran|pradaxa)\b", re.IGNORECASE),
    "apixaban": re.compile(r"\b(?:apixaban|eliquis)\b", re.IGNORECASE),
    "rivaroxaban": re.compile(r"\b(?:rivaroxaban|xarelto)\b", re.IGNORECASE),
}
AGENTS = {
    "4F-PCC": re.compile(r"kcentra|balfaxar|prothrombin complex", re.IGNORECASE),
    "aPCC": re.compile(r"feiba|anti-?inhibitor|activated prothrombin", re.IGNORECASE),
    "idarucizumab": re.compile(r"idarucizumab|praxbind", re.IGNORECASE),
    "andexanet": re.compile(r"andexanet|andexxa", re.IGNORECASE),
}
_VITAMIN = re.compile(r"phytonadione|vitamin k\b", re.IGNORECASE)
_POUND = Decimal("0.4536")


@dataclass(frozen=True)
class Dose:
    """One administered row; ``amount`` in units or mg, None where the record gives none."""

    product: str
    time: datetime | None
    amount: Decimal | None
    unit: str
    route: str
    ref: str


@dataclass(frozen=True)
class Exposure:
    """``ref`` names the drug; ``last_h`` are the hours that the summary gives, None where unknown."""

    drug: str
    ref: str
    dose: Decimal | None
    dose_ref: str
    last_h: Decimal | None
    last_ref: str

    @property
    def vka(self) -> bool:
        return self.drug == "warfarin"


@dataclass
class Chart:
    """What the tools returned."""

    session: Session
    admission: Row
    ed_stay: Row | None
    start: datetime
    left: datetime
    home: Found
    given: Found
    ordered: Found
    discharge: Notes
    radiology: Notes
    codes: Found
    bleed: Bleed | None = None
    exposure: Exposure | None = None
    labs: Found = field(default_factory=lambda: Found([], 0))
    vitals: Found = field(default_factory=lambda: Found([], 0))
    clinic: Found = field(default_factory=lambda: Found([], 0))

    @property
    def mine(self) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == int(self.admission["hadm_id"])]

    @property
    def t0(self) -> datetime | None:
        return self.bleed.time if self.bleed else None

    def doses(self) -> list[Dose]:
        """Reversal agents, vitamin K and plasma as administered, in order of time."""
        found = []
        for row in doses_given(self.given.rows):
            name, item = str(row.get("drug") or ""), row.get("itemid")
            product = next((p for p, pattern in AGENTS.items() if pattern.search(name)), "")
            if not product and (_VITAMIN.search(name) or item == VITAMIN_K):
                product = "vitamin K"
            if not product and item == PLASMA:
                product = "plasma"
            if product:
                found.append(_dose(product, row))
        return sorted(found, key=lambda d: (d.time or datetime.max, d.ref))

    def values(self, item: int, unit: str, high: float = 150) -> list[Value]:
        return valid_values(self.labs.rows, item, unit, high=high)

    def inrs(self) -> list[Value]:
        """The INR has no unit."""
        rows = [{**row, "valueuom": None} for row in self.labs.rows]
        return valid_values(rows, INR, "", high=30)

    def systolic(self, start: datetime, end: datetime) -> list[Sign]:
        return readings("systolic pressure", self.ed_stay, self.vitals.rows, start, end)

    def weight(self) -> tuple[Decimal, str] | None:
        """kg: the charted one nearest to T0, else that of the clinic in the 30 days before."""
        assert self.t0 is not None
        near = []
        for row in self.vitals.rows:
            time, number = parse_time(row.get("charttime")), row.get("valuenum")
            if row.get("itemid") in WEIGHTS and time and number and 20 <= float(number) <= 350:
                near.append((abs(time - self.t0), Decimal(str(number)), str(row["ref"])))
        if near:
            _, value, ref = min(near)
            return value, ref
        for row in sorted(self.clinic.rows, key=lambda r: str(r["chartdate"]), reverse=True):
            time = parse_time(row.get("chartdate"))
            if "weight" not in str(row["result_name"]).lower() or time is None:
                continue
            if self.t0 - 31 * 24 * HOUR < time <= self.t0:
                pounds = Decimal(str(row["result_value"]))
                return (pounds * _POUND).quantize(Decimal("0.1")), str(row["ref"])
        return None


def gather(session: Session) -> Chart | None:
    """All required sources in their scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    stays = session.query("list_ed_stays").rows
    ed_stay, _ = linked_ed_stay(admission, stays)
    listed = session.query("get_home_medications")
    mine = [row for row in listed.rows if ed_stay is not None and row["stay_id"] == ed_stay["stay_id"]]
    home = Found(mine, listed.call, listed.complete)
    chart = Chart(
        session,
        admission,
        ed_stay,
        encounter_start(admission, stays, timedelta()) or admitted,
        parse_time(admission.get("dischtime")) or admitted + timedelta(days=60),
        home,
        session.query("get_medication_administrations", hadm_id=hadm_id),
        session.query("get_medication_orders", hadm_id=hadm_id),
        session.notes("discharge"),
        session.notes("radiology", hadm_id=hadm_id),
        session.query("get_code_status", hadm_id=hadm_id),
    )
    arrival = parse_time(ed_stay.get("intime")) if ed_stay else None
    chart.bleed = find_bleed(chart.radiology.items, chart.mine, arrival)
    chart.exposure = _exposure(chart)
    t0 = chart.t0 or chart.left
    first = min(admitted, t0) - 7 * 24 * HOUR
    chart.labs = session.query(
        "get_labs", items=[INR, HAEMOGLOBIN, CREATININE, PTT], start=iso(first), end=iso(t0 + 24 * HOUR)
    )
    items = [*items_of("systolic pressure"), *WEIGHTS]
    chart.vitals = session.query("get_vitals", items=items, hadm_id=hadm_id)
    chart.clinic = session.query(
        "get_outpatient_measurements", name="Weight", start=iso(t0 - 30 * 24 * HOUR)[:10], end=iso(t0)[:10]
    )
    return chart


def oral_doses(chart: Chart, start: datetime, end: datetime) -> list[Row]:
    """Administered rows of any oral anticoagulant after ``start`` and until ``end``."""
    found = []
    for row in doses_given(chart.given.rows):
        time = parse_time(row.get("charttime"))
        named = any(pattern.search(str(row.get("drug") or "")) for pattern in DRUGS.values())
        if named and time is not None and start < time <= end:
            found.append(row)
    return found


def _dose(product: str, row: Row) -> Dose:
    text, unit = row.get("dose_given"), str(row.get("dose_given_unit") or "").split(",")[0]
    if row.get("source") == "inputevents":
        text, unit = row.get("amount"), str(row.get("amountuom") or "")
    parts = [part.strip().replace(",", "") for part in str(text or "").split(",") if part.strip()]
    try:
        amount = sum((Decimal(part) for part in parts), Decimal(0)) if parts else None
    except ArithmeticError:
        amount = None
    if amount is not None and unit.strip().lower() in ("g", "gm"):
        amount, unit = amount * 1000, "mg"
    return Dose(product, parse_time(row.get("charttime")), amount, unit, str(row.get("route") or ""), str(row["ref"]))


_SECTIONS = re.compile(r"^Medications on Admission:(.*?)^Discharge Medications:", re.DOTALL | re.MULTILINE)
_LAST = re.compile(r"(\d+(?:\.\d+)?) (?:hours?|h) before (?:the scan|arrival|the ct|admission)", re.IGNORECASE)


def _exposure(chart: Chart) -> Exposure | None:
    """Named on the home list, on the admission list of the summary, or by a dose of the 7 days before T0."""
    named: list[tuple[str, str]] = []
    for row in chart.home.rows:
        named += [(d, str(row["ref"])) for d, pattern in DRUGS.items() if pattern.search(str(row.get("name") or ""))]
    lists = []
    for note in chart.mine:
        if match := _SECTIONS.search(note.text):
            lists.append((note, match))
            named += [(d, note.span(*match.span(1))) for d, p in DRUGS.items() if p.search(match.group(1))]
    if chart.t0 is not None:
        for row in oral_doses(chart, chart.t0 - 7 * 24 * HOUR, chart.t0):
            named += [(d, str(row["ref"])) for d, p in DRUGS.items() if p.search(str(row["drug"]))]
    if not named:
        return None
    drug, ref = named[0]
    dose, dose_ref = None, ""
    for note, match in lists:
        line = re.search(rf"{DRUGS[drug].pattern}[^\n]*?(\d+(?:\.\d+)?) ?mg", match.group(1), re.IGNORECASE)
        if line:
            start = match.start(1)
            dose, dose_ref = Decimal(line.group(1)), note.span(start + line.start(), start + line.end())
    last, last_ref = None, ""
    for note in chart.mine:
        if (told := _LAST.search(note.text)) is not None:
            last, last_ref = Decimal(told.group(1)), note.span(*told.span())
    return Exposure(drug, ref, dose, dose_ref, last, last_ref)
