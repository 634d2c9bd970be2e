"""Real and synthetic charts side by side, and what differs most."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from pytest_clinicare.charts.realism.measures import MEASURES, Samples

# Items are compared where there is enough of them to have a distribution.
_ENOUGH = 30
# Of the laboratory and of the flowsheet each.
_ITEMS = 10
# Item ids of the laboratory have five digits, those of the flowsheet six.
_LAB_DIGITS = 5
FAR = 0.4
"""A Kolmogorov-Smirnov distance from which on two distributions are called different: two normal ones whose means lie a
standard deviation apart."""


class Spread(NamedTuple):
    """Quantiles of ``n`` numbers; ``none`` is the share of zeros, of admissions without a row."""

    n: int
    low: float
    lower: float
    middle: float
    upper: float
    high: float
    none: float


class Compared(NamedTuple):
    """One line of the report: ``low`` to ``high`` are the 5th to 95th percentile, ``distance`` is from 0 to 1."""

    measure: str
    name: str
    label: str
    real: Spread
    synthetic: Spread
    distance: float

    @property
    def far(self) -> bool:
        return self.distance >= FAR


def compare(real: Samples, synthetic: Samples, labels: Mapping[str, str]) -> list[Compared]:
    """Every table, and the items most often charted in the real charts that synthetic ones have too."""
    return [line for one in MEASURES for line in _lines(one.name, real[one.name], synthetic[one.name], labels)]


def missing_items(real: Samples, synthetic: Samples, labels: Mapping[str, str], shown: int = 12) -> list[str]:
    """Items with numbers that are most often charted in real charts and never in synthetic ones."""
    wanted = sorted(real["value"].keys() - synthetic["value"].keys(), key=lambda name: -len(real["value"][name]))
    return [_short(labels.get(name, name)) for name in wanted[:shown]]


def ks_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The largest difference between the shares of two samples that lie at or below a number (Kolmogorov-Smirnov)."""
    a, b = sorted(one), sorted(other)
    return max(abs(bisect_right(a, x) / len(a) - bisect_right(b, x) / len(b)) for x in {*a, *b})


def _lines(
    measure: str, real: Mapping[str, Sequence[float]], ours: Mapping[str, Sequence[float]], labels: Mapping[str, str]
) -> Iterator[Compared]:
    names = [name for name in real if len(real[name]) >= _ENOUGH and len(ours.get(name, ())) >= _ENOUGH]
    if measure in ("gap", "value"):
        names = _commonest(names, real)
    for name in names:
        distance = ks_distance(real[name], ours[name])
        yield Compared(
            measure, name, _short(labels.get(name, name)), _spread(real[name]), _spread(ours[name]), distance
        )


def _commonest(names: Sequence[str], real: Mapping[str, Sequence[float]]) -> list[str]:
    """Tables first, then flowsheet items, then laboratory items, by how often they are charted; no checkboxes."""
    varied = sorted((n for n in names if n.isdigit() and len(set(real[n])) > 2), key=lambda name: -len(real[name]))
    charted = [name for name in varied if len(name) > _LAB_DIGITS]
    measured = [name for name in varied if len(name) <= _LAB_DIGITS]
    return [*(name for name in names if not name.isdigit()), *charted[:_ITEMS], *measured[:_ITEMS]]


def _spread(numbers: Sequence[float]) -> Spread:
    cuts = quantiles(numbers, n=20, method="inclusive")
    zeros = sum(number == 0 for number in numbers) / len(numbers)
    return Spread(len(numbers), cuts[0], cuts[4], median(numbers), cuts[14], cuts[18], zeros)


def _short(label: str) -> str:
    for long, short in (
        ("Non Invasive Blood Pressure", "NIBP"),
        ("Arterial Blood Pressure", "ABP"),
        (" pulseoxymetry", ""),
    ):
        label = label.replace(long, short)
    return label
