"""Crystalloid, its trigger, the weight, and persistent hypotension (QD-SEP-03 section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.chart import HOUR, WEIGHTS, Chart
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.limbs import Pressure, near, pressures
from pytest_clinicare.systems.scripted.session import Row

_CRYSTALLOID = re.compile(
    r"sodium chloride 0\.9|0\.9% sodium chloride|nacl 0\.9|normal saline|lactated ringer|^LR$|plasma-?lyte|normosol",
    re.I,
)
_FLUSH = re.compile(r"flush", re.IGNORECASE)
_PRESSOR = re.compile(r"norepinephrine|vasopressin|phenylephrine|\bepinephrine|dopamine|levophed", re.IGNORECASE)
_UNSTATED = 226361
SLOW = Decimal(125)
ENOUGH, TARGET = Decimal(27), Decimal(30)


@dataclass(frozen=True)
class Infused:
    start: datetime
    end: datetime
    volume: Decimal
    fluid: str
    ref: str

    def within(self, first: datetime, last: datetime) -> Decimal:
        """The part infused between two times, pro rata."""
        if self.end <= self.start:
            return self.volume if first <= self.start <= last else Decimal(0)
        overlap = min(self.end, last) - max(self.start, first)
        share = Decimal(max(overlap / (self.end - self.start), 0))
        return self.volume * share


@dataclass
class Fluids:
    """``trigger`` is None where no condition arose; ``volume`` counts in its window."""

    trigger: datetime | None = None
    why: str = ""
    evidence: tuple[str, ...] = ()
    weight: Decimal | None = None
    weight_ref: str = ""
    infused: list[Infused] = field(default_factory=list)
    volume: Decimal = Decimal(0)
    unstated: Decimal = Decimal(0)
    persistent: tuple[Pressure, ...] = ()
    observed: tuple[Pressure, ...] = ()
    pressor: Row | None = None

    @property
    def per_kg(self) -> Decimal | None:
        return self.volume / self.weight if self.weight else None

    @property
    def enough(self) -> bool:
        return self.per_kg is not None and self.per_kg >= ENOUGH

    @property
    def open_volume(self) -> bool:
        """Only a total of unstated kind would bring it to 27 mL/kg."""
        return bool(
            self.weight and not self.enough and (self.volume + self.unstated) / self.weight >= ENOUGH and self.unstated
        )


def read_fluids(chart: Chart, zero: datetime, initial: Value | None) -> Fluids:
    out = Fluids()
    _trigger(chart, zero, initial, out)
    _weight(chart, out)
    if out.trigger is None:
        return out
    first, last = out.trigger - 6 * HOUR, out.trigger + 3 * HOUR
    out.infused = [i for i in crystalloid(chart) if i.within(first, last) > 0]
    out.volume = sum((i.within(first, last) for i in out.infused), Decimal(0)).quantize(Decimal("0.1"))
    for row in chart.given.rows:
        time = parse_time(row.get("charttime"))
        if row.get("itemid") == _UNSTATED and time and first <= time <= out.trigger + 24 * HOUR:
            out.unstated += Decimal(str(row.get("amount") or 0))
    _persistent(chart, out, first, last)
    _pressor(chart, out)
    return out


def _trigger(chart: Chart, zero: datetime, initial: Value | None, out: Fluids) -> None:
    found: list[tuple[datetime, str, tuple[str, ...]]] = []
    if initial and initial.value >= 4:
        found.append((initial.time, f"initial lactate {initial.value}", (initial.ref,)))
    low = [p for p in pressures(chart) if p.low and near(zero, 6 * HOUR, 6 * HOUR, p.time)]
    pairs = [(a, b) for n, a in enumerate(low) for b in low[n + 1 :] if b.time - a.time <= 3 * HOUR]
    if pairs:
        one, two = min(pairs, key=lambda pair: pair[1].time)
        found.append((two.time, f"two hypotensive readings ({one.told}, {two.told})", (one.ref, two.ref)))
    if found:
        out.trigger, out.why, out.evidence = min(found, key=lambda f: f[0])


def _weight(chart: Chart, out: Fluids) -> None:
    for item in WEIGHTS:
        rows = [r for r in chart.vitals.rows if r.get("itemid") == item and reported_figure(r)]
        if rows:
            out.weight, out.weight_ref = reported_figure(rows[0]), str(rows[0]["ref"])
            return


def crystalloid(chart: Chart) -> list[Infused]:
    """Boluses of both systems faster than 125 mL/h, each once."""
    by_order: dict[int, Row] = {}
    for order in chart.orders.rows:
        if order.get("pharmacy_id") and _CRYSTALLOID.search(str(order.get("drug") or "")):
            by_order.setdefault(int(order["pharmacy_id"]), order)
    out: list[Infused] = []
    for row in chart.given.rows:
        start = parse_time(row.get("charttime"))
        if start is None:
            continue
        charted = row.get("source") == "emar"
        found = _from_emar(row, start, by_order) if charted else _from_inputs(row, start)
        if found and not any(_same(found, other) for other in out):
            out.append(found)
    return sorted(out, key=lambda i: i.start)


def _from_emar(row: Row, start: datetime, orders: dict[int, Row]) -> Infused | None:
    if str(row.get("drug") or "").strip() or not is_given(row.get("event_txt")):
        return None
    order = orders.get(int(row.get("pharmacy_id") or 0))
    volume = _number(order.get("dose_val_rx")) if order else None
    if order is None or volume is None or str(order.get("dose_unit_rx") or "").lower() != "ml":
        return None
    rate = _number(row.get("infusion_rate"))
    if rate is not None and rate <= SLOW:
        return None
    end = start + timedelta(hours=float(volume / rate)) if rate else start
    return Infused(start, end, volume, str(order["drug"]), str(row["ref"]))


def _from_inputs(row: Row, start: datetime) -> Infused | None:
    drug, end, volume = str(row.get("drug") or ""), parse_time(row.get("endtime")), _number(row.get("amount"))
    if not _CRYSTALLOID.search(drug) or _FLUSH.search(drug) or end is None or volume is None or volume <= 0:
        return None
    if str(row.get("amountuom") or "").lower() != "ml":
        return None
    hours = Decimal((end - start) / HOUR)
    rate = _number(row.get("rate")) or (volume / hours if hours > 0 else None)
    return None if rate is not None and rate <= SLOW else Infused(start, end, volume, drug, str(row["ref"]))


def _same(one: Infused, two: Infused) -> bool:
    """One bolus that two systems recorded."""
    other = one.ref.split(":")[0] != two.ref.split(":")[0]
    return other and abs(one.start - two.start) <= timedelta(minutes=15) and one.volume == two.volume


def _number(value: object) -> Decimal | None:
    try:
        return Decimal(str(value)) if value not in (None, "") else None
    except InvalidOperation:
        return None


def _persistent(chart: Chart, out: Fluids, first: datetime, last: datetime) -> None:
    """The hour after 30 mL/kg is reached, else after the last counted infusion ends (4.4)."""
    if not out.infused or out.weight is None:
        return
    done = max(min(i.end, last) for i in out.infused)
    if out.volume >= TARGET * out.weight:
        minute = min(i.start for i in out.infused)
        while sum((i.within(first, minute) for i in out.infused), Decimal(0)) < TARGET * out.weight and minute < last:
            minute += timedelta(minutes=1)
        done = min(minute, done)
    out.observed = tuple(p for p in pressures(chart) if done < p.time <= done + HOUR)
    for one, two in zip(out.observed, out.observed[1:], strict=False):
        if one.low and two.low:
            out.persistent = (one, two)
            return


def _pressor(chart: Chart, out: Fluids) -> None:
    """The first vasopressor that was started in its window; orders do not count."""
    assert out.trigger is not None
    for row in chart.given.rows:
        time = parse_time(row.get("charttime"))
        given = row.get("source") == "inputevents" or is_given(row.get("event_txt"))
        if (
            given
            and time
            and _PRESSOR.search(str(row.get("drug") or ""))
            and near(out.trigger, 6 * HOUR, 6 * HOUR, time)
        ):
            out.pressor = row
            return
