"""Height and predicted body weight (CC-07 section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.notes import sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.chart import HEIGHT_CM, HEIGHT_INCH, Chart

_INCH = Decimal("2.54")
_NOTED = re.compile(r"(?:height|\bht\b)\D{0,12}(\d{2,3}(?:\.\d+)?)\s*(cm|centimet\w+|in\b|inch\w*|\")", re.IGNORECASE)
APART = Decimal(5)


@dataclass(frozen=True)
class Height:
    """``told`` is the figure with its unit and source; ``rank`` 1 ICU, 2 outpatient, 3 summary."""

    centimetres: Decimal
    rank: int
    time: datetime | None
    told: str
    ref: str


def heights(chart: Chart, onset: datetime | None) -> list[Height]:
    """The heights that count: of the highest rank, one or the extremes where they lie more than 5 cm apart."""
    found = [h for h in _all(chart) if 120 <= h.centimetres <= 230]
    if not found:
        return []
    best = min(h.rank for h in found)
    ranked = [h for h in found if h.rank == best]
    low, high = (pick(ranked, key=lambda h: h.centimetres) for pick in (min, max))
    if high.centimetres - low.centimetres > APART:
        return [low, high]
    if onset is None:
        return ranked[:1]
    return [min(ranked, key=lambda h: abs(h.time - onset).total_seconds() if h.time else float("inf"))]


def _all(chart: Chart) -> list[Height]:
    found = []
    for row in chart.body.rows:
        figure, itemid = reported_figure(row), row.get("itemid")
        if figure is None or itemid not in (HEIGHT_CM, HEIGHT_INCH):
            continue
        inches = itemid == HEIGHT_INCH or 48 <= figure <= 90
        told = f"{figure} under the {'inch' if itemid == HEIGHT_INCH else 'cm'} item"
        told += ", read as inches" if inches else ""
        time = parse_time(row.get("charttime"))
        found.append(Height(figure * _INCH if inches else figure, 1, time, f"{told} (ICU)", str(row["ref"])))
    for row in chart.outpatient.rows:
        try:
            figure = Decimal(str(row.get("result_value")).strip())
        except ArithmeticError:
            continue
        if "height" in str(row.get("result_name")).lower():
            time = parse_time(row.get("chartdate"))
            found.append(Height(figure * _INCH, 2, time, f"{figure} in (outpatient record)", str(row["ref"])))
    for note in chart.mine:
        for sentence in sentences(note.text):
            if match := _NOTED.search(sentence.text):
                figure, inches = Decimal(match.group(1)), not match.group(2).lower().startswith("c")
                told, span = f"{match.group(0)} (summary)", note.span(sentence.start, sentence.end)
                found.append(Height(figure * _INCH if inches else figure, 3, None, told, span))
    return found


def predicted(centimetres: Decimal, female: bool) -> Decimal:
    """Predicted body weight in kg, not rounded."""
    return (Decimal("45.5") if female else Decimal(50)) + Decimal("0.91") * (centimetres - Decimal("152.4"))
