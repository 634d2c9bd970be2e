"""Routine care around what a scenario places: the same for every case, whatever its verdict."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, day, stamp
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

_HOUR = timedelta(hours=1)
_SODIUM = 50983
# Shares of the hours of a flowsheet that stay empty, and after which readings follow more closely.
_LEFT_OUT, _WATCHED = 0.02, 0.1
# Shares of the scheduled times at which a drug is charted.
_GIVEN, _PRN_GIVEN = 0.92, 0.25


def fill(record: Record, enc: Encounter, skip: frozenset[str]) -> None:
    parts = {
        "labs": _labs,
        "micro": _cultures,
        "orders": _orders,
        "drugs": _drugs,
        "imaging": _chest_films,
        "dispensed": _dispensed,
    }
    for name, part in parts.items():
        if name not in skip:
            part(record, enc)
    for stay in enc.icu:
        if "vitals" not in skip:
            _vitals(record, enc, stay)
        if "fluids" not in skip:
            _fluids(record, enc, stay)


def _mornings(enc: Encounter) -> Iterator[datetime]:
    """Midnights of the days after the first, up to the day of discharge."""
    midnight = enc.admit.replace(hour=0, minute=0, second=0)
    for number in range(1, enc.days):
        yield midnight + timedelta(days=number)


@apart("enc")
def _labs(record: Record, enc: Encounter) -> None:
    """Arrival and morning draws; chemistry without the controlled analytes, as whoever controls one places it."""
    rng = record.rng
    first = enc.start + timedelta(minutes=rng.randrange(25, 80))
    draws = [first, *(m + timedelta(hours=5, minutes=rng.randrange(0, 100)) for m in _mornings(enc))]
    draws = [draw for draw in draws if draw < enc.disch]
    chemistry = "electrolytes" if record.controlled & {"creatinine", "urea"} else "basic"
    placed = _chemistries(record, enc)
    for number, time in enumerate(draws):
        if number == 0 or rng.random() < 0.93:
            if not any(abs(time - other) < 4 * _HOUR for other in placed):
                record.panel(chemistry, time, enc)
            record.panel("cbc", time, enc)
        if number == 0 or rng.random() < 0.4:
            record.panel("coag", time, enc)
        if number == 0 or rng.random() < 0.2:
            record.panel("liver", time, enc)
        if number == 0:
            record.panel("differential", time, enc)
            record.panel("urinalysis", time + timedelta(minutes=rng.randrange(40, 160)), enc)
    for stay in enc.icu:
        for time in _times(stay.intime, stay.outtime or enc.disch, 14):
            record.panel("gas", time + timedelta(minutes=rng.randrange(0, 200)), enc)


def _chemistries(record: Record, enc: Encounter) -> list[datetime]:
    """Times at which the scenario has placed a whole chemistry; nobody draws another beside it."""
    rows = record.rows.get("labevents", ())
    mine = (row for row in rows if row["hadm_id"] == enc.hadm_id and row["itemid"] == _SODIUM)
    return [datetime.fromisoformat(row["charttime"]) for row in mine]


def _times(start: datetime, end: datetime, hours: int) -> Iterator[datetime]:
    time = start
    while time < end:
        yield time
        time += hours * _HOUR


@apart("enc")
def _cultures(record: Record, enc: Encounter) -> None:
    rng = record.rng
    for specimen, spec_id, test, test_id in (
        ("BLOOD CULTURE", 70012, "Blood Culture, Routine", 90201),
        ("URINE", 70079, "URINE CULTURE", 90039),
    ):
        if rng.random() < 0.7:
            time = enc.start + timedelta(minutes=rng.randrange(40, 300))
            result = "NO GROWTH." if specimen == "URINE" else "NO GROWTH.  "
            record.add(
                "microbiologyevents",
                microevent_id=record.serial(),
                hadm_id=enc.hadm_id,
                micro_specimen_id=record.serial(),
                order_provider_id=rng.choice(record.providers),
                chartdate=f"{day(time)} 00:00:00",
                charttime=stamp(time),
                spec_itemid=spec_id,
                spec_type_desc=specimen,
                test_seq=1,
                storedate=f"{day(time + timedelta(days=3))} 00:00:00",
                storetime=stamp(time + timedelta(days=3)),
                test_itemid=test_id,
                test_name=test,
                comments=result,
            )


@apart("enc")
def _orders(record: Record, enc: Encounter) -> None:
    rng = record.rng
    first = max(enc.admit - timedelta(minutes=rng.randrange(20, 60)), enc.start)
    record.order(enc, "ADT orders", "Admit", first, detail={"Admit category": "Admit to inpatient"})
    code = {"Code status": "Resuscitate (Full code)"}
    record.order(enc, "General Care", "Code status", first + timedelta(minutes=6), detail=code)
    span = int((enc.disch - first).total_seconds())
    days = span / 86400
    for kind, subtype, daily in bank("distributions/routine")["orders"]:
        previous: str | None = None
        wanted = daily * days
        count = int(wanted) + (rng.random() < wanted % 1)
        for time in sorted(first + timedelta(seconds=rng.randrange(span)) for _ in range(count)):
            change = previous is not None and rng.random() < 0.25
            transaction = rng.choice(("Change", "D/C")) if change else "New"
            poe_id = record.order(enc, kind, subtype or None, time, transaction, previous if change else None)
            previous = None if transaction == "D/C" else poe_id
    detail = {"Discharge Planning": "Finalized", "Discharge When": "Discharge Now"}
    record.order(enc, "ADT orders", "Discharge", enc.disch - timedelta(minutes=rng.randrange(60, 240)), detail=detail)


@apart("enc")
def _drugs(record: Record, enc: Encounter) -> None:
    rng = record.rng
    for drug, dose, unit, route, frequency, hours, share in bank("distributions/routine")["drugs"]:
        chronic = any(drug.split()[0] in str(c.get("drug", "")) for c in bank("phrases/notes")["conditions"])
        wanted = record.person.takes(drug) if chronic else rng.random() <= share
        if not wanted or drug in enc.illness.get("avoid", ()):
            continue
        start = enc.admit + timedelta(minutes=rng.randrange(40, 300))
        given = []
        for midnight in (enc.admit.replace(hour=0, minute=0, second=0), *_mornings(enc)):
            for hour in hours:
                time = midnight + timedelta(hours=hour, minutes=rng.randrange(0, 55))
                if start < time < enc.disch and rng.random() < (_PRN_GIVEN if "PRN" in frequency else _GIVEN):
                    given.append((time, "Administered" if rng.random() < 0.94 else "Not Given"))
        for since, until in _renewals(rng, start, enc.disch):
            doses = [(time, event) for time, event in given if since <= time < until]
            record.medication(enc, drug, dose, unit, route, frequency, since, until, doses)


def _renewals(rng: random.Random, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """A drug that goes on is ordered anew every two or three days, as transfers and reviews have it."""
    while end - start > timedelta(days=3):
        until = start + timedelta(hours=rng.randrange(40, 72))
        yield start, until
        start = until
    yield start, end


@apart("enc")
def _dispensed(record: Record, enc: Encounter) -> None:
    """What the emergency department's cabinet gave out before admission."""
    if enc.ed_in is None or enc.ed_out is None:
        return
    rng = record.rng
    minutes = max(int((enc.ed_out - enc.ed_in) / timedelta(minutes=1)), 31)
    for number, (name, share) in enumerate(bank("distributions/routine")["dispensed"], 1):
        if rng.random() < share:
            record.add(
                "pyxis",
                stay_id=enc.ed_stay_id,
                charttime=stamp(enc.ed_in + timedelta(minutes=rng.randrange(30, minutes))),
                med_rn=number,
                name=name,
                gsn_rn=1,
                gsn=f"{rng.randrange(1000, 99999):06d}",
            )


@apart("enc")
def _chest_films(record: Record, enc: Encounter) -> None:
    """Portable chest radiographs: on arrival, then now and then, more often in intensive care."""
    rng = record.rng
    times = [enc.start + timedelta(minutes=rng.randrange(60, 150))]
    for stay in enc.icu:
        end = stay.outtime or enc.disch
        times += [t + timedelta(hours=5, minutes=rng.randrange(0, 59)) for t in _times(stay.intime, end, 30)]
    for time in times:
        if time < enc.disch and (time == times[0] or enc.in_icu(time)):
            record.order(enc, "Radiology", "General Xray", time - timedelta(minutes=rng.randrange(12, 55)))
            record.radiology(time, "CHEST (PORTABLE AP)", None, enc)


@apart("stay")
def _vitals(record: Record, enc: Encounter, stay: IcuStay) -> None:
    rng = record.rng
    caregiver = rng.choice(record.caregivers)
    end = stay.outtime or enc.disch
    rows = record.rows.setdefault("chartevents", [])
    fixed = {
        "subject_id": record.subject_id,
        "hadm_id": enc.hadm_id,
        "stay_id": stay.stay_id,
        "caregiver_id": caregiver,
        "warning": 0,
    }
    routine = bank("distributions/routine")
    first = stay.intime.replace(minute=0, second=0) + _HOUR
    clocks = {step: [stamp(t) for t in _charted(rng, first, end, step)] for step in (1, 4)}
    for itemid, unit, mean, between, within, lowest, highest, step in routine["vitals"]:
        level = rng.gauss(mean, between)
        digits = 1 if itemid == 223761 else 0
        for time in clocks[step]:
            number = round(min(max(rng.gauss(level, within), lowest), highest), digits)
            row = {**fixed, "charttime": time, "storetime": time, "itemid": itemid, "valueuom": unit}
            row["value"], row["valuenum"] = f"{number:g}", number
            rows.append(row)
    for itemid, texts, number, step in routine["observations"]:
        for time in clocks[step]:
            row = {**fixed, "charttime": time, "storetime": time, "itemid": itemid, "value": rng.choice(texts)}
            row["valuenum"] = number or None
            rows.append(row)
    record.flowsheet(stay, enc, 226512, stay.intime + timedelta(minutes=25), record.weight_kg, "kg")
    record.flowsheet(stay, enc, 226730, stay.intime + timedelta(minutes=26), float(record.height_cm), "cm")
    record.flowsheet(stay, enc, 223758, stay.intime + timedelta(minutes=40), "Full code")


def _charted(rng: random.Random, start: datetime, end: datetime, hours: int) -> Iterator[datetime]:
    """Every so many hours, seldom left out, and now and then up to three times more before the next."""
    closer = hours * _HOUR / 4
    for time in _times(start, end, hours):
        if rng.random() >= _LEFT_OUT:
            yield time
        if rng.random() < _WATCHED:
            for number in range(1, rng.randint(2, 4)):
                if time + number * closer < end:
                    yield time + number * closer


@apart("stay")
def _fluids(record: Record, enc: Encounter, stay: IcuStay) -> None:
    rng = record.rng
    end = stay.outtime or enc.disch
    hourly = record.weight_kg * rng.uniform(*record.urine_ml_kg_h)
    for time in _times(stay.intime + _HOUR, end, 2):
        if rng.random() < _LEFT_OUT:
            continue
        record.add(
            "outputevents",
            hadm_id=enc.hadm_id,
            stay_id=stay.stay_id,
            caregiver_id=rng.choice(record.caregivers),
            charttime=stamp(time.replace(minute=0, second=0)),
            storetime=stamp(time.replace(minute=rng.randrange(1, 59))),
            itemid=226559,
            value=float(round(2 * hourly * rng.uniform(0.7, 1.4) / 5) * 5),
            valueuom="mL",
        )
    for time in _times(stay.intime + 2 * _HOUR, min(end, stay.intime + timedelta(days=3)), 4):
        _infusion(record, enc, stay, time, min(time + 4 * _HOUR, end))
    _line(record, enc, stay, end)


def _infusion(record: Record, enc: Encounter, stay: IcuStay, time: datetime, until: datetime) -> None:
    rate = float(record.rng.choice((50, 75, 100)))
    order = record.fresh_id(4)
    record.add(
        "inputevents",
        hadm_id=enc.hadm_id,
        stay_id=stay.stay_id,
        caregiver_id=record.rng.choice(record.caregivers),
        starttime=stamp(time),
        endtime=stamp(until),
        storetime=stamp(min(time + _HOUR, until)),
        itemid=record.rng.choice((225158, 225828)),
        amount=round(rate * ((until - time) / _HOUR), 1),
        amountuom="ml",
        rate=rate,
        rateuom="mL/hour",
        orderid=order,
        linkorderid=order,
        ordercategoryname="02-Fluids (Crystalloids)",
        ordercomponenttypedescription="Main order parameter",
        ordercategorydescription="Continuous IV",
        patientweight=record.weight_kg,
        totalamount=1000.0,
        totalamountuom="ml",
        isopenbag=0,
        continueinnextdept=0,
        statusdescription="FinishedRunning",
        originalamount=1000.0,
        originalrate=rate,
    )


def _line(record: Record, enc: Encounter, stay: IcuStay, end: datetime) -> None:
    """Peripheral lines and a urinary catheter, charted as procedures with start and end."""
    for itemid in (224275, 224277, 229351):
        start = stay.intime + timedelta(minutes=record.rng.randrange(5, 90))
        minutes = round((max(end, start + _HOUR) - start) / timedelta(minutes=1))
        category = "Peripheral Lines" if itemid != 229351 else "Tubes"
        charted(record, enc, stay, itemid, start, minutes, category, start + timedelta(minutes=20))
