"""Numbers as case plans draw them: creatinine in steps of 0.1 mg/dL, times in quarters of an hour."""

from __future__ import annotations

import random
from decimal import Decimal


def tenth(rng: random.Random, low: float, high: float) -> float:
    """A value in steps of 0.1 from ``low`` to ``high``, both ends included."""
    return rng.randint(round(low * 10), round(high * 10)) / 10


def quarter(rng: random.Random, low: float, high: float) -> float:
    """Hours in steps of a quarter from ``low`` to ``high``, both ends included."""
    return rng.randint(round(low * 4), round(high * 4)) / 4


def plus(value: float, rise: float) -> float:
    """Sum in decimal arithmetic, as creatinine is reported (0.9 + 0.3 is 1.2)."""
    return float(Decimal(str(value)) + Decimal(str(rise)))
