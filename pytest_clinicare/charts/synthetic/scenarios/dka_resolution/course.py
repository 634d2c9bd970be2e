"""Numbers of an episode of ketoacidosis: chemistries on the way from arrival to the stop, gases, infusion, sugars."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pytest_clinicare.charts.synthetic.plan_numbers import quarter, tenth

Chemistry = list[Any]
"""[hours relative to the stop, Na, K, Cl, HCO3, laboratory glucose]"""


class Point(NamedTuple):
    """Sodium, bicarbonate and gap at an hour relative to the stop; chloride follows from them."""

    hour: float
    sodium: int
    bicarbonate: int
    gap: int

    @property
    def chloride(self) -> int:
        return self.sodium - self.bicarbonate - self.gap


def presentation(rng: random.Random, glucose: tuple[int, int], bicarbonate: tuple[int, int]) -> list[Any]:
    """[glucose, HCO3, venous pH, Na, Cl, urine ketone]; a lower bicarbonate comes with a lower pH and a wider gap."""
    found = rng.randint(*bicarbonate)
    ph = round(6.96 + 0.0195 * found + rng.choice((-0.02, -0.01, 0.0, 0.01)), 2)
    sodium = rng.randint(128, 136)
    gap = 38 - found + rng.randint(-2, 3) if found < 18 else rng.randint(11, 13)
    return [rng.randint(*glucose), found, ph, sodium, sodium - found - gap, rng.choice(("80", "150"))]


def chemistries(
    rng: random.Random, arrival: Sequence[Any], stop: float, known: Sequence[Point], sugars: Sequence[Sequence[float]]
) -> list[Chemistry]:
    """``known`` points, and between arrival and the first of them a panel about every 4 h on a straight line.

    Glucose follows the fingersticks, and before those a line from arrival.
    """
    glucose, bicarbonate, _, sodium, chloride, _ = arrival
    first = Point(0.5 - stop, sodium, bicarbonate, sodium - chloride - bicarbonate)
    points = [first, *known]
    steps = max(1, round((points[1].hour - first.hour) / 4))
    between = []
    for n in range(1, steps):
        share = n / steps
        hour = round(4 * (first.hour + share * (points[1].hour - first.hour))) / 4 + rng.choice((-0.25, 0.0, 0.25))
        values = [round(a + share * (b - a)) for a, b in zip(first[1:], points[1][1:], strict=True)]
        between.append(Point(hour, *values))
    rows = []
    for point in [*between, *known]:
        sugar = sugar_at(point.hour, glucose, 0.5 - stop, sugars) + rng.randint(-6, 6)
        potassium = tenth(rng, 3.4, 4.6)
        rows.append([point.hour, point.sodium, potassium, point.chloride, point.bicarbonate, sugar])
    return rows


def sugar_at(hour: float, arrival: float, arrived: float, sugars: Sequence[Sequence[float]]) -> int:
    """Glucose on straight lines from arrival through the fingersticks."""
    points = [(arrived, arrival), *((float(h), float(v)) for h, v in sugars)]
    for (begin, low), (end, high) in pairwise(points):
        if begin <= hour <= end:
            return round(low + (high - low) * (hour - begin) / (end - begin)) if end > begin else round(high)
    return round(points[-1][1])


def fingersticks(
    rng: random.Random, last: float, value: int, high: int, after: tuple[int, int] = (150, 230)
) -> list[list[float]]:
    """Hourly over the last 6 h to the one at ``last`` that decides, around it before; then three after the stop."""
    rows: list[list[float]] = []
    hour = last - 1
    while hour > -6.5:
        rows.insert(0, [hour, min(high, max(122, value + rng.randint(-14, 22) + round(3 * (last - hour))))])
        hour -= 1
    rows.append([last, value])
    start = quarter(rng, 0.75, 1.5)
    return rows + [[start + 2 * n, rng.randint(*after)] for n in range(3)]


def infusion(rng: random.Random, start: float, stop: float, pause: tuple[float, float] | None) -> list[list[Any]]:
    """[start h, end h, rate, status] from encounter start; rates fall in steps, ``pause`` is its start and end."""
    rates = sorted((float(rng.choice((7, 8, 9))), 6.0, 5.0, 4.0, 3.0, 2.0)[: rng.randint(4, 6)], reverse=True)
    rates[-1] = rng.choice((1.5, 2.0, 3.0))
    marks = [start + (stop - start) * n / len(rates) for n in range(len(rates) + 1)]
    marks = [start, *(round(mark * 4) / 4 for mark in marks[1:-1]), stop]
    rows: list[list[Any]] = []
    for n, rate in enumerate(rates):
        begin, end = marks[n], marks[n + 1]
        status = "Stopped" if n == len(rates) - 1 else "ChangeDose/Rate"
        if pause and begin < pause[0] < end and pause[1] < end:
            rows += [[begin, pause[0], rate, "Paused"], [pause[1], end, rate, status]]
        else:
            rows.append([begin, end, rate, status])
    return rows
