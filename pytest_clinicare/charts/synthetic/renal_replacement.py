"""Kidney replacement as a chart shows it: orders, charted procedures, procedure codes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

CRRT_ITEM = 225802
_CRRT_MODE, _BLOOD_FLOW = 227290, 224144


@apart("enc")
def hemodialysis(record: Record, enc: Encounter) -> None:
    """Sessions three times a week, ordered the evening before, with the procedure code of the first."""
    code = "5A1D70Z"
    days = (enc.disch.date() - enc.admit.date()).days
    # Every other day; the last session falls on the day before discharge.
    first = 2 - (days - 1) % 2
    session = enc.admit.replace(hour=13, minute=0, second=0) + timedelta(days=first)
    record.procedure(enc, code, 10, session)
    while session < enc.disch - timedelta(hours=6):
        record.order(enc, "Hemodialysis", "Hemodialysis", session - timedelta(hours=record.rng.randrange(15, 20)))
        session += timedelta(days=2)


@apart("enc")
def crrt(record: Record, enc: Encounter, start: datetime, days: int) -> None:
    """Continuous replacement in the ICU for some days, then nothing more."""
    stay = enc.icu[0]
    end = start + timedelta(days=days)
    record.procedure(enc, "5A1D90Z", 10, start)
    charted(record, enc, stay, CRRT_ITEM, start, days * 1440, "Dialysis", stored=end)
    for hour in range(0, days * 24, 4):
        time = start + timedelta(hours=hour)
        record.flowsheet(stay, enc, _CRRT_MODE, time, "CVVHDF")
        record.flowsheet(stay, enc, _BLOOD_FLOW, time, float(record.rng.choice((180, 200))), "ml/min")


def transplantation(record: Record, enc: Encounter) -> None:
    record.procedure(enc, "0TY10Z0", 10, enc.admit)
    record.order(enc, "ADT orders", "Postop", enc.admit + timedelta(hours=8))
