"""Serum creatinine: which values are valid, which baseline they give, and what qualifies as a rise (RH-NEPH-03)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from statistics import median

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time

SERUM_CREATININE = 50912
_INVALID = re.compile(r"cancel|contaminat|in error|disregard", re.IGNORECASE)
# Whole blood at the bedside, which the laboratory files under the item of serum.
_POINT_OF_CARE = re.compile(r"point[- ]of[- ]care|whole blood", re.IGNORECASE)


@dataclass(frozen=True)
class Value:
    """One valid laboratory result: time of collection and reported figure, in the item's unit."""

    ref: str
    time: datetime
    value: Decimal


def valid_values(rows: Sequence[Row], itemid: int = SERUM_CREATININE, unit: str = "mg/dl") -> list[Value]:
    """Valid results in order of collection: numeric, in the unit, of the laboratory, usable, each specimen once."""
    out: list[Value] = []
    seen: set[tuple[object, ...]] = set()
    for row in sorted(rows, key=lambda row: str(row.get("charttime") or "")):
        if int(row.get("itemid") or 0) != itemid:
            continue
        moment, figure = parse_time(row.get("charttime")), reported_figure(row)
        if moment is None or figure is None or not 0 < figure <= 150 or _not_valid(row):
            continue
        if str(row.get("valueuom") or unit).strip().lower() != unit:
            continue
        keys = {("time", moment, figure), ("specimen", row.get("specimen_id") or row.get("ref"))}
        if keys & seen:
            continue
        seen |= keys
        out.append(Value(str(row["ref"]), moment, figure))
    return out


def reported_figure(row: Row) -> Decimal | None:
    """The figure as reported, in decimal; None where the result is not a number."""
    for text in (row.get("value"), row.get("valuenum")):
        try:
            if text is not None and str(text).strip():
                figure = Decimal(str(text).strip())
                return figure if figure.is_finite() else None
        except InvalidOperation:
            continue
    return None


def _not_valid(row: Row) -> bool:
    comment = str(row.get("comments") or "")
    unusable = _INVALID.search(comment) and "correct" not in comment.lower()
    return bool(unusable or _POINT_OF_CARE.search(comment))


@dataclass(frozen=True)
class Baseline:
    """``tier`` 1-3 of RH-NEPH-03 section 4; ``values`` are those that the tier was chosen from."""

    tier: int
    value: Decimal
    values: tuple[Value, ...] = ()

    @property
    def source(self) -> Value | None:
        """The row that carries the baseline (none for the MDRD tier)."""
        return next((v for v in self.values if v.value == self.value), None)

    @property
    def unstable(self) -> bool:
        """Tier 1 with two or more values, the highest at least 1.5 times the lowest (section 6)."""
        figures = [v.value for v in self.values]
        return self.tier == 1 and len(figures) >= 2 and max(figures) >= Decimal("1.5") * min(figures)

    @property
    def median(self) -> Decimal:
        return median([v.value for v in self.values])


def prior_values(values: Sequence[Value], admitted: datetime) -> tuple[Value, ...]:
    """Values 365 to 90 days before admission, both ends included."""
    first, last = admitted - timedelta(days=365), admitted - timedelta(days=90)
    return tuple(v for v in values if first <= v.time <= last)


def baseline(
    values: Sequence[Value], admitted: datetime, start: datetime, t0: datetime, mdrd: Decimal | None
) -> Baseline | None:
    """First tier that yields a value; ``mdrd`` is the tier 3 value, None unless CKD is documented."""
    if prior := prior_values(values, admitted):
        return Baseline(1, min(v.value for v in prior), prior)
    if arrival := tuple(v for v in values if start <= v.time <= t0):
        return Baseline(2, arrival[0].value, arrival[:1])
    return Baseline(3, mdrd) if mdrd is not None else None


def post_scan(values: Sequence[Value], t0: datetime) -> list[Value]:
    """Values in (T0, T0 + 48 h 00 min]."""
    return [v for v in values if t0 < v.time <= t0 + timedelta(hours=48)]


def qualifies(value: Decimal, reference: Decimal) -> bool:
    """At least 0.3 mg/dL above, or at least 1.5 times, the reference; both inclusive, in decimal arithmetic."""
    return value - reference >= Decimal("0.3") or value >= Decimal("1.5") * reference
