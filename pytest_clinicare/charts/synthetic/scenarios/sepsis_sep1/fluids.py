"""Crystalloid boluses as the emergency department and the ward chart them: eMAR rows without a drug name."""

from __future__ import annotations

from datetime import datetime, timedelta

from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart


@apart("start")
def bolus(record: Record, enc: Encounter, fluid: str, start: datetime, volume: int, rate: float) -> None:
    """A bolus that ran: order, prescription of the base fluid, and the eMAR row that says Started."""
    poe_id, pharmacy_id = _order(record, enc, fluid, start, volume)
    emar_id = _row(record, enc, poe_id, pharmacy_id, start, "Started")
    record.add(
        "emar_detail",
        emar_id=emar_id,
        emar_seq=0,
        administration_type="IV Fluid",
        pharmacy_id=pharmacy_id,
        infusion_rate=f"{rate:g}",
        infusion_rate_unit="mL/hr",
        route="IV",
    )


@apart("start")
def ordered_bolus(record: Record, enc: Encounter, fluid: str, start: datetime, volume: int) -> None:
    """A bolus that was ordered and not hung."""
    poe_id, pharmacy_id = _order(record, enc, fluid, start, volume)
    _row(record, enc, poe_id, pharmacy_id, start + timedelta(minutes=25), "Not Started")


def _order(record: Record, enc: Encounter, fluid: str, start: datetime, volume: int) -> tuple[str, int]:
    poe_id = record.order(enc, "IV therapy", "IV fluids", start - timedelta(minutes=record.rng.randrange(4, 12)))
    pharmacy_id = record.serial()
    common = {"hadm_id": enc.hadm_id, "pharmacy_id": pharmacy_id, "poe_id": poe_id}
    stop = start + timedelta(hours=4)
    record.add(
        "prescriptions",
        **common,
        poe_seq=0,
        order_provider_id=record.rng.choice(record.providers),
        starttime=stamp(start),
        stoptime=stamp(stop),
        drug_type="BASE",
        drug=fluid,
        ndc="0",
        dose_val_rx=str(volume),
        dose_unit_rx="mL",
        form_val_disp=str(volume),
        form_unit_disp="mL",
        route="IV",
    )
    record.add(
        "pharmacy",
        **common,
        starttime=stamp(start),
        stoptime=stamp(stop),
        medication=None,
        proc_type="IV Large Volume",
        status="Discontinued",
        entertime=stamp(start - timedelta(minutes=3)),
        verifiedtime=stamp(start - timedelta(minutes=2)),
        route="IV",
        frequency="BOLUS",
    )
    return poe_id, pharmacy_id


def _row(record: Record, enc: Encounter, poe_id: str, pharmacy_id: int, time: datetime, event: str) -> str:
    emar_id = f"{record.subject_id}-{record.serial()}"
    record.add(
        "emar",
        hadm_id=enc.hadm_id,
        emar_id=emar_id,
        emar_seq=0,
        poe_id=poe_id,
        pharmacy_id=pharmacy_id,
        enter_provider_id=record.rng.choice(record.providers),
        charttime=stamp(time),
        medication=None,
        event_txt=event,
        scheduletime=stamp(time),
        storetime=stamp(time + timedelta(minutes=2)),
    )
    return emar_id
