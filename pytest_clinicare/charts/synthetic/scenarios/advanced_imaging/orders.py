"""Order entry of an advanced-imaging chart: the recipe's imaging orders in an order stream of the stated size."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.timeline import moment
from pytest_clinicare.charts.synthetic.streams import apart

# (order_type, order_subtype, share): the everyday orders of an intensive-care stay, about as often as in the source.
_EVERYDAY = (
    ("Lab", None, 40),
    ("General Care", "Other", 10),
    ("General Care", "Vitals/Monitoring", 5),
    ("General Care", "Activity", 4),
    ("General Care", "Tubes/Drains", 3),
    ("General Care", "Telemetry", 3),
    ("IV therapy", "IV fluids", 7),
    ("IV therapy", "IV access", 5),
    ("Nutrition", "Diet Order", 4),
    ("Blood Bank", "Blood tests", 2),
    ("Respiratory", "Oxygen Therapy", 2),
    ("Cardiology", "ECG", 2),
    ("Consults", "Physical Therapy", 2),
)
# (drug, dose, unit, route, frequency): what stays ordered to discharge.
_STANDING = (
    ("Heparin", "5000", "UNIT", "SC", "TID"),
    ("Pantoprazole", "40", "mg", "IV", "Q24H"),
    ("Acetaminophen", "650", "mg", "PO/NG", "Q6H"),
    ("Senna", "8.6", "mg", "PO/NG", "BID"),
    ("Insulin", "2", "UNIT", "SC", "Q6H"),
)
_STEP_HOURS = {"TID": 8, "Q8H": 8, "Q24H": 24, "Q12H": 12, "Q6H": 6, "BID": 12}
_PER_HOUR_OUTSIDE = 1.1


@apart()
def write_imaging_orders(record: Record, enc: Encounter, recipe: dict[str, Any], intime: datetime) -> None:
    """Radiology orders (and echo, a cardiology order) with their Change and D/C transactions."""
    for subtype, hours, transactions in recipe["orders"]:
        kind = "Cardiology" if subtype == "Echo" else "Radiology"
        last = record.order(enc, kind, subtype, moment(intime, hours))
        for transaction, at in re.findall(r"(change|D/C) at (-?[\d.]+)", transactions):
            name = "Change" if transaction == "change" else "D/C"
            last = record.order(enc, kind, subtype, moment(intime, float(at)), name, last)


@apart()
def write_order_stream(
    record: Record,
    enc: Encounter,
    recipe: dict[str, Any],
    intime: datetime,
    outtime: datetime,
    treatment: list[list[Any]],
) -> None:
    """``order_stream`` orders of other types in the window, and a like density on the days around it.

    ``treatment`` is what the illness is treated with: drug, dose, unit, route, frequency, days.
    """
    wanted = recipe["order_stream"]
    _drugs(record, enc, intime, treatment, absent=wanted == 0)
    seconds = int((outtime - intime).total_seconds())
    for _ in range(wanted - _other_orders(record, intime, outtime)):
        _everyday(record, enc, intime + timedelta(seconds=record.rng.randrange(60, seconds - 60)))
    for start, end in ((enc.start, intime - timedelta(minutes=2)), (outtime + timedelta(minutes=2), enc.disch)):
        span = int((end - start).total_seconds())
        for _ in range(max(1, int(span / 3600 * _PER_HOUR_OUTSIDE)) if span > 600 else 0):
            _everyday(record, enc, start + timedelta(seconds=record.rng.randrange(0, span)))


def _other_orders(record: Record, intime: datetime, outtime: datetime) -> int:
    low, high = stamp(intime), stamp(outtime)
    rows = record.rows.get("poe", [])
    return sum(
        1
        for row in rows
        if low <= row["ordertime"] <= high and row["order_type"] != "Radiology" and row["order_subtype"] != "Echo"
    )


def _everyday(record: Record, enc: Encounter, time: datetime) -> None:
    kind, subtype, _ = record.rng.choices(_EVERYDAY, weights=[row[2] for row in _EVERYDAY])[0]
    record.order(enc, kind, subtype, time)


def _drugs(record: Record, enc: Encounter, intime: datetime, treatment: list[list[Any]], *, absent: bool) -> None:
    """Entered soon after intime, or a day before it where the stream of the stay is absent."""
    entered = intime - timedelta(hours=24) if absent else intime + timedelta(hours=2)
    last = enc.disch - timedelta(hours=3)
    rows: list[list[Any]] = [*([*row, None] for row in _STANDING), *treatment]
    for drug, dose, unit, route, frequency, days in rows:
        start = entered + timedelta(minutes=record.rng.randrange(0, 60))
        stop = last if days is None else min(last, start + timedelta(days=days))
        step = _STEP_HOURS[frequency]
        # A course begins with its order, a standing drug at its next hour.
        first = step // 2 if days is None else 1
        hours = range(first, int((stop - start).total_seconds() // 3600), step)
        given = [(start + timedelta(hours=hour, minutes=record.rng.randrange(0, 25)), "Administered") for hour in hours]
        record.medication(enc, drug, dose, unit, route, frequency, start, stop, given)
