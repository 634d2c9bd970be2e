"""Real and synthetic charts side by side, and what differs most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from pytest_clinicare.charts.realism.measures import MEASURES, Samples

# Items are compared where there is enough of them to have a distribution.
_ENOUGH = 30
_ITEMS = 16
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
    """Every table, and the items most often charted in the real charts that synthetic ones have too.

    Raises ModuleNotFoundError without scipy (extra ``analysis``).
    """
    return [line for one in MEASURES for line in _lines(one.name, real[one.name], synthetic[one.name], labels)]


def missing_items(real: Samples, synthetic: Samples, labels: Mapping[str, str], shown: int = 12) -> list[str]:
    """Items with numbers that are most often charted in real charts and never in synthetic ones."""
    wanted = sorted(real["value"].keys() - synthetic["value"].keys(), key=lambda name: -len(real["value"][name]))
    return [labels.get(name, name) for name in wanted[:shown]]


def _lines(
    measure: str, real: Mapping[str, Sequence[float]], ours: Mapping[str, Sequence[float]], labels: Mapping[str, str]
) -> Iterator[Compared]:
    from scipy.stats import ks_2samp

    names = [name for name in real if len(real[name]) >= _ENOUGH and len(ours.get(name, ())) >= _ENOUGH]
    if measure in ("gap", "value"):
        # Tables first, then items by how often they are charted.
        names = sorted(names, key=lambda name: (name.isdigit(), -len(real[name])))[:_ITEMS]
    for name in names:
        distance = float(ks_2samp(real[name], ours[name]).statistic)
        yield Compared(measure, name, labels.get(name, name), _spread(real[name]), _spread(ours[name]), distance)


def _spread(numbers: Sequence[float]) -> Spread:
    cuts = quantiles(numbers, n=20, method="inclusive")
    zeros = sum(number == 0 for number in numbers) / len(numbers)
    return Spread(len(numbers), cuts[0], cuts[4], median(numbers), cuts[14], cuts[18], zeros)
