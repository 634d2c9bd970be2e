"""Chart of an anticoag-reversal case: a bleed under an anticoagulant, its scan, what was ordered and what was given."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.blood_products import PLASMA, blood_product
from pytest_clinicare.charts.synthetic.course import afternoon, emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.anticoag_reversal.summary import summary
from pytest_clinicare.charts.synthetic.vital_signs import emergency, hold, mean_pressures, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
PHRASES = "phrases/anticoag-reversal"
CLINICAL = ("gi", "nose")
_FREQUENCY = {"warfarin": "DAILY16", "dabigatran": "BID", "apixaban": "BID", "rivaroxaban": "DAILY"}
_INPATIENT = {
    "warfarin": "Warfarin",
    "dabigatran": "Dabigatran Etexilate",
    "apixaban": "Apixaban",
    "rivaroxaban": "Rivaroxaban",
}
_SYSTOLIC = 220179
_DAY = timedelta(days=1)
_POUND = 0.4536


@dataclass(frozen=True)
class _Clock:
    arrival: datetime
    t0: datetime

    def at(self, hours: float) -> datetime:
        """Hours from T0."""
        return self.t0 + timedelta(minutes=round(hours * 60))

    def minute(self, minutes: float) -> datetime:
        return self.t0 + timedelta(minutes=minutes)

    def stay(self, hours: float) -> datetime:
        """Hours from arrival."""
        return self.arrival + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe, phrases = case.recipe, bank(PHRASES)
    day = datetime(rng.randrange(2120, 2190), 1, 1) + timedelta(days=rng.randrange(20, 340), minutes=rng.randrange(15))
    arrival = day + timedelta(hours=recipe["arrived"])
    imaged = arrival + timedelta(minutes=round(recipe["imaged_h"] * 60))
    clock = _Clock(arrival, arrival if recipe["site"] in CLINICAL else imaged)
    sex, age = recipe["patient"]
    record = Record(case, sex, age, arrival.year)
    record.weight_kg = recipe["weight_kg"]
    record.control("creatinine")
    drug, dose = recipe["anticoagulant"]
    if drug != "unnamed":
        line = f"{_INPATIENT[drug]} {dose} mg PO {_FREQUENCY[drug]}"
        record.person = replace(record.person, home_drugs=(*record.person.home_drugs, line))
    _before(record, recipe, clock)
    entry = next(p for p in phrases["presentations"] if p["name"] == recipe["presentation"][0])
    entry = {**entry, "avoid": ["Heparin"]}
    in_icu = recipe["icu"] != "none"
    enc = emergency_admission(
        record,
        entry,
        arrival,
        afternoon(record, clock.stay(recipe["stay"])),
        codes=recipe["codes"],
        icu=(clock.stay(recipe["icu"][0]), clock.stay(recipe["icu"][1])) if in_icu else None,
        in_ed=(140, 160) if in_icu else (380, 430),
        hadm_id=case.hadm_id,
    )
    _home_list(record, enc, drug)
    _labs(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    _pressures(record, enc, recipe, clock)
    _scan(record, enc, recipe, imaged, phrases)
    _reversal(record, enc, recipe, clock)
    _anticoagulant(record, enc, recipe, clock)
    record.discharge_summary(enc, summary(record, enc, entry, recipe, phrases))
    return record.finish()


def _before(record: Record, recipe: Recipe, clock: _Clock) -> None:
    """Earlier blood tests and clinic measurements."""
    for days in (record.rng.randrange(40, 90), record.rng.randrange(100, 300)):
        time = (clock.arrival - timedelta(days=days)).replace(hour=record.rng.randrange(8, 16))
        record.panel("basic", time, creatinine=recipe["creatinine"])
        usual = recipe["hb"][0][1] + record.rng.choice((-0.3, -0.1, 0.1, 0.3))
        record.panel("cbc", time, hemoglobin=round(usual, 1))
    clinic = clock.arrival - timedelta(days=record.rng.randrange(8, 27))
    record.outpatient(clinic, "Blood Pressure", f"{record.rng.randrange(118, 146)}/{record.rng.randrange(66, 86)}")
    if recipe["weight_from"] == "none":
        record.outpatient(clinic, "eGFR", f"{record.rng.randrange(61, 88)}")
    else:
        record.outpatient(clinic, "Weight (Lbs)", f"{recipe['weight_kg'] / _POUND:.1f}")
    for hours, value in recipe["inr"]:
        if clock.at(hours) < clock.arrival:
            record.panel("coag", clock.at(hours), None, inr=value)


def _home_list(record: Record, enc: Encounter, drug: str) -> None:
    """The list taken at the emergency department; nothing where nobody could tell."""
    if enc.ed_stay_id is None or drug == "unnamed":
        return
    time = enc.start + timedelta(minutes=record.rng.randrange(20, 60))
    for line in record.person.home_drugs:
        name = re.split(r" (?=\d|PO\b|TAB\b)", line)[0]
        record.home_med(enc.ed_stay_id, name.lower(), time)


def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Chemistry on arrival and each morning, blood counts and coagulation where the recipe has them."""
    first = clock.arrival + timedelta(minutes=31)
    for panel in ("liver", "differential"):
        record.panel(panel, first, enc)
    record.panel("urinalysis", first + timedelta(minutes=50), enc)
    draws, morning = [first], clock.arrival.replace(hour=5, minute=20) + _DAY
    while morning < enc.disch:
        draws.append(morning + timedelta(minutes=record.rng.randrange(0, 80)))
        morning += _DAY
    for number, time in enumerate(draws):
        drift = record.rng.choice((-0.1, 0.0, 0.0, 0.1)) if number else 0.0
        record.panel("basic", time, enc, creatinine=round(recipe["creatinine"] + drift, 1))
    for hours, value in recipe["hb"]:
        if enc.start < clock.at(hours) < enc.disch:
            record.panel("cbc", clock.at(hours), enc, hemoglobin=value)
    for hours, value in recipe["inr"]:
        if enc.start < clock.at(hours) < enc.disch:
            record.panel("coag", clock.at(hours), enc, inr=value)


def _pressures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The recipe's readings in the emergency department; above them in intensive care."""
    readings = [
        (clock.arrival + timedelta(minutes=minute), {"sbp": float(value), "dbp": float(round(value * 0.57))})
        for minute, value in recipe["sbp"]
    ]
    triage(record, enc, {"sbp": float(recipe["sbp"][0][1]), "dbp": float(round(recipe["sbp"][0][1] * 0.57))})
    emergency(record, enc, readings)
    hold(record, enc, _SYSTOLIC, (104, 158), (enc.start, enc.disch))
    mean_pressures(record, enc)


def _scan(record: Record, enc: Encounter, recipe: Recipe, time: datetime, phrases: dict[str, Any]) -> None:
    exam, findings, impression = phrases["reports"][recipe["site"]][recipe["report"]]
    person = "man" if record.gender == "M" else "woman"
    why = phrases["reasons"]["head" if "HEAD" in exam else "body"]
    record.order(enc, "Radiology", "CT Scan", time - timedelta(minutes=37))
    record.radiology(
        time,
        exam,
        f"INDICATION:  ___ year old {person} {why}\n\nTECHNIQUE:  Contiguous axial images.\n\nCOMPARISON:  None.\n\n"
        f"FINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}",
        enc,
    )


def _reversal(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Orders and prescriptions of the agents with their rows, plasma, vitamin K."""
    for product, amount, unit, ordered, minutes, event in recipe["agents"]:
        given = [(clock.minute(minute), event) for minute in minutes]
        _drug(record, enc, product, (f"{amount:g}", unit, "IV"), clock.minute(ordered), given)
    if recipe["vitamin_k"] != "none":
        dose, route, minute = recipe["vitamin_k"]
        given = [(clock.minute(minute), "Administered")]
        _drug(record, enc, "Phytonadione", (f"{dose:g}", "mg", route), clock.minute(minute - 21), given)
    asked = clock.minute(24) if recipe["site"] not in CLINICAL else clock.minute(73)
    poe_id = record.order(enc, "Blood Bank", "Frozen Plasma Product Order", asked)
    if not recipe["plasma"]:
        record.order(enc, "Blood Bank", "Frozen Plasma Product Order", asked + timedelta(minutes=34), "D/C", poe_id)
    for minute in recipe["plasma"]:
        blood_product(record, enc, enc.icu[0], PLASMA, clock.minute(minute), 24)


def _drug(
    record: Record,
    enc: Encounter,
    drug: str,
    what: tuple[str, str, str],
    time: datetime,
    given: list[tuple[datetime, str]],
) -> None:
    """A single dose, ordered at ``time`` to the minute."""
    dose, unit, route = what
    poe_id = record.medication(enc, drug, dose, unit, route, "ONCE", time, time + timedelta(hours=6), given)
    for row in record.rows["poe"]:
        if row["poe_id"] == poe_id:
            row["ordertime"] = stamp(time)
    for row in record.rows["pharmacy"]:
        if row["poe_id"] == poe_id:
            row |= {"entertime": stamp(time), "verifiedtime": stamp(time + timedelta(minutes=4))}


def _anticoagulant(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The home drug, entered with the others of the home list, its one row, and its D/C later that day."""
    if recipe["home_order"] == "none":
        return
    hours, event = recipe["home_order"]
    drug, dose = recipe["anticoagulant"]
    start = clock.at(hours - 0.75)
    poe_id = record.medication(
        enc, _INPATIENT[drug], f"{dose:g}", "mg", "PO", _FREQUENCY[drug], start, clock.at(hours + 3),
        [(clock.at(hours), event)],
    )  # fmt: skip
    record.order(enc, "Medications", None, clock.at(hours + 2.6), "D/C", poe_id)
