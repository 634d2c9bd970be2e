"""Laboratory results as an auditor uses them: which are valid, and their figures in decimal arithmetic (QA-001)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time

_INVALID = re.compile(r"cancel|contaminat|in error|disregard", re.IGNORECASE)
# Whole blood at the bedside, which the laboratory files under the item of serum.
_POINT_OF_CARE = re.compile(r"point[- ]of[- ]care|whole blood", re.IGNORECASE)


@dataclass(frozen=True)
class Value:
    """One valid laboratory result: time of collection and reported figure, in the item's unit."""

    ref: str
    time: datetime
    value: Decimal


def valid_values(
    rows: Sequence[Row], itemid: int, unit: str = "mg/dl", *, low: float = 0, high: float = 150, bedside: bool = False
) -> list[Value]:
    """Valid results of an item in order of collection: numeric, in the unit, usable, each specimen once.

    ``unit`` is compared without case; figures outside ``low`` < x <= ``high`` are no possible result. Results from the
    bedside are left out unless ``bedside``.
    """
    out: list[Value] = []
    seen: set[tuple[object, ...]] = set()
    for row in sorted(rows, key=lambda row: str(row.get("charttime") or "")):
        if int(row.get("itemid") or 0) != itemid:
            continue
        moment, figure = parse_time(row.get("charttime")), reported_figure(row)
        if moment is None or figure is None or not low < figure <= high or _not_valid(row, bedside):
            continue
        if str(row.get("valueuom") or unit).strip().lower() != unit.lower():
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


def _not_valid(row: Row, bedside: bool) -> bool:
    comment = str(row.get("comments") or "")
    unusable = _INVALID.search(comment) and "correct" not in comment.lower()
    return bool(unusable or (not bedside and _POINT_OF_CARE.search(comment)))
