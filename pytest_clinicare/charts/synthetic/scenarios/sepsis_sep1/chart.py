"""Chart of a sepsis-sep1 case: emergency department, intensive care, and every minute that the measure asks for."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import afternoon
from pytest_clinicare.charts.synthetic.cultures import culture
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import FINISHED, Segment, infusion, stepped
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.fluids import bolus, ordered_bolus
from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.plan import PHRASES
from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.summary import summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import emergency, hold, observe, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
SYSTOLIC, DIASTOLIC, MEAN = 220179, 220180, 220181
_CODE_STATUS = 223758
_ORDERED = {"DNR (do not resuscitate)": "Do not resuscitate (DNR)", "DNR / DNI": "Do not resuscitate (DNR/DNI)"}
_DARK_UNTIL = 390


class _Clock:
    def __init__(self, zero: datetime) -> None:
        self._zero = zero

    def at(self, minutes: float) -> datetime:
        return self._zero + timedelta(minutes=round(minutes))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    anchor, year = recipe["calendar"]
    clock = _Clock(datetime(year, 1, 1) + timedelta(days=rng.randrange(30, 330), minutes=rng.randrange(1440)))
    sex, age = recipe["patient"]
    record = Record(case, sex, age - (year - anchor), anchor)
    record.weight_kg = float(recipe["weight"])
    record.person = replace(
        record.person, allergies=rng.choice(("No Known Allergies / Adverse Drug Reactions", "codeine", "Latex"))
    )
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["presentation"][0])
    _clinic(record, clock)
    enc = _admission(record, recipe, clock, entry)
    _bloods(record, enc, recipe, clock)
    _cultures(record, enc, recipe, clock)
    _given(record, enc, recipe, clock)
    record.background(enc, skip=("labs", "micro"))
    _pressures(record, enc, recipe, clock)
    _status(record, enc, recipe, clock)
    for minute in recipe["lab_orders"]:
        record.order(enc, "Lab", None, clock.at(minute))
    if recipe["administered"] == "no":
        _unobserved(record, enc, clock.at(_DARK_UNTIL))
    record.discharge_summary(enc, summary(record, entry, recipe))
    return record.finish()


@apart()
def _clinic(record: Record, clock: _Clock) -> None:
    for _ in range(2):
        time = clock.at(-1440 * record.rng.randrange(40, 400))
        record.panel("basic", time)
        record.panel("cbc", time, platelets=float(record.rng.randrange(180, 300)))


@apart()
def _admission(record: Record, recipe: Recipe, clock: _Clock, entry: dict[str, Any]) -> Encounter:
    rng = record.rng
    arrival, died = clock.at(recipe["arrival"]), recipe["leaves"][1] == "died"
    into, out = (clock.at(minute) for minute in recipe["icu"])
    leaves = clock.at(recipe["leaves"][0])
    if not died:
        leaves = afternoon(record, leaves)
    if recipe["source"] == "transfer":
        enc = record.admission(
            arrival, leaves, hadm_id=record.case.hadm_id, kind="URGENT", died=died,
            admission_location="TRANSFER FROM HOSPITAL",
        )  # fmt: skip
    else:
        ed_out = into - timedelta(minutes=rng.randrange(2, 8))
        enc = record.admission(
            ed_out - timedelta(minutes=rng.randrange(18, 40)), leaves, hadm_id=record.case.hadm_id,
            ed=(arrival, ed_out), died=died, chief_complaint=entry["complaint"],
        )  # fmt: skip
    record.icu_stay(enc, into, min(out, leaves))
    illness.code(record, enc, {**entry, "codes": [recipe["codes"][0], *entry["codes"]]}, recipe["codes"][1:])
    if recipe["source"] == "ed":
        names = ("temperature", "heartrate", "resprate", "sbp")
        rows = [(clock.at(row[0]), dict(zip(names, row[1:], strict=True))) for row in recipe["readings"]]
        triage(record, enc, {**rows[0][1], "o2sat": float(rng.randrange(93, 99)), "dbp": 66.0})
        emergency(record, enc, [(time, {**signs, "dbp": round(signs["sbp"] * 0.58)}) for time, signs in rows[1:]])
    return enc


def _bloods(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Nothing but what the recipe says is an organ dysfunction."""
    draws = [recipe["draw"]] + ([] if recipe["early_draw"] == "none" else [recipe["early_draw"]])
    minute, white, creatinine, platelets = recipe["draw"]
    first = clock.at(minute)
    mornings = [first.replace(hour=0, minute=0) + timedelta(days=n, minutes=330) for n in range(1, enc.days + 1)]
    for at, cells, level, count in draws:
        _draw(record, enc, clock.at(at), cells, level, count)
    for number, time in enumerate((t for t in mornings if first + timedelta(hours=7) < t < enc.disch), 1):
        fade = 0.75**number
        _draw(
            record, enc, time + timedelta(minutes=7 * number), round(8 + (white - 8) * fade, 1),
            round(1 + (creatinine - 1) * fade, 1), min(platelets + 18 * number, max(platelets, 190)),
        )  # fmt: skip
    for at, value in recipe["lactates"]:
        record.lab("lactate", clock.at(at), value, enc)
    for stay in enc.icu:
        time = stay.intime + timedelta(minutes=100)
        while time < min(stay.outtime or enc.disch, stay.intime + timedelta(hours=40)):
            record.panel("gas", time, enc, lactate=None)
            time += timedelta(hours=13)


@apart("time")
def _draw(record: Record, enc: Encounter, time: datetime, white: float, creatinine: float, platelets: float) -> None:
    rng = record.rng
    record.panel("basic", time, enc, creatinine=creatinine)
    record.panel("cbc", time, enc, wbc=white, platelets=float(platelets))
    record.panel("coag", time, enc, inr=rng.choice((1.0, 1.1, 1.2, 1.3)), ptt=round(rng.uniform(27, 36), 1))
    record.panel("liver", time, enc, bilirubin=rng.choice((0.4, 0.6, 0.7, 0.9, 1.1)))


def _cultures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for minute, kind in recipe["cultures"]:
        time = clock.at(minute)
        stored = time + timedelta(days=5 if kind == "blood" else 2, hours=3, minutes=11)
        culture(record, kind, time, min(stored, enc.disch + timedelta(days=4)), enc)
        if kind == "blood":
            culture(record, kind, time + timedelta(minutes=1), stored, enc)


def _given(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Antibacterials, crystalloid, albumin and norepinephrine, with what was ordered and not given."""
    starts = dict(recipe["orders"])
    courses: dict[str, list[tuple[datetime, str]]] = {agent: [] for agent in starts}
    for agent, first, last, event in recipe["antibiotics"]:
        end = min(last, recipe["leaves"][0] - 180)
        hours = between(agent, 0, max(end - first, 0) / 60) if end > first else [0.0]
        courses.setdefault(agent, []).extend((clock.at(first + 60 * h), event) for h in hours)
    for agent, given in courses.items():
        begin = clock.at(starts[agent]) if agent in starts else given[0][0] - timedelta(minutes=9)
        antibiotic(record, enc, agent, begin, enc.disch, sorted(given))
    if recipe["source"] == "ed":
        nausea = clock.at(recipe["arrival"] + 55)
        record.medication(
            enc,
            "Ondansetron",
            "4",
            "mg",
            "IV",
            "ONCE",
            nausea,
            nausea + timedelta(minutes=5),
            [(nausea, "Administered")],
        )
    for minute, volume, rate, fluid, where in recipe["crystalloid"]:
        start = clock.at(minute)
        if where == "emar":
            bolus(record, enc, fluid, start, volume, rate)
        else:
            end = start + timedelta(minutes=round(volume * 60 / rate))
            exact = volume / ((end - start) / timedelta(hours=1))
            infusion(record, enc, enc.icu[0], "saline", [Segment(start, end, round(exact, 4), FINISHED)])
    for minute, volume, fluid in recipe["ordered_fluid"]:
        ordered_bolus(record, enc, fluid, clock.at(minute), volume)
    if recipe["albumin"] != "none":
        start = clock.at(recipe["albumin"])
        infusion(record, enc, enc.icu[0], "albumin", [Segment(start, start + timedelta(minutes=60), 500.0, FINISHED)])
    if recipe["norepinephrine"] != "none":
        minute, hours = recipe["norepinephrine"]
        start = clock.at(minute)
        rates = (0.12, 0.16, 0.1, 0.05)
        infusion(record, enc, enc.icu[0], "norepinephrine", stepped(start, start + timedelta(hours=hours), rates))
    if recipe["norepinephrine_order"] != "none":
        start = clock.at(recipe["norepinephrine_order"])
        record.medication(enc, "NORepinephrine", "0.03-0.25", "mcg/kg/min", "IV DRIP", "TITRATE TO", start, enc.disch)


@apart()
def _pressures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Charted pressures are normal but for those of the recipe; the hour of its readings holds no others."""
    stay = enc.icu[0]
    whole = (stay.intime, stay.outtime or enc.disch)
    hold(record, enc, SYSTOLIC, (98, 145), whole)
    hold(record, enc, DIASTOLIC, (52, 84), whole)
    hold(record, enc, MEAN, (69, 105), whole)
    if recipe["source"] == "transfer":
        for row in recipe["readings"]:
            for itemid, value, unit in ((223761, row[1], "°F"), (220045, float(row[2]), "bpm")):
                record.flowsheet(stay, enc, itemid, clock.at(row[0]), value, unit)
    if not recipe["pressures"]:
        return
    first, last = clock.at(recipe["pressures"][0][0]), clock.at(recipe["pressures"][-1][0])
    if recipe["low_until"] != "none":
        low = (last, clock.at(recipe["low_until"]))
        hold(record, enc, SYSTOLIC, (82, 93), low)
        hold(record, enc, DIASTOLIC, (44, 56), low)
        hold(record, enc, MEAN, (58, 67), low)
    span = (str(first - timedelta(minutes=15)), str(last + timedelta(minutes=15)))
    record.rows["chartevents"] = [
        r for r in record.rows["chartevents"]
        if r["itemid"] not in (SYSTOLIC, DIASTOLIC, MEAN) or not span[0] <= r["charttime"] <= span[1]
    ]  # fmt: skip
    for minute, systolic, mean in recipe["pressures"]:
        for itemid, value in ((SYSTOLIC, systolic), (DIASTOLIC, round(1.5 * mean - 0.5 * systolic)), (MEAN, mean)):
            record.flowsheet(stay, enc, itemid, clock.at(minute), float(value), "mmHg")


def _status(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    if recipe["code_status"] == "none":
        return
    minute, text = recipe["code_status"]
    stay, time = enc.icu[0], clock.at(minute)
    if text in _ORDERED:
        observe(record, enc, _CODE_STATUS, text, None, (stay.intime, stay.intime + timedelta(minutes=60)))
        for row in record.rows["poe_detail"]:
            if row["field_name"] == "Code status":
                row["field_value"] = _ORDERED[text]
        for row in record.rows["chartevents"]:
            if row["itemid"] == _CODE_STATUS:
                row["charttime"] = str(time)
    else:
        record.flowsheet(stay, enc, _CODE_STATUS, time, text)


def _unobserved(record: Record, enc: Encounter, until: datetime) -> None:
    """No administration is on record up to that time."""
    gone = {r["emar_id"] for r in record.rows["emar"] if r["charttime"] <= str(until)}
    for table in ("emar", "emar_detail"):
        record.rows[table] = [r for r in record.rows[table] if r["emar_id"] not in gone]
    record.rows["inputevents"] = [r for r in record.rows.get("inputevents", ()) if r["starttime"] > str(until)]
