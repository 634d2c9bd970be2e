"""How far synthetic charts are from real ones, by what can be counted: rows, intervals, values, and what is missing."""

from __future__ import annotations

from pytest_clinicare.charts.realism.compare import Compared, Spread, compare, ks_distance, missing_items
from pytest_clinicare.charts.realism.measures import MEASURES, Measure, Samples, measure

__all__ = ["MEASURES", "Compared", "Measure", "Samples", "Spread", "compare", "ks_distance", "measure", "missing_items"]
