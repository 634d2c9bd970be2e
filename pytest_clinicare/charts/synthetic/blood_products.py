"""Blood products as the ICU charts them: one inputevents row a unit."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

RED_CELLS, RED_CELLS_IN_SURGERY, PLASMA = 225168, 226368, 220970


@apart("itemid", "start")
def blood_product(record: Record, enc: Encounter, stay: IcuStay, itemid: int, start: datetime, minutes: int) -> None:
    """One unit of a blood product; what ran in the operating room is charted on arrival, within a minute."""
    volume = float(record.rng.choice((300, 325, 350, 350, 375) if itemid != PLASMA else (230, 250, 270)))
    if itemid == RED_CELLS_IN_SURGERY:
        minutes = 1
    rate = None if minutes == 1 else round(volume * 60 / minutes, 1)
    order = record.fresh_id(4)
    record.add(
        "inputevents",
        hadm_id=enc.hadm_id,
        stay_id=stay.stay_id,
        caregiver_id=record.rng.choice(record.caregivers),
        starttime=stamp(start),
        endtime=stamp(start + timedelta(minutes=minutes)),
        storetime=stamp(start + timedelta(minutes=minutes)),
        itemid=itemid,
        amount=volume,
        amountuom="ml",
        rate=rate,
        rateuom=None if rate is None else "mL/hour",
        orderid=order,
        linkorderid=order,
        ordercategoryname="07-Blood Products",
        ordercomponenttypedescription="Main order parameter",
        ordercategorydescription="Bolus" if rate is None else "Continuous IV",
        patientweight=record.weight_kg,
        totalamount=volume,
        totalamountuom="ml",
        isopenbag=0,
        continueinnextdept=0,
        statusdescription="FinishedRunning",
        originalamount=volume,
        originalrate=rate if rate is not None else volume,
    )
