"""Serum creatinine: which values are valid, which baseline they give, and what qualifies as a rise (RH-NEPH-03)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values

SERUM_CREATININE = 50912


def serum_values(rows: Sequence[Row]) -> list[Value]:
    """Valid serum creatinine in mg/dL, by the laboratory, in order of collection."""
    return valid_values(rows, SERUM_CREATININE)


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
