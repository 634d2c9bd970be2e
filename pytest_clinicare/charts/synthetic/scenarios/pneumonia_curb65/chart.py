"""Chart of a pneumonia-curb65 case: arrival, the values of the first hours, and what came after."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import afternoon, emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import infusion, stepped
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.hand import HIP, PHRASES
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.summary import earlier_summary, entry_of, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import emergency, hold, mean_pressures, observe, reading, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
RATE, SYSTOLIC, DIASTOLIC, VERBAL, SATURATION = 220210, 220179, 220180, 223900, 220277
_INTUBATION = 224385
_HOUR = timedelta(hours=1)


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    sex, anchor_age, anchor_year, year = recipe["patient"]
    record = Record(case, sex, anchor_age, anchor_year)
    choice = random.Random(f"allergies/{case.seed}").choice
    record.person = replace(record.person, allergies=choice(("No Known Allergies / Adverse Drug Reactions", "codeine")))
    t0 = datetime.fromisoformat(f"{year}-{recipe['t0']}")
    _before(record, recipe, t0)
    entry = entry_of(recipe)
    enc = _arrive(record, recipe, entry, t0)
    _bloods(record, enc, recipe, t0)
    _drugs(record, enc, recipe, t0)
    _diuretic(record, enc, recipe, t0)
    record.background(enc, skip=("labs", "imaging"))
    _films(record, enc, recipe, t0)
    _signs(record, enc, recipe, t0)
    if recipe["intubation"] != "none":
        start = _at(t0, recipe["intubation"])
        charted(record, enc, enc.icu[0], _INTUBATION, start, 10, "Intubation/Extubation", start + _HOUR / 4)
    if recipe["vasopressor"] != "none":
        start, end = (_at(t0, hours) for hours in recipe["vasopressor"])
        infusion(record, enc, enc.icu[0], "norepinephrine", stepped(start, end, (0.16, 0.1, 0.05)))
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


def _at(t0: datetime, hours: float) -> datetime:
    return t0 + timedelta(minutes=round(hours * 60))


@apart()
def _before(record: Record, recipe: Recipe, t0: datetime) -> None:
    """Clinic bloods and pressures of the year before, and an earlier stay where the recipe has one."""
    rng = record.rng
    for number in range(rng.randrange(2, 4)):
        day = (t0 - timedelta(days=30 * number + rng.randrange(20, 33))).replace(hour=rng.randrange(8, 16))
        record.outpatient(day, "Blood Pressure", f"{rng.randrange(104, 138)}/{rng.randrange(58, 84)}")
        if number:
            record.panel("basic", day)
            record.panel("cbc", day)
    if recipe["earlier"] == "none":
        return
    days, number = recipe["earlier"]
    entry = bank(PHRASES)["earlier"][number]
    arrival = t0 - timedelta(days=days, minutes=rng.randrange(600))
    enc = emergency_admission(record, entry, arrival, afternoon(record, arrival + timedelta(days=rng.randrange(2, 5))))
    record.background(enc)
    record.discharge_summary(enc, earlier_summary(record, entry))


@apart()
def _arrive(record: Record, recipe: Recipe, entry: dict[str, Any], t0: datetime) -> Encounter:
    leaves = _at(t0, recipe["stay"])
    codes = recipe["codes"][1:]
    if recipe["arrival"] == "direct":
        enc = record.admission(
            t0, leaves, hadm_id=record.case.hadm_id, kind="DIRECT EMER.", admission_location="PHYSICIAN REFERRAL"
        )
        illness.code(record, enc, entry, codes)
        return enc
    minutes = round(60 * recipe["ed"])
    icu = None if recipe["icu"] == "none" else (_at(t0, recipe["icu"][0]), _at(t0, recipe["icu"][1]))
    enc = emergency_admission(
        record, entry, t0, leaves, codes=codes, icu=icu, in_ed=(minutes, minutes + 1), hadm_id=record.case.hadm_id
    )
    if recipe["arrival"] == "transfer":
        row = next(r for r in record.rows["admissions"] if r["hadm_id"] == enc.hadm_id)
        row["admission_location"] = "TRANSFER FROM HOSPITAL"
    return enc


def _bloods(record: Record, enc: Encounter, recipe: Recipe, t0: datetime) -> None:
    """Chemistry with urea nitrogen where the recipe has one; creatinine goes with it."""
    for number, (hours, urea) in enumerate(recipe["bun"]):
        time = _at(t0, hours)
        if not enc.start < time < enc.disch:
            continue
        if urea == "none":
            record.panel("electrolytes", time, enc)
        else:
            record.panel("basic", time, enc, urea=urea, creatinine=round(max(0.6, 0.5 + urea / 40), 1))
        record.panel("cbc", time, enc)
        if number == 0:
            for panel in ("coag", "liver", "differential"):
                record.panel(panel, time, enc)
            record.panel("urinalysis", time + timedelta(minutes=50), enc)
    for stay in enc.icu:
        for number in range(3):
            record.panel("gas", stay.intime + timedelta(minutes=40 + 840 * number), enc)


@apart()
def _drugs(record: Record, enc: Encounter, recipe: Recipe, t0: datetime) -> None:
    for agent, first in recipe["antibiotics"]:
        start = _at(t0, first)
        last = (enc.disch - start) / _HOUR - 3
        doses = [_at(start, hours) for hours in between(agent, 0, max(last, 24))]
        given = [(max(time, enc.start), "Administered") for time in doses if time < enc.disch]
        antibiotic(record, enc, agent, start - timedelta(minutes=30), enc.disch, given)


@apart()
def _diuretic(record: Record, enc: Encounter, recipe: Recipe, t0: datetime) -> None:
    """Where the film shows edema, furosemide is given beside the antibiotics."""
    if any(finding == "edema" for _, finding, _ in recipe["imaging"]):
        start = _at(t0, 3.0)
        hours = range(0, round((enc.disch - start) / _HOUR) - 2, 12)
        given = [(_at(start, h) + timedelta(minutes=record.rng.randrange(20)), "Administered") for h in hours]
        record.medication(enc, "Furosemide", "40", "mg", "IV", "BID", start, enc.disch, given)


@apart()
def _films(record: Record, enc: Encounter, recipe: Recipe, t0: datetime) -> None:
    films = bank(PHRASES)["films"]
    person = "man" if record.gender == "M" else "woman"
    for number, (hours, finding, wording) in enumerate(recipe["imaging"]):
        time = _at(t0, hours)
        findings, impression = films[finding][wording]
        why = record.rng.choice(films["why_later" if number else "why"])
        if recipe["presentation"] == HIP and not number:
            why = "with a fall // preoperative film"
        record.order(enc, "Radiology", "General Xray", time - timedelta(minutes=record.rng.randrange(15, 50)))
        record.radiology(
            time,
            "CHEST (PORTABLE AP)",
            f"INDICATION:  ___ year old {person} {why}\n\nTECHNIQUE:  Portable AP chest radiograph.\n\n"
            f"COMPARISON:  ___.\n\nFINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}",
            enc,
        )


def _signs(record: Record, enc: Encounter, recipe: Recipe, t0: datetime) -> None:
    """Readings of the recipe at their minute; every other charted value keeps to the usual limits."""
    stay = (t0, enc.disch)
    for itemid, limits in zip((RATE, SYSTOLIC, DIASTOLIC), recipe["usual"], strict=True):
        hold(record, enc, itemid, (limits[0], limits[1]), stay)
    hold(record, enc, SATURATION, (90, 98), stay)
    if recipe["mental_status"][1] != "Oriented":
        observe(record, enc, VERBAL, recipe["mental_status"][1], 4.0, stay)
    ed = []
    for hours, source, rate, systolic, diastolic in recipe["vitals"]:
        signs = {"resprate": float(rate), "sbp": float(systolic), "dbp": float(diastolic)}
        time = _at(t0, hours)
        if source == "triage":
            warm = {"temperature": 100.0 + rate % 3, "o2sat": 90.0 + rate % 4, "heartrate": 90.0 + rate % 20}
            if recipe["presentation"] == HIP:
                warm = {"temperature": 98.4, "o2sat": 96.0, "heartrate": 98.0}
            triage(record, enc, {**signs, **warm})
        elif source == "ed":
            ed.append((time, signs))
        else:
            for itemid, value in ((RATE, rate), (SYSTOLIC, systolic), (DIASTOLIC, diastolic)):
                reading(record, enc, itemid, time, float(value))
    if enc.ed_stay_id is not None:
        emergency(record, enc, ed)
    mean_pressures(record, enc)
