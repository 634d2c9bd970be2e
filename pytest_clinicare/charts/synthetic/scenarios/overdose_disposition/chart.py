"""Chart of an overdose-disposition case: arrival, levels, antidote, consult orders, release."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.overdose_disposition.summary import earlier_summary, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
INTUBATION, VENTILATION = 224385, 225792
_YOUNG = ("Hypertension", "Hyperlipidemia", "Gastroesophageal reflux disease", "Hypothyroidism")
_OWN = {
    "aspirin": "Aspirin 81 mg PO DAILY",
    "metoprolol": "Metoprolol Tartrate 100 mg PO BID",
    "methadone": "Methadone 40 mg PO DAILY",
    "clonazepam": "ClonazePAM 1 mg PO BID",
    "sertraline": "Sertraline 100 mg PO DAILY",
    "quetiapine": "QUEtiapine Fumarate 200 mg PO QHS",
    "bupropion": "BuPROPion XL (Once Daily) 300 mg PO DAILY",
    "verapamil": "Verapamil SR 240 mg PO DAILY",
}
# Neither acetaminophen nor psychotropics as routine.
_AVOID = ["Acetaminophen", "Sertraline", "Metoprolol Tartrate", "Insulin"]


@dataclass(frozen=True)
class _Clock:
    arrival: datetime

    def at(self, hours: float) -> datetime:
        """Hours from arrival."""
        return self.arrival + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    year, group = recipe["calendar"]
    minutes = random.Random(f"chart/{case.seed}").randrange(20 * 1440, 330 * 1440)
    clock = _Clock(datetime(year, 1, 1) + timedelta(minutes=minutes))
    sex, age = recipe["patient"]
    record = Record(case, sex, age, year)
    record.anchor_year_group = group
    _person(record, recipe)
    if recipe["earlier"] != "none":
        _earlier(record, clock, recipe["earlier"])
    hours, where = recipe["release"]
    entry = {"complaint": recipe["complaint"], "codes": recipe["codes"], "avoid": _AVOID}
    icu = None if recipe["icu"] == "none" else (clock.at(recipe["icu"][0]), clock.at(recipe["icu"][1]))
    enc = emergency_admission(
        record, entry, clock.arrival, clock.at(hours), icu=icu, hadm_id=case.hadm_id, discharge_location=where,
        in_ed=(200, 290) if icu is None else (130, 150) if recipe["icu"][0] < 3.5 else (200, 209),
    )  # fmt: skip
    triage(record, enc, {}, recipe["complaint"])
    _labs(record, enc, recipe, clock)
    _drugs(record, enc, recipe, clock)
    _orders(record, enc, recipe, clock)
    _airway(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    if recipe["discharge_summary"] == "present":
        record.discharge_summary(enc, summary(record, enc, recipe))
    return record.finish()


@apart()
def _person(record: Record, recipe: Recipe) -> None:
    """Conditions of that age, and the home list with what was taken where it was the patient's own."""
    known = [c for c in bank("phrases/notes")["conditions"] if c["text"] in _YOUNG]
    conditions = tuple(record.rng.sample(known, 2))
    drugs = tuple(str(c["drug"]) for c in conditions if "drug" in c)
    taken = [agent[0] for agent in recipe["agents"]] if recipe["frame"][0] != "bleeding" else ["aspirin"]
    own = [_OWN[name] for name in taken if name in _OWN]
    home = (*drugs, *own, "Multivitamins 1 TAB PO DAILY")
    record.person = replace(record.person, conditions=conditions, home_drugs=home)


@apart()
def _earlier(record: Record, clock: _Clock, days: int) -> None:
    """An attempt of years before, with its evaluation."""
    rng = record.rng
    arrival = clock.arrival - timedelta(days=days, minutes=rng.randrange(600))
    entry = {"complaint": "Overdose", "codes": ["T1491XA", "T424X2A"], "avoid": _AVOID}
    enc = emergency_admission(
        record, entry, arrival, arrival + timedelta(hours=rng.randrange(26, 50)), discharge_location="HOME"
    )
    record.order(enc, "Consults", "Psychiatry", enc.admit + timedelta(minutes=70))
    record.background(enc)
    record.discharge_summary(enc, earlier_summary(record, enc))


def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for hours, level in recipe["acetaminophen"]:
        comment = "NEG." if level == 0 else None
        record.lab("acetaminophen", clock.at(hours), float(level) if level else None, enc, comment)
    for hours, alt, inr in recipe["alt_inr"]:
        time = clock.at(hours)
        record.panel("liver", time, enc, alt=float(alt), ast=float(round(alt * 1.1)))
        record.panel("coag", time, enc, inr=float(inr))
    first = clock.at(0.75)
    for name in ("basic", "cbc", "differential", "gas"):
        record.panel(name, first, enc)
    record.panel("urinalysis", first + timedelta(minutes=50), enc)
    morning = first.replace(hour=5, minute=35) + timedelta(days=1)
    while morning < enc.disch:
        record.panel("basic", morning, enc)
        record.panel("cbc", morning, enc)
        morning += timedelta(days=1)


def _drugs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    if recipe["nac_order"] != "none":
        start, stop = (clock.at(h) for h in recipe["nac_order"])
        given = [(clock.at(h), event) for h, event in recipe["nac"]]
        order = ("9000", "mg", "IV DRIP", "INFUSION")
        record.medication(enc, "Acetylcysteine (IV)", *order, start, min(stop, enc.disch), given)
    for kind, hours, length in recipe["triggers"]:
        if kind == "naloxone infusion":
            begin, end = clock.at(hours), clock.at(hours + length)
            events = [(begin, "Started"), (end, "Stopped")]
            record.medication(enc, "Naloxone", "0.4", "mg/hr", "IV DRIP", "INFUSION", begin, end, events)


def _orders(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    if recipe["psychiatry_order"] == "none":
        record.order(enc, "Consults", "Nutrition", enc.admit + timedelta(minutes=95))
        return
    hours, state = recipe["psychiatry_order"]
    time = max(clock.at(hours), enc.admit + timedelta(minutes=20))
    order = record.order(enc, "Consults", "Psychiatry", time)
    if state == "discontinued":
        record.order(enc, "Consults", "Psychiatry", time + timedelta(hours=3), "D/C", order)


def _airway(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for kind, hours, length in recipe["triggers"]:
        if kind != "intubation" or not enc.icu:
            continue
        stay, time = enc.icu[0], clock.at(hours)
        charted(record, enc, stay, INTUBATION, time, 1, "Intubation/Extubation", stay.intime + timedelta(minutes=10))
        begin = max(time, stay.intime)
        charted(record, enc, stay, VENTILATION, begin, round(length * 60), "Ventilation", begin + timedelta(minutes=30))
