"""Antibacterials in a chart: order, eMAR, and in intensive care the same doses as inputs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record


def between(agent: str, first: float, last: float, every: float | None = None) -> list[float]:
    """Hours of a course from its first to its last dose, both exact, about the agent's interval (``every``) apart.

    ``agent`` is a key of ``fixtures/distributions/antibiotics.toml``.
    """
    every = every or interval(agent)
    steps = max(round((last - first) / every), 0 if last == first else 1)
    return [first + (last - first) * number / steps for number in range(steps + 1)] if steps else [first]


def interval(agent: str) -> int:
    """Hours between doses."""
    hours: int = bank("distributions/antibiotics")[agent][5]
    return hours


def listed(agent: str) -> str:
    """The line of a discharge list."""
    line: str = bank("distributions/antibiotics")[agent][7]
    return line


def antibiotic(
    record: Record,
    enc: Encounter,
    agent: str,
    start: datetime,
    stop: datetime,
    given: Sequence[tuple[datetime, str]] = (),
    *,
    dose: tuple[str, str] | None = None,
    frequency: str | None = None,
) -> str:
    """One order from ``start`` to ``stop`` with its administrations (time, event_txt); returns the poe_id.

    ``dose`` (amount, unit) and ``frequency`` are the agent's usual ones unless given. Doses that fall into an ICU stay
    are charted there as inputs too.
    """
    drug, amount, unit, route, often, _, itemid, _ = bank("distributions/antibiotics")[agent]
    amount, unit = dose or (amount, unit)
    ordered = record.medication(enc, drug, amount, unit, route, frequency or often, start, stop, given)
    for time, event in given:
        stay = next((s for s in enc.icu if s.intime <= time < (s.outtime or enc.disch)), None)
        if stay and itemid and event == "Administered":
            _input(record, enc, stay, itemid, time)
    return ordered


@apart("itemid", "time")
def _input(record: Record, enc: Encounter, stay: IcuStay, itemid: int, time: datetime) -> None:
    number = record.fresh_id(4)
    record.add(
        "inputevents",
        hadm_id=enc.hadm_id,
        stay_id=stay.stay_id,
        caregiver_id=record.rng.choice(record.caregivers),
        starttime=stamp(time),
        endtime=stamp(time + timedelta(minutes=1)),
        storetime=stamp(time + timedelta(minutes=record.rng.randrange(1, 20))),
        itemid=itemid,
        amount=1.0,
        amountuom="dose",
        orderid=number,
        linkorderid=number,
        ordercategoryname="08-Antibiotics (IV)",
        ordercomponenttypedescription="Main order parameter",
        ordercategorydescription="Drug Push",
        patientweight=record.weight_kg,
        totalamount=100.0,
        totalamountuom="ml",
        isopenbag=0,
        continueinnextdept=0,
        statusdescription="FinishedRunning",
        originalamount=1.0,
        originalrate=1.0,
    )
