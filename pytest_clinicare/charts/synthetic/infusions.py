"""Infusions and pushes as the ICU charts them: inputevents, a row for each stretch at one rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts.synthetic.banks import Row, bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

CHANGED, PAUSED, STOPPED, FINISHED = "ChangeDose/Rate", "Paused", "Stopped", "FinishedRunning"


@dataclass(frozen=True)
class Segment:
    """A stretch at one rate; ``status`` is how it ended (``statusdescription``)."""

    start: datetime
    end: datetime
    rate: float
    status: str = CHANGED


def stepped(
    start: datetime, end: datetime, rates: Sequence[float], status: str = STOPPED, changes: Sequence[datetime] = ()
) -> list[Segment]:
    """An infusion whose rate changes at ``changes``, else in equal parts; the last part ends with ``status``.

    Raises ValueError where ``changes`` is not one fewer than ``rates``.
    """
    if not changes:
        changes = [(start + (end - start) * n / len(rates)).replace(second=0) for n in range(1, len(rates))]
    if len(changes) != len(rates) - 1:
        raise ValueError(f"{len(rates)} rates change at {len(rates) - 1} times, not {len(changes)}")
    marks = [start, *(change.replace(microsecond=0) for change in changes), end]
    last = len(rates) - 1
    return [Segment(marks[n], marks[n + 1], rate, CHANGED if n < last else status) for n, rate in enumerate(rates)]


@apart("drug", "stay")
def infusion(record: Record, enc: Encounter, stay: IcuStay, drug: str, segments: Sequence[Segment]) -> list[Row]:
    """Rows of one running infusion (one ``linkorderid``); ``drug`` is a key of ``distributions/infusions``."""
    spec = bank("distributions/infusions")[drug]
    volume, content = spec["bag"]
    first = record.fresh_id(4)
    rows, left = [], float(volume)
    for number, segment in enumerate(segments):
        given = _amount(spec, segment, record.weight_kg)
        common = _common(record, enc, stay, spec["itemid"], segment.start)
        common |= {"storetime": stamp(segment.start + timedelta(minutes=record.rng.randrange(0, 20)))}
        rows.append(
            record.add(
                "inputevents",
                **common,
                endtime=stamp(segment.end),
                amount=round(given, 4),
                amountuom=spec["unit"],
                rate=segment.rate,
                rateuom=spec["rate_unit"],
                orderid=first if number == 0 else record.fresh_id(4),
                linkorderid=first,
                ordercategoryname=spec.get("category", "01-Drips"),
                secondaryordercategoryname=None if "category" in spec else "02-Fluids (Crystalloids)",
                ordercategorydescription=spec.get("description", "Continuous Med"),
                totalamount=float(volume),
                totalamountuom="ml",
                statusdescription=segment.status,
                originalamount=round(left, 2),
                originalrate=segment.rate,
            )
        )
        left -= volume * given / content
        while left <= 0:
            left += volume
    return rows


@apart("drug", "time")
def push(
    record: Record,
    enc: Encounter,
    stay: IcuStay,
    drug: str,
    time: datetime,
    amount: float,
    *,
    itemid: int | None = None,
    category: str = "05-Med Bolus",
) -> Row:
    """One dose at once: a bolus, or with ``06-Insulin (Non IV)`` an injection under the skin; it has no rate.

    ``itemid`` where the item is not that of the infusion (223260 insulin glargine, 223262 lispro).
    """
    spec = bank("distributions/infusions")[drug]
    order = record.fresh_id(4)
    return record.add(
        "inputevents",
        **_common(record, enc, stay, itemid or spec["itemid"], time),
        endtime=stamp(time + timedelta(minutes=1)),
        storetime=stamp(time + timedelta(minutes=record.rng.randrange(0, 20))),
        amount=amount,
        amountuom=spec["unit"],
        orderid=order,
        linkorderid=order,
        ordercategoryname=category,
        ordercategorydescription="Drug Push",
        statusdescription=FINISHED,
        originalamount=amount,
        originalrate=amount,
    )


def _common(record: Record, enc: Encounter, stay: IcuStay, itemid: int, time: datetime) -> Row:
    return {
        "hadm_id": enc.hadm_id,
        "stay_id": stay.stay_id,
        "caregiver_id": record.rng.choice(record.caregivers),
        "starttime": stamp(time),
        "itemid": itemid,
        "ordercomponenttypedescription": "Main order parameter",
        "patientweight": record.weight_kg,
        "isopenbag": 0,
        "continueinnextdept": 0,
    }


def _amount(spec: Row, segment: Segment, weight_kg: float) -> float:
    """Rate times duration in the unit of the amount."""
    rate_unit: Any = spec["rate_unit"]
    hours = (segment.end - segment.start) / timedelta(hours=1)
    amount = segment.rate * hours
    if rate_unit.endswith("/min"):
        amount *= 60
    if "/kg/" in rate_unit:
        amount *= weight_kg
    return amount / 1000 if rate_unit.startswith("mcg") and spec["unit"] == "mg" else amount
