"""Drugs: order, prescription, pharmacy entry, administrations, and the home list taken at the ED."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.orders import order
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

DOSES_PER_DAY = {"DAILY": 1, "QHS": 1, "BID": 2, "Q12H": 2, "TID": 3, "Q8H": 3, "QID": 4, "Q6H": 4, "Q4H": 6, "Q24H": 1}
_NOT_GIVEN = ("Not Given", "Hold Dose", "Not Started", "Not Applied", "Delayed")


@apart("drug", "start")
def medication(
    record: Record,
    enc: Encounter,
    drug: str,
    dose: str,
    unit: str,
    route: str,
    frequency: str,
    start: datetime,
    stop: datetime,
    given: Sequence[tuple[datetime, str]],
) -> str:
    entered = max(start - timedelta(minutes=record.rng.randrange(10, 90)), enc.start)
    poe_id = order(record, enc, "Medications", None, entered)
    pharmacy_id = record.serial()
    per_day = DOSES_PER_DAY.get(frequency.upper())
    record.add(
        "prescriptions",
        hadm_id=enc.hadm_id,
        pharmacy_id=pharmacy_id,
        poe_id=poe_id,
        poe_seq=0,
        order_provider_id=record.rng.choice(record.providers),
        starttime=stamp(start),
        stoptime=stamp(stop),
        drug_type="MAIN",
        drug=drug,
        ndc="0",
        dose_val_rx=dose,
        dose_unit_rx=unit,
        form_val_disp="1",
        form_unit_disp="VIAL" if route.startswith("IV") else "TAB",
        doses_per_24_hrs=per_day,
        route=route,
    )
    record.add(
        "pharmacy",
        hadm_id=enc.hadm_id,
        pharmacy_id=pharmacy_id,
        poe_id=poe_id,
        starttime=stamp(start),
        stoptime=stamp(stop),
        medication=drug,
        proc_type="Unit Dose",
        status="Discontinued via patient discharge" if stop >= enc.disch - timedelta(hours=6) else "Discontinued",
        entertime=stamp(entered),
        verifiedtime=stamp(entered + timedelta(minutes=record.rng.randrange(1, 9))),
        route=route,
        frequency=frequency,
        doses_per_24_hrs=per_day,
        duration_interval="Ongoing",
        dispensation="Floor Stock Item",
    )
    for time, event in given:
        administration(record, enc, poe_id, pharmacy_id, drug, dose, unit, route, time, event)
    return poe_id


@apart("drug", "time")
def administration(
    record: Record,
    enc: Encounter,
    poe_id: str,
    pharmacy_id: int,
    drug: str,
    dose: str,
    unit: str,
    route: str,
    time: datetime,
    event: str,
) -> None:
    """One eMAR row with its two detail rows (dose due; dose given where the event is a dose)."""
    emar_id = f"{record.subject_id}-{record.serial()}"
    refused = event.startswith(_NOT_GIVEN)
    record.add(
        "emar",
        hadm_id=enc.hadm_id,
        emar_id=emar_id,
        emar_seq=0,
        poe_id=poe_id,
        pharmacy_id=pharmacy_id,
        enter_provider_id=record.rng.choice(record.providers),
        charttime=stamp(time),
        medication=drug,
        event_txt=event,
        scheduletime=stamp(time.replace(minute=0, second=0)),
        storetime=stamp(min(time + timedelta(minutes=record.rng.randrange(0, 3)), enc.disch)),
    )
    record.add(
        "emar_detail",
        emar_id=emar_id,
        emar_seq=0,
        administration_type="Standard Maintenance Medication",
        pharmacy_id=pharmacy_id,
        dose_due=dose,
        dose_due_unit=unit,
    )
    if not refused:
        record.add(
            "emar_detail",
            emar_id=emar_id,
            emar_seq=0,
            parent_field_ordinal="1.1",
            pharmacy_id=pharmacy_id,
            dose_given=dose,
            dose_given_unit=unit,
            product_description=drug,
            route=route[:10],
        )


@apart("name", "time")
def home_med(record: Record, ed_stay: int, name: str, time: datetime, group: str, rows: int) -> None:
    """MIMIC repeats a drug once for each therapeutic class (etc_rn), which is one drug, not several."""
    gsn = f"{record.rng.randrange(1000, 99999):06d}"
    ndc = f"{record.rng.randrange(10**10, 10**11)}"
    for number in range(1, rows + 1):
        record.add(
            "medrecon",
            stay_id=ed_stay,
            charttime=stamp(time),
            name=name,
            gsn=gsn,
            ndc=ndc,
            etc_rn=number,
            etccode=f"{record.rng.randrange(1, 9999):08d}",
            etcdescription=group or None,
        )
