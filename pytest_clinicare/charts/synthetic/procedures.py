"""Procedures as the ICU charts them: one procedureevents row from start to end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record


@apart("itemid", "start")
def charted(
    record: Record,
    enc: Encounter,
    stay: IcuStay,
    itemid: int,
    start: datetime,
    minutes: int,
    category: str,
    stored: datetime,
) -> None:
    """``category`` is the order category of the item, such as ``Dialysis`` or ``Imaging``."""
    order = record.fresh_id(4)
    record.add(
        "procedureevents",
        hadm_id=enc.hadm_id,
        stay_id=stay.stay_id,
        caregiver_id=record.rng.choice(record.caregivers),
        starttime=stamp(start),
        endtime=stamp(start + timedelta(minutes=minutes)),
        storetime=stamp(stored),
        itemid=itemid,
        value=float(minutes),
        valueuom="min",
        orderid=order,
        linkorderid=order,
        ordercategoryname=category,
        ordercategorydescription="Task",
        patientweight=record.weight_kg,
        isopenbag=0,
        continueinnextdept=0,
        statusdescription="FinishedRunning",
        originalamount=float(minutes),
        originalrate=0.0,
    )
