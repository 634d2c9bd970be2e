"""Intervals: Wilson for rates, a percentile bootstrap over cases for everything."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping, Sequence
from math import sqrt

SEED = 20260801
RESAMPLES = 10_000
METHOD = "percentile bootstrap over cases"

Interval = tuple[float, float]
_Z95 = 1.959963984540054


def wilson(successes: int, n: int) -> Interval | None:
    """Wilson score interval (95%) of a rate; None without a run."""
    if not n:
        return None
    rate, z2 = successes / n, _Z95**2
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    # At the ends the interval reaches the rate itself; rounding must not cut that off.
    low, high = centre - half, centre + half
    return (0.0 if successes == 0 else max(0.0, low), 1.0 if successes == n else min(1.0, high))


def bootstrap(
    clusters: Sequence[Mapping[str, int]],
    estimators: Mapping[str, Callable[[Mapping[str, int]], float | None]],
    resamples: int = RESAMPLES,
) -> dict[str, Interval | None]:
    """95% percentile intervals, resampling whole clusters (the attempts of a case move together), with a fixed seed.

    A resample in which a metric is undefined is left out of that metric's interval. The counts of a cluster are packed
    into one integer of 64-bit fields, so that adding up a resample is one sum whatever the number of metrics.
    """
    fields = sorted({name for cluster in clusters for name in cluster})
    if not fields or not resamples:
        return dict.fromkeys(estimators)
    layout = struct.Struct(f"<{len(fields)}Q")
    packed = [int.from_bytes(layout.pack(*(c.get(f, 0) for f in fields)), "little") for c in clusters]
    draw = random.Random(SEED).choices
    found: dict[str, list[float]] = {name: [] for name in estimators}
    for _ in range(resamples):
        total = sum(draw(packed, k=len(packed)))
        counts = dict(zip(fields, layout.unpack(total.to_bytes(layout.size, "little")), strict=True))
        for name, estimate in estimators.items():
            value = estimate(counts)
            if value is not None:
                found[name].append(value)
    return {name: _percentiles(values) for name, values in found.items()}


def _percentiles(values: list[float]) -> Interval | None:
    if not values:
        return None
    values.sort()
    return _quantile(values, 0.025), _quantile(values, 0.975)


def _quantile(values: Sequence[float], q: float) -> float:
    """Linear interpolation between order statistics, as numpy's default."""
    position = q * (len(values) - 1)
    low = int(position)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (position - low)
