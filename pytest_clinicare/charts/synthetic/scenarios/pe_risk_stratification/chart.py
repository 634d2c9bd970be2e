"""Chart of a pe-risk-stratification case: arrival, the CT, pressures, and what was given around it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import STOPPED, infusion, stepped
from pytest_clinicare.charts.synthetic.medications import DOSES_PER_DAY
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.pe_risk_stratification.summary import entry_of, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import emergency, hold, mean_pressures, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_HOUR = timedelta(hours=1)
SYSTOLIC, DIASTOLIC, PULSE, SATURATION = 220179, 220180, 220045, 220277
_IN_ED = (
    ("Morphine Sulfate", "2", "mg", "IV"),
    ("Ondansetron", "4", "mg", "IV"),
    ("Acetaminophen", "1000", "mg", "PO/NG"),
    ("Ipratropium-Albuterol Neb", "1", "NEB", "IH"),
)
_PULMONARY = "CTA CHEST WITH CONTRAST"


@dataclass(frozen=True)
class _Clock:
    scan: datetime

    def at(self, hours: float) -> datetime:
        """Hours from the CT."""
        return self.scan + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    year, group = recipe["calendar"]
    minutes = random.Random(f"chart/{case.seed}").randrange(20 * 1440, 330 * 1440)
    clock = _Clock(datetime(year, 1, 1) + timedelta(minutes=minutes))
    sex, age = recipe["patient"]
    record = Record(case, sex, age, year)
    record.anchor_year_group = group
    record.weight_kg = float(recipe["weight"])
    choice = random.Random(f"allergies/{case.seed}").choice
    home = record.person.home_drugs
    if "I2782" in recipe["codes"]:
        home = (*home, "Apixaban 5 mg PO BID")
    allergies = choice(("No Known Allergies / Adverse Drug Reactions", "Penicillins"))
    record.person = replace(record.person, home_drugs=home, allergies=allergies)
    _clinic(record, clock)
    entry = entry_of(recipe)
    enc = _arrive(record, recipe, entry, clock)
    _bloods(record, enc, recipe, clock)
    _images(record, enc, recipe, clock)
    _drugs(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    _signs(record, enc, recipe, clock)
    if recipe["emar"] == "absent":
        record.rows["emar"], record.rows["emar_detail"] = [], []
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


@apart()
def _clinic(record: Record, clock: _Clock) -> None:
    """Pressure and bloods of a clinic visit two weeks before, and some of the year before."""
    rng = record.rng
    for number in range(rng.randrange(1, 4)):
        time = clock.scan - timedelta(days=14 + 60 * number + rng.randrange(0, 3), minutes=rng.randrange(600))
        record.outpatient(time, "Blood Pressure", f"{rng.randrange(112, 138)}/{rng.randrange(62, 84)}")
        record.outpatient(time, "Weight (Lbs)", f"{record.weight_kg * 2.2046 + number:.0f}")
        if number:
            record.panel("basic", time, None, creatinine=0.9)
            record.panel("cbc", time)


@apart()
def _arrive(record: Record, recipe: Recipe, entry: dict[str, Any], clock: _Clock) -> Encounter:
    leaves, arrival = clock.at(recipe["leaves"]), clock.at(-recipe["ct"][0])
    if recipe["arrival"] == "direct":
        enc = record.admission(
            arrival, leaves, hadm_id=record.case.hadm_id, kind="DIRECT EMER.", admission_location="PHYSICIAN REFERRAL"
        )
        illness.code(record, enc, entry, [])
    else:
        minutes = round(60 * (recipe["ct"][0] + recipe["until"]))
        icu = None
        if recipe["icu"] != "none":
            start = clock.at(recipe["until"]) + timedelta(minutes=3)
            icu = (start, start + recipe["icu"][0] * _HOUR)
        enc = emergency_admission(
            record, entry, arrival, leaves, icu=icu, in_ed=(minutes, minutes + 1), hadm_id=record.case.hadm_id
        )
    record.outpatient(enc.admit, "Weight (Lbs)", f"{record.weight_kg * 2.2046:.1f}")
    return enc


def _bloods(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    first = enc.start + timedelta(minutes=34)
    times = [first]
    morning = first.replace(hour=5, minute=25) + timedelta(days=1)
    while morning < enc.disch:
        times.append(morning)
        morning += timedelta(days=1)
    for number, time in enumerate(times):
        _draw(record, enc, time, number == 0)
    for hours, value in recipe["troponin"]:
        record.lab("troponin_t", clock.at(hours), float(value), enc)
    record.lab("ntprobnp", first, float(recipe["bnp"]), enc)


@apart("time")
def _draw(record: Record, enc: Encounter, time: datetime, first: bool) -> None:
    record.panel("basic", time, enc, creatinine=round(record.rng.uniform(0.7, 0.95), 1))
    record.panel("cbc", time, enc, platelets=float(record.rng.randrange(170, 320)))
    if first:
        for panel in ("coag", "liver", "differential"):
            record.panel(panel, time, enc)
        record.panel("urinalysis", time + timedelta(minutes=45), enc)


@apart()
def _images(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    rng = record.rng
    person = "man" if record.gender == "M" else "woman"
    _, found, rest, impression = recipe["ct"]
    where, addendum = recipe["addendum"]
    why = rng.choice(("chest pain and dyspnea // PE?", "tachypnea // evaluate for PE", "dyspnea // ?embolus"))
    text = (
        f"INDICATION:  ___ year old {person} with {why}\n\nTECHNIQUE:  Multidetector CT after contrast.\n\n"
        f"COMPARISON:  ___.\n\nFINDINGS: \n\n{found} {rest}\n\nIMPRESSION: \n\n{impression}"
    )
    if where == "same report":
        text += f"\n\nADDENDUM:  {addendum}"
    record.order(enc, "Radiology", "CT Scan", clock.at(-0.75))
    record.radiology(clock.scan, _PULMONARY, text, enc)
    if where == "separate note":
        record.radiology(clock.scan, f"{_PULMONARY} - ADDENDUM", f"ADDENDUM:  {addendum}", enc)
    veins = clock.at(4) + timedelta(minutes=rng.randrange(0, 300))
    record.order(enc, "Radiology", "Ultrasound", veins - timedelta(minutes=70))
    record.radiology(veins, "BILAT LOWER EXT VEINS", f"FINDINGS: \n\n{recipe['veins']}", enc)
    if recipe["filter"] != "none":
        placed = clock.at(recipe["filter"])
        report = "PROCEDURE:  Access of the right common femoral vein. A retrievable filter was deployed "
        report += "below the renal veins under fluoroscopy.\n\nIMPRESSION: \n\nPlacement of a vena cava filter."
        record.radiology(placed, "IVC FILTER PLACEMENT", report, enc)
        record.procedure(enc, "06H03DZ", 10, placed)


def _drugs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    _emergency_drugs(record, enc)
    for drug, dose, unit, route, often, start, until, given in recipe["anticoagulant"]:
        begin, end = max(clock.at(start), enc.start), min(clock.at(until), enc.disch)
        doses = [(clock.at(h), event) for h, event in given]
        if doses and often in DOSES_PER_DAY and doses[-1][1] == "Administered":
            step = timedelta(hours=24 / DOSES_PER_DAY[often])
            time = doses[-1][0] + step
            while time < end:
                doses.append((time, "Administered"))
                time += step
        record.medication(enc, drug, dose, unit, route, often, begin, end, doses)
        running = [time for time, event in doses if event in ("Started", "Restarted")]
        if often == "INFUSION" and running and enc.icu:
            stay = enc.icu[0]
            since, to = max(running[-1], stay.intime), min(end, stay.outtime or end)
            if since < to:
                infusion(record, enc, stay, "heparin", stepped(since, to, [float(dose), float(dose) - 100], STOPPED))
    for agent, start, end in recipe["vasopressors"]:
        _pressor(record, enc, agent, clock.at(start), clock.at(end))
    for kind, dose, hours in recipe["reperfusion"]:
        if kind == "alteplase":
            time = clock.at(hours)
            events = [(time, "Administered")]
            record.medication(enc, "Alteplase", str(dose), "mg", "IV", "ONCE", time, time + 2 * _HOUR, events)
        else:
            text = f"PROCEDURE:  {kind.capitalize()} through the right femoral vein.\n\nIMPRESSION: \n\nFlow improved."
            record.radiology(clock.at(hours), f"PULMONARY ARTERY {kind.upper()}", text, enc)


@apart()
def _emergency_drugs(record: Record, enc: Encounter) -> None:
    """Doses charted in the ED, or on the ward after a direct admission."""
    rng = record.rng
    for n, (drug, dose, unit, route) in enumerate(rng.sample(_IN_ED, 2)):
        time = enc.start + timedelta(minutes=rng.randrange(22, 50) + 25 * n)
        record.medication(enc, drug, dose, unit, route, "ONCE", time, time + _HOUR, [(time, "Administered")])


def _pressor(record: Record, enc: Encounter, agent: str, start: datetime, end: datetime) -> None:
    """Begun in the ED and charted as an infusion in intensive care."""
    stay = enc.icu[0]
    if start < stay.intime:
        events = [(start, "Started")]
        record.medication(enc, agent, "0.05-0.3", "mcg/kg/min", "IV DRIP", "INFUSION", start, end, events)
    since = max(start, stay.intime)
    if since < end:
        infusion(record, enc, stay, agent.lower(), stepped(since, end, [0.14, 0.1, 0.05], STOPPED))


def _signs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Readings of the recipe; charting of intensive care keeps to its limits."""
    readings = []
    for hours, where, sbp, pulse, oxygen in recipe["bp"]:
        signs = {"sbp": float(sbp), "dbp": float(round(sbp * 0.6)), "heartrate": float(pulse), "o2sat": float(oxygen)}
        if where == "triage":
            triage(record, enc, signs | {"resprate": 18.0 + pulse % 5})
        else:
            readings.append((clock.at(hours), signs))
    if enc.ed_stay_id is not None:
        emergency(record, enc, readings)
    if recipe["icu"] != "none" and enc.icu:
        stay = (enc.start, enc.disch)
        _, low, high = recipe["icu"]
        hold(record, enc, SYSTOLIC, (low, high), stay)
        hold(record, enc, DIASTOLIC, (50, 78), stay)
        hold(record, enc, PULSE, (72, 108), stay)
        hold(record, enc, SATURATION, (91, 98), stay)
        mean_pressures(record, enc)
