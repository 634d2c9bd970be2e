"""Blood gases as the laboratory reports them: one specimen with its type, and the oxygen that the patient breathed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

ARTERIAL, VENOUS, CENTRAL_VENOUS, MIXED = "ART.", "VEN.", "CENTRAL VENOUS.", "MIX."
UNDRAWN = ("ph", "pco2", "po2", "total_co2", "lactate")
"""To be controlled (``Record.control``) where a scenario draws all gases itself."""


@apart("time", "specimen")
def gas(
    record: Record,
    enc: Encounter,
    time: datetime,
    po2: float,
    specimen: str,
    oxygen: float | None = None,
    ph: float | None = None,
) -> int:
    """One gas; ``oxygen`` in percent where the laboratory reports it. Returns the provisional specimen_id."""
    rng = record.rng
    venous = specimen != ARTERIAL
    ph = ph if ph is not None else round(rng.uniform(7.30, 7.42) - 0.04 * venous, 2)
    pco2 = float(rng.randrange(36, 48) + 6 * venous)
    bicarbonate = 0.0307 * pco2 * (1 + 10 ** (ph - 6.1))
    values = {"ph": ph, "pco2": pco2, "po2": po2, "total_co2": bicarbonate, "lactate": round(rng.uniform(0.9, 2.4), 1)}
    number = record.serial()
    record.lab("specimen_type", time, specimen, enc, specimen_id=number)
    for item, value in values.items():
        record.lab(item, time, value, enc, specimen_id=number)
    if oxygen is not None:
        record.lab("oxygen", time, float(oxygen), enc, specimen_id=number)
    return number
