"""Chart of a post-ct-aki case: an ICU admission with a CT and the creatinine around it, as the recipe lists them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.renal_replacement import hemodialysis
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_COPIES = ((220615, "creatinine", "mg/dL"), (227442, "potassium", "mEq/L"), (220645, "sodium", "mEq/L"))
# The variant's facts fix the patient of the MDRD tier, whose estimate depends on age and sex alone.
_MDRD_PATIENT = ("M", 60)
_CKD_HISTORY = {
    "2": "Chronic kidney disease, stage 2",
    "3": "Chronic kidney disease, stage 3",
    "4": "Chronic kidney disease, stage 4",
    "5": "End stage renal disease on hemodialysis (___)",
}


@dataclass(frozen=True)
class _Course:
    arrival: datetime
    leaves: datetime
    admit: datetime
    scan: datetime
    icu_out: datetime
    discharge: datetime

    def at(self, hours: float) -> datetime:
        """Clock time of ``hours`` after the index scan, to the minute."""
        return self.scan + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    course = _course(recipe, rng)
    record = Record(case, *_patient(recipe, rng), course.admit.year)
    illness.settle_person(record)
    record.control("creatinine", "urea")
    if recipe["dialysis"] != "none":
        record.urine_ml_kg_h = (0.02, 0.08)
    _earlier_care(record, recipe, course)
    trauma = recipe["baseline_tier"] == "none"
    telling = illness.Telling.of(recipe["telling"])
    entry = telling.entry
    enc = record.admission(
        course.admit,
        course.discharge,
        hadm_id=case.hadm_id,
        ed=(course.arrival, course.leaves),
        service="TRAUM" if trauma else "MED",
        chief_complaint=entry["complaint"],
    )
    unit = "Trauma SICU (TSICU)" if trauma else rng.choice(_UNITS)
    record.icu_stay(enc, course.admit + timedelta(minutes=rng.randrange(31, 50)), course.icu_out, unit)
    illness.code(record, enc, entry, recipe["icd_codes"])
    _creatinine(record, enc, recipe, course)
    _scans(record, enc, recipe, course, entry)
    if recipe["dialysis"] == "maintenance":
        _sessions(record, enc, course)
    record.background(enc)
    record.discharge_summary(enc, _summary(record, enc, telling, recipe))
    return record.finish()


_UNITS = (
    "Medical Intensive Care Unit (MICU)",
    "Medical/Surgical Intensive Care Unit (MICU/SICU)",
    "Surgical Intensive Care Unit (SICU)",
)


def _patient(recipe: Recipe, rng: random.Random) -> tuple[str, int]:
    if recipe["baseline_tier"] == "mdrd":
        return _MDRD_PATIENT
    return rng.choice("MF"), rng.randrange(38, 84)


def _course(recipe: Recipe, rng: random.Random) -> _Course:
    """Arrival lies just ahead of the first blood or the order; where neither comes first, by 20 minutes."""
    first_blood = -min(hours for hours, _ in recipe["encounter_creatinine"])
    last_blood = max(hours for hours, _ in recipe["encounter_creatinine"])
    if first_blood < 0:
        lead = timedelta(minutes=20)
    else:
        lead = timedelta(hours=max(first_blood, recipe["order_to_scan_delay_h"]) + 0.4, minutes=rng.randrange(5, 40))
    scan = datetime(rng.randrange(2125, 2190), 1, 1) + timedelta(
        days=rng.randrange(365), minutes=rng.randrange(7 * 60, 22 * 60)
    )
    arrival = scan - lead
    leaves = arrival + timedelta(minutes=rng.randrange(300, 460))
    admit = leaves - timedelta(minutes=rng.randrange(20, 31))
    discharge = scan + timedelta(hours=last_blood + rng.uniform(26, 44))
    discharge = discharge.replace(hour=rng.randrange(12, 18), minute=rng.randrange(60), second=0, microsecond=0)
    if discharge < scan + timedelta(hours=last_blood + 4):
        discharge += timedelta(days=1)
    stay = timedelta(hours=rng.uniform(60, 96))
    icu_out = min(admit + stay, discharge - timedelta(hours=20)).replace(second=0, microsecond=0)
    return _Course(arrival, leaves, admit, scan, icu_out, discharge)


def _earlier_care(record: Record, recipe: Recipe, course: _Course) -> None:
    """Clinic bloods, an earlier admission around one of them, an emergency visit; nothing at a first contact."""
    rng = record.rng
    if recipe["baseline_tier"] == "none":
        return
    prior = [
        (course.admit - timedelta(days=days, minutes=rng.randrange(0, 300)), value)
        for days, value in recipe["prior_creatinine"]
    ]
    hosted = rng.randrange(len(prior)) if prior and rng.random() < 0.75 else None
    for number, (time, value) in enumerate(prior):
        if number == hosted:
            _earlier_admission(record, recipe, time, value)
        else:
            record.panel("basic", time, creatinine=value, urea=_urea(value))
            record.panel("cbc", time)
            record.outpatient(time, "Weight (Lbs)", f"{record.weight_kg * 2.205 + rng.gauss(0, 2):.0f}")
            record.outpatient(time, "Blood Pressure", f"{rng.randrange(116, 142)}/{rng.randrange(62, 86)}")
    visit = course.admit - timedelta(days=rng.randrange(920, 1300), minutes=rng.randrange(600))
    record.ed_visit(visit, visit + timedelta(minutes=rng.randrange(150, 400)))


def _earlier_admission(record: Record, recipe: Recipe, blood: datetime, creatinine: float) -> None:
    rng = record.rng
    admit = blood - timedelta(hours=rng.randrange(6, 40))
    telling = illness.Telling.of(recipe["earlier_telling"])
    entry = telling.entry
    disch = (blood + timedelta(days=rng.randrange(1, 3))).replace(hour=rng.randrange(12, 17))
    enc = record.admission(
        admit, disch, ed=(admit - timedelta(hours=5), admit + timedelta(minutes=25)), chief_complaint=entry["complaint"]
    )
    illness.code(record, enc, entry, [code for code in recipe["icd_codes"] if not code.startswith("N17")])
    record.panel("basic", blood, enc, creatinine=creatinine, urea=_urea(creatinine))
    if recipe["dialysis"] == "maintenance":
        hemodialysis(record, enc)
    record.background(enc)
    record.discharge_summary(enc, illness.sections(record, enc, telling, history=_ckd_history(recipe)))


def _urea(creatinine: float) -> float:
    return max(8.0, round(15.5 * float(creatinine**0.85)))


def _creatinine(record: Record, enc: Encounter, recipe: Recipe, course: _Course) -> None:
    """Full chemistry at each stated time; in the ICU the flowsheet copies it, as it does for every patient."""
    for hours, value in recipe["encounter_creatinine"]:
        time = course.at(hours)
        potassium, sodium = (
            round(record.rng.gauss(4.1 + 0.12 * max(0.0, value - 1.5), 0.3), 1),
            float(round(record.rng.gauss(138, 2))),
        )
        urea = _urea(value) + record.rng.randrange(-2, 4)
        record.panel("basic", time, enc, creatinine=value, urea=urea, potassium=potassium, sodium=sodium)
        values = {"creatinine": value, "potassium": potassium, "sodium": sodium}
        for stay in enc.icu:
            if stay.outtime and stay.intime <= time < stay.outtime:
                for itemid, name, unit in _COPIES:
                    record.flowsheet(stay, enc, itemid, time, values[name], unit)


def _scans(record: Record, enc: Encounter, recipe: Recipe, course: _Course, entry: dict[str, Any]) -> None:
    """CT orders, and reports where the recipe has them; charttime of the report is the scan time.

    The illness may tell by region why it called for one, and what that showed.
    """
    status, region, contrast, *advice = [part.strip() for part in recipe["ct_report"].split(";")]
    delay = recipe["order_to_scan_delay_h"]
    record.order(enc, "Radiology", "CT Scan", course.at(-delay))
    if status == "present":
        text = _report(record, region, entry, contrast == "contrast given", advice[0] if advice else "")
        record.radiology(course.scan, bank("phrases/ct")[region]["exam"], text, enc)
    if recipe["later_ct"] != "none":
        time = course.at(recipe["later_ct"])
        record.order(enc, "Radiology", "CT Scan", time - timedelta(minutes=record.rng.randrange(70, 200)))
        record.radiology(time, bank("phrases/ct")["chest"]["exam"], _report(record, "chest", entry, True, ""), enc)


def _report(record: Record, region: str, illness: dict[str, Any], contrast: bool, advice: str) -> str:
    entry = bank("phrases/ct")[region] | illness.get("ct", {}).get(region, {})
    indication = entry["indication"].format(problem=illness["problem"].lower())
    person = "man" if record.gender == "M" else "woman"
    ending = f"\n{advice}." if advice else ""
    return (
        f"INDICATION:  ___ year old {person} {indication}\n\n"
        f"TECHNIQUE:  {entry['contrast' if contrast else 'plain']}\n\nCOMPARISON:  None.\n\n"
        f"FINDINGS: \n\n{entry['findings']}\n\nIMPRESSION: \n\n{entry['impression']}{ending}"
    )


def _sessions(record: Record, enc: Encounter, course: _Course) -> None:
    """Hemodialysis three times a week: before the scan, after the second window value, and on."""
    hours = 1.5
    record.procedure(enc, "5A1D70Z", 10, course.at(1.0))
    for start in (1.0, 41.0, 89.0, 137.0):
        time = course.at(start)
        if time >= enc.disch:
            return
        record.order(enc, "Hemodialysis", "Hemodialysis", time - timedelta(hours=hours))
        for stay in enc.icu:
            if stay.outtime and stay.intime <= time < stay.outtime:
                charted(record, enc, stay, 225441, time, 210, "Dialysis", stored=time + timedelta(hours=4))


def _ckd_history(recipe: Recipe) -> list[str]:
    stage, *where = recipe["ckd_stage"].split(",")
    return [_CKD_HISTORY[stage]] if where and "summary" in where[0] else []


def _summary(record: Record, enc: Encounter, telling: illness.Telling, recipe: Recipe) -> dict[str, str]:
    claim = recipe["summary_claim"]
    issues = [] if claim == "none" else [f"# Renal:\n{claim}"]
    return illness.sections(record, enc, telling, history=_ckd_history(recipe), issues=issues)
