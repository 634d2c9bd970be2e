"""HEM-03 applied: indication, agent, dose, time, vitamin K and hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.chart import (
    AGENTS,
    CREATININE,
    HAEMOGLOBIN,
    HOUR,
    PRESSORS,
    RED_CELLS,
    Chart,
    Dose,
    oral_doses,
)
from pytest_clinicare.systems.scripted.session import Row, refs

MINUTE = timedelta(minutes=1)
CAP = Decimal(100)
FACTOR_XA = ("apixaban", "rivaroxaban")
_UNAVAILABLE = re.compile(
    r"(?:kcentra|pcc|prothrombin complex|idarucizumab|praxbind)[^.]{0,50}(?:unavailable|not available|out of stock)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"(?:outside hospital|OSH|transferr\w+ from|referring hospital)[^.]*(?:kcentra|pcc|prothrombin|idarucizumab|"
    r"andexanet|vitamin k|plasma)|(?:kcentra|pcc|prothrombin|idarucizumab|andexanet|vitamin k|plasma)[^.]*"
    r"(?:outside hospital|OSH\b|referring hospital)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Judged:
    """``expected`` in words; ``right`` is None where no weight is recorded; ``shown`` the arithmetic."""

    right: bool | None
    expected: str
    shown: str


@dataclass
class Reading:
    """The chart read by the protocol; times are measured from T0."""

    chart: Chart
    low: list[Sign] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    unstable: bool = False
    pressors: list[Row] = field(default_factory=list)
    inr: Value | None = None
    creatinine: Value | None = None
    counts: list[Value] = field(default_factory=list)
    red_cells: list[Row] = field(default_factory=list)
    agents: list[Dose] = field(default_factory=list)
    vitamin: list[Dose] = field(default_factory=list)
    plasma: list[Dose] = field(default_factory=list)
    incomplete: list[Dose] = field(default_factory=list)
    redosed: list[Row] = field(default_factory=list)
    comfort: list[Row] = field(default_factory=list)
    unavailable: bool = False
    elsewhere: bool = False
    weight: tuple[Decimal, str] | None = None
    judged: Judged | None = None

    @property
    def serious(self) -> bool:
        """At a critical site, or life-threatening."""
        bleed = self.chart.bleed
        return bool(bleed and (bleed.critical or self.unstable))

    @property
    def old_dose(self) -> bool:
        exposure = self.chart.exposure
        return bool(exposure and not exposure.vka and exposure.last_h is not None and exposure.last_h > 48)

    @property
    def indicated(self) -> bool:
        exposure = self.chart.exposure
        if not self.serious or exposure is None:
            return False
        if exposure.vka:
            return self.inr is not None and self.inr.value >= 2
        return not self.old_dose

    @property
    def in_time(self) -> bool:
        first = (self.agents or self.plasma)[0].time if self.agents or self.plasma else None
        return first is not None and self.chart.t0 is not None and first - self.chart.t0 <= 120 * MINUTE

    @property
    def vitamin_right(self) -> bool:
        t0 = self.chart.t0
        return any(
            d.amount is not None and 5 <= d.amount <= 10 and d.route.upper().startswith("IV") and t0 is not None
            and d.time is not None and d.time <= t0 + 240 * MINUTE
            for d in self.vitamin
        )  # fmt: skip


def read(chart: Chart) -> Reading:
    """All that the steps need; without T0 little can be read."""
    reading = Reading(chart)
    doses = chart.doses()
    reading.incomplete = [d for d in doses if d.product != "plasma" and (d.time is None or d.amount is None)]
    text = "\n".join(note.text for note in chart.mine)
    reading.unavailable, reading.elsewhere = bool(_UNAVAILABLE.search(text)), bool(_ELSEWHERE.search(text))
    t0 = chart.t0
    if t0 is None:
        return reading
    window = [d for d in doses if d.time is not None and t0 - 6 * HOUR <= d.time <= t0 + 24 * HOUR]
    reading.agents = [d for d in window if d.product in AGENTS]
    reading.vitamin = [d for d in window if d.product == "vitamin K"]
    reading.plasma = [d for d in window if d.product == "plasma"]
    reading.signs = chart.systolic(t0 - 6 * HOUR, t0 + 6 * HOUR)
    reading.low = [s for s in reading.signs if s.value < 90]
    reading.pressors = _inputs(chart, PRESSORS, t0 - 6 * HOUR, t0 + 6 * HOUR)
    apart = bool(reading.low) and reading.low[-1].time - reading.low[0].time >= 15 * MINUTE
    reading.unstable = apart or bool(reading.pressors)
    reading.red_cells = _inputs(chart, RED_CELLS, t0 - 6 * HOUR, t0 + 24 * HOUR)
    reading.counts = chart.values(HAEMOGLOBIN, "g/dl", 30)
    reading.inr = _effect(reading, chart, t0)
    creatinine = [v for v in chart.values(CREATININE, "mg/dl") if t0 - 7 * 24 * HOUR <= v.time <= t0 + 2 * HOUR]
    reading.creatinine = creatinine[-1] if creatinine else None
    reading.redosed = oral_doses(chart, t0, min(t0 + 24 * HOUR, chart.left))
    reading.comfort = [
        row for row in chart.codes.rows if "comfort" in str(row).lower() and _before(row, t0 + 120 * MINUTE)
    ]
    reading.weight = chart.weight()
    reading.judged = _judge(reading)
    return reading


def _before(row: Row, limit: datetime) -> bool:
    time = parse_time(row.get("ordertime") or row.get("charttime"))
    return time is not None and time < limit


def _inputs(chart: Chart, items: frozenset[int], start: datetime, end: datetime) -> list[Row]:
    found = []
    for row in chart.given.rows:
        first, last = parse_time(row.get("charttime")), parse_time(row.get("endtime"))
        if row.get("itemid") not in items or (row.get("amount") or 0) <= 0 or first is None:
            continue
        if first <= end and (last or first) >= start:
            found.append(row)
    return found


def _effect(reading: Reading, chart: Chart, t0: datetime) -> Value | None:
    """4.4: the latest of T0 - 6 h to T0 + 2 h before the first agent, else the earliest."""
    near = [v for v in chart.inrs() if t0 - 6 * HOUR <= v.time <= t0 + 2 * HOUR]
    firsts = [d.time for d in (*reading.agents, *reading.plasma) if d.time is not None]
    before = [v for v in near if not firsts or v.time < min(firsts)]
    return before[-1] if before else near[0] if near else None


def together(reading: Reading) -> list[Dose]:
    """The rows that make the first dose: those of its product within 30 minutes."""
    first = reading.agents[0]
    return [
        d for d in reading.agents
        if d.product == first.product and d.time and first.time and d.time - first.time <= 30 * MINUTE
    ]  # fmt: skip


def fixed_doses(reading: Reading) -> tuple[int, ...]:
    """Fixed doses of 4F-PCC that apply to the drug and the site."""
    exposure, bleed = reading.chart.exposure, reading.chart.bleed
    if exposure is None or bleed is None:
        return ()
    if exposure.vka:
        return (1500,) if bleed.kind == "intracranial" else (1000,)
    return (2000,) if exposure.drug in FACTOR_XA else ()


def _judge(reading: Reading) -> Judged | None:
    """The first agent against the dose of section 6; None where none was given or no drug is named."""
    exposure = reading.chart.exposure
    if exposure is None:
        return None
    if not reading.agents:
        return _plasma(reading) if reading.plasma and reading.unavailable and exposure.vka else None
    product, rows = reading.agents[0].product, together(reading)
    total = sum((d.amount or Decimal(0) for d in rows), Decimal(0))
    if product == "idarucizumab":
        right = exposure.drug == "dabigatran" and total == 5000
        return Judged(right, "idarucizumab 5 g", f"{len(rows)} rows, {total:f} mg in all")
    if product == "andexanet":
        return _andexanet(reading)
    return _concentrate(reading, product, total)


def _concentrate(reading: Reading, product: str, total: Decimal) -> Judged:
    exposure = reading.chart.exposure
    assert exposure is not None
    fixed = fixed_doses(reading) if product == "4F-PCC" else ()
    if total in fixed:
        return Judged(True, f"fixed dose {fixed[0]:,} units", f"{total:,f} units given, equal to the fixed dose")
    if reading.weight is None:
        named = f"fixed dose {fixed[0]:,} units, or by weight" if fixed else "by weight"
        return Judged(None, named, f"{total:,f} units given, no weight is recorded: it cannot be computed")
    weight = min(reading.weight[0], CAP)
    if exposure.vka:
        if reading.inr is None:
            return Judged(False, "no band without an INR of 2.0 or more", f"{total:,f} units given")
        value = reading.inr.value
        band = Decimal(25 if value < 4 else 35 if value <= 6 else 50)
        low, high, per = band * weight * Decimal("0.8"), band * weight * Decimal("1.2"), f"{band}"
        accepted = product == "4F-PCC" and value >= 2
    elif exposure.drug == "dabigatran":
        low, high, per = 40 * weight, 60 * weight, "50"
        accepted = reading.unavailable
    else:
        low, high, per = 25 * weight, 50 * weight, "25-50"
        accepted = product == "4F-PCC"
    ratio = total / weight
    return Judged(
        accepted and low <= total <= high,
        f"{per} units/kg x {weight:f} kg, accepted {low:,.0f} to {high:,.0f} units",
        f"{total:,f} units / {weight:f} kg = {ratio:.1f} units/kg",
    )


def _plasma(reading: Reading) -> Judged:
    total = sum((d.amount or Decimal(0) for d in reading.plasma), Decimal(0))
    if reading.weight is None:
        return Judged(None, "plasma 10-15 mL/kg", f"{total:f} mL, no weight is recorded")
    ratio = total / reading.weight[0]
    return Judged(8 <= ratio <= 18, "plasma 10-15 mL/kg", f"{total:f} mL / {reading.weight[0]} kg = {ratio:.1f} mL/kg")


def _andexanet(reading: Reading) -> Judged:
    exposure = reading.chart.exposure
    assert exposure is not None
    limit = 5 if exposure.drug == "apixaban" else 10
    early = exposure.last_h is None or exposure.last_h < 8
    high = early and (exposure.dose is None or exposure.dose > limit)
    bolus, most = (800, 960) if high else (400, 480)
    rows = [d for d in reading.agents if d.product == "andexanet"]
    first, rest = rows[0].amount, sum((d.amount or Decimal(0) for d in rows[1:]), Decimal(0))
    right = exposure.drug in FACTOR_XA and first == bolus and len(rows) > 1 and 0 < rest <= most
    name = "high" if high else "low"
    return Judged(
        right,
        f"andexanet {name} dose: {bolus} mg bolus, then up to {most} mg over 120 min",
        f"{first} mg bolus and {rest} mg infusion given",
    )


def evidence(doses: list[Dose]) -> list[str]:
    return [d.ref for d in doses]


def emar_rows(reading: Reading) -> list[str]:
    """Rows of the administration record of the 24 h after T0, which show that it was in use."""
    t0 = reading.chart.t0
    rows = []
    for row in reading.chart.given.of("emar"):
        time = parse_time(row.get("charttime"))
        if time is not None and t0 is not None and t0 <= time <= t0 + 24 * HOUR:
            rows.append(row)
    return list(refs(rows[:8])) or list(reading.chart.given.evidence[:8])
