"""Invasive ventilation in a chart: its episode as a procedure, settings of the ventilator, the tube at the bedside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import observe

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

INVASIVE_VENTILATION, INTUBATION, EXTUBATION = 225792, 224385, 227194
MODE, VOLUME_SET, VOLUME_OBSERVED, PLATEAU, PEAK = 223849, 224684, 224685, 224696, 224695
PEEP, OXYGEN, RATE_SET, RATE_TOTAL, MINUTE_VOLUME = 220339, 223835, 224688, 224690, 224687
_VERBAL, _EYES, _DEVICE = 223900, 220739, 226732


@dataclass(frozen=True)
class Setting:
    """One charting of the ventilator; None is not charted. Volumes in mL, pressures in cmH2O, oxygen in percent."""

    time: datetime
    mode: str
    volume_set: float | None
    volume_observed: float | None
    peep: float | None
    plateau: float | None
    oxygen: float | None
    peak: float | None = None


@apart("start")
def ventilated(record: Record, enc: Encounter, stay: IcuStay, start: datetime, end: datetime) -> None:
    """The episode from intubation to extubation, and what the bedside charting says of a patient on a tube."""
    minutes = round((end - start) / timedelta(minutes=1))
    charted(record, enc, stay, INTUBATION, start, 1, "Intubation/Extubation", start + timedelta(minutes=15))
    charted(record, enc, stay, INVASIVE_VENTILATION, start, minutes, "Ventilation", end)
    charted(record, enc, stay, EXTUBATION, end, 1, "Intubation/Extubation", end + timedelta(minutes=10))
    window = (start, end)
    observe(record, enc, _DEVICE, "Endotracheal tube", None, window)
    observe(record, enc, _VERBAL, "No Response-ETT", 1.0, window)
    observe(record, enc, _EYES, "To Speech", 3.0, window)


def settings(record: Record, enc: Encounter, stay: IcuStay, rows: Sequence[Setting]) -> None:
    """Each charting as flowsheet rows of one time, with the rates that go with it."""
    for row in rows:
        _setting(record, enc, stay, row.time, row)


@apart("time")
def _setting(record: Record, enc: Encounter, stay: IcuStay, time: datetime, row: Setting) -> None:
    rng = record.rng
    rate = float(rng.randrange(16, 27))
    breath = row.volume_observed if row.volume_observed is not None else row.volume_set
    spontaneous = row.volume_set is None and row.plateau is None
    values: list[tuple[int, float | str | None, str | None]] = [
        (MODE, row.mode, None),
        (VOLUME_SET, row.volume_set, "mL"),
        (VOLUME_OBSERVED, row.volume_observed, "mL"),
        (PEEP, row.peep, "cmH2O"),
        (PLATEAU, row.plateau, "cmH2O"),
        (PEAK, row.peak, "cmH2O"),
        (OXYGEN, row.oxygen, None),
        (RATE_SET, None if spontaneous else rate, "insp/min"),
        (RATE_TOTAL, rate + rng.randrange(0, 4), "insp/min"),
        (MINUTE_VOLUME, None if breath is None else round(rate * breath / 1000, 1), "L/min"),
    ]
    for itemid, value, unit in values:
        if value is not None:
            record.flowsheet(stay, enc, itemid, time, value, unit)
