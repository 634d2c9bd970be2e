"""Chart of a stroke-thrombolysis case: emergency department, imaging, alteplase, and the days on the neurology unit."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import afternoon
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis.plan import PHRASES
from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis.summary import summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import emergency, hold, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
SYSTOLIC, DIASTOLIC, MEAN, POUNDS = 220179, 220180, 220181, 226531
_CLEARANCE = "Alteplase 1mg/2mL ( Clearance ie. PICC )"
_ED_DRUGS = {"Ondansetron": ("4", "IV"), "Labetalol": ("10", "IV")}


class _Clock:
    def __init__(self, arrival: datetime) -> None:
        self.arrival = arrival

    def at(self, minutes: float) -> datetime:
        return self.arrival + timedelta(minutes=round(minutes))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    anchor, year = recipe["calendar"]
    day = datetime(year, 1, 1) + timedelta(days=rng.randrange(45, 330))
    clock = _Clock(day + timedelta(minutes=recipe["clock"]))
    sex, age = recipe["patient"]
    record = Record(case, sex, age - (year - anchor), anchor)
    record.weight_kg = float(recipe["weight"])
    record.person = replace(
        record.person, allergies=rng.choice(("No Known Allergies / Adverse Drug Reactions", "Latex"))
    )
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["presentation"][0])
    _clinic(record, recipe, clock)
    enc = _admission(record, recipe, clock, entry)
    _bloods(record, enc, recipe, clock)
    _home(record, enc, recipe, clock)
    _imaging(record, enc, clock, entry)
    record.background(enc, skip=("labs", "micro"))
    _alteplase(record, enc, recipe, clock)
    _bedside(record, enc)
    record.discharge_summary(enc, summary(record, entry, recipe))
    return record.finish()


@apart()
def _clinic(record: Record, recipe: Recipe, clock: _Clock) -> None:
    for days, count in ((record.rng.randrange(140, 400), None), (30, recipe["clinic_platelets"])):
        time = clock.at(-1440 * days)
        record.panel("basic", time)
        record.panel("cbc", time, platelets=float(count or record.rng.randrange(180, 300)))


@apart()
def _admission(record: Record, recipe: Recipe, clock: _Clock, entry: dict[str, Any]) -> Encounter:
    rng = record.rng
    into, out = (clock.at(minute) for minute in recipe["icu"])
    ed_out = into - timedelta(minutes=rng.randrange(2, 8))
    enc = record.admission(
        ed_out - timedelta(minutes=rng.randrange(20, 45)), afternoon(record, clock.at(1440 * recipe["leaves"])),
        hadm_id=record.case.hadm_id, ed=(clock.arrival, ed_out), service="NMED", chief_complaint=entry["complaint"],
        discharge_location=rng.choice(("REHAB", "REHAB", "HOME HEALTH CARE", "SKILLED NURSING FACILITY")),
    )  # fmt: skip
    treated = bool(recipe["alteplase"])
    unit = "Neuro Surgical Intensive Care Unit (Neuro SICU)" if treated else "Neuro Stepdown"
    record.icu_stay(enc, into, out, unit)
    fibrillation = [] if recipe["anticoagulant"] == "none" else ["I4891", "Z7901"]
    illness.code(record, enc, {**entry, "avoid": ["Heparin"]}, fibrillation)
    rows = [(clock.at(at), {"sbp": float(high), "dbp": float(low)}) for at, high, low in recipe["pressures"]]
    told = recipe["triage_told"]
    hours = round(-recipe["lkw"] / 30) / 2 if told == "lkw" else told
    complaint = entry["complaint"] + ("" if told == "none" else f", last seen normal {hours:g} h ago")
    triage(record, enc, {**rows[0][1], "temperature": 98.2, "o2sat": 97.0}, complaint)
    emergency(record, enc, rows[1:])
    return enc


def _bloods(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The draw of the emergency department with its result time, then mornings."""
    collected, resulted, inr, pt, ptt, platelets, glucose = recipe["labs"]
    time = clock.at(collected)
    record.panel("basic", time, enc, glucose=float(glucose), creatinine=1.0)
    record.panel("cbc", time, enc, platelets=float(platelets))
    record.panel("coag", time, enc, inr=float(inr), pt=float(pt), ptt=float(ptt))
    for row in record.rows["labevents"]:
        if row["hadm_id"] == enc.hadm_id and row["charttime"] == stamp(time):
            row["storetime"] = stamp(clock.at(resulted))
    midnight = clock.arrival.replace(hour=0, minute=0)
    for number in range(1, enc.days):
        morning = midnight + timedelta(days=number, minutes=320 + 9 * number)
        if morning < enc.disch:
            record.panel("basic", morning, enc, creatinine=1.0)
            record.panel("cbc", morning, enc, platelets=float(platelets + 7 * number))
            fade = round(1.1 + (inr - 1.1) * 0.7**number, 1)
            record.panel("coag", morning, enc, inr=fade, ptt=float(ptt))


def _home(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The list at the door is as long whether or not an anticoagulant stands on it."""
    drugs = [line.split()[0].lower() for line in record.person.home_drugs][:4]
    if recipe["anticoagulant"] != "none":
        drugs[-1] = recipe["anticoagulant"][0]
    for drug in drugs:
        record.home_med(enc.ed_stay_id or 0, drug, clock.at(17))


@apart()
def _imaging(record: Record, enc: Encounter, clock: _Clock, entry: dict[str, Any]) -> None:
    rng, phrases = record.rng, bank(PHRASES)
    person = "man" if record.gender == "M" else "woman"
    head = f"INDICATION:  ___ year old {person} with acute neurologic deficit.\n\n"
    head += "TECHNIQUE:  {}\n\nCOMPARISON:  None.\n\n"
    first, second = clock.at(rng.randrange(14, 24)), clock.at(rng.randrange(20, 29) * 60)
    record.order(enc, "Radiology", "CT Scan", first - timedelta(minutes=9))
    text = head.format("Contiguous axial images without contrast.") + rng.choice(phrases["ct"]["texts"])
    record.radiology(first, "CT HEAD W/O CONTRAST", text, enc)
    record.order(enc, "Radiology", "MRI", second - timedelta(hours=3))
    text = head.format("Sagittal T1, axial T2, FLAIR, gradient echo and diffusion.") + rng.choice(
        phrases["mri"]["texts"]
    ).format(site=entry["site"])
    record.radiology(second, "MR HEAD W/O CONTRAST", text, enc)


def _alteplase(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    drug, minute = recipe["ed_drug"]
    dose, route = _ED_DRUGS[drug]
    time = clock.at(minute)
    record.medication(
        enc, drug, dose, "mg", route, "ONCE", time, time + timedelta(minutes=5), [(time, "Administered")]
    )  # fmt: skip
    if recipe["order"] != "none":
        start = clock.at(recipe["order"])
        doses = recipe["alteplase"] or [[round(0.9 * recipe["weight"], 1), 0, ""]]
        for number, (amount, at, event) in enumerate(doses):
            begin = start + timedelta(minutes=number)
            given = [(clock.at(at), event)] if event else []
            poe = record.medication(
                enc, "Alteplase", f"{amount:g}", "mg", "IV", "ONCE", begin, begin + timedelta(minutes=90), given
            )  # fmt: skip
            if recipe["dc"] == "yes":
                record.order(enc, "Medications", None, begin + timedelta(minutes=21), "D/C", poe)
    if recipe["clearance"] != "none":
        time = clock.at(60 * recipe["clearance"])
        end = time + timedelta(hours=4)
        record.medication(enc, _CLEARANCE, "2", "mg", "DWELL", "ONCE", time, end, [(time, "Administered")])


@apart()
def _bedside(record: Record, enc: Encounter) -> None:
    """Pressures of the unit within what is aimed at, and the weight in pounds beside that in kilograms."""
    stay = enc.icu[0]
    whole = (stay.intime, stay.outtime or enc.disch)
    for itemid, band in ((SYSTOLIC, (118, 172)), (DIASTOLIC, (58, 96)), (MEAN, (78, 118))):
        hold(record, enc, itemid, band, whole)
    pounds = round(record.weight_kg / 0.4536, 1)
    record.flowsheet(stay, enc, POUNDS, stay.intime + timedelta(minutes=25), pounds)
