"""Chart of a sepsis3-sofa case: an ICU stay with cultures, antibiotics, and the values that SOFA is made of."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.cultures import culture
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.gases import UNDRAWN, gas
from pytest_clinicare.charts.synthetic.infusions import STOPPED, Segment, infusion
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.renal_replacement import hemodialysis
from pytest_clinicare.charts.synthetic.scenarios.sepsis3_sofa.hand import PHRASES
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.ventilation import OXYGEN, Setting, settings, ventilated
from pytest_clinicare.charts.synthetic.vital_signs import hold, observe
from pytest_clinicare.charts.synthetic.wording import plain_sections
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_MEAN, _PULSE, _DEVICE = 220181, 220045, 226732
_EYES, _VERBAL, _MOTOR = 220739, 223900, 223901
_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Infection:", "# Intensive care:", "# ICU course:", "# Fever:")
_SAID = {1: "No Response", 5: "Oriented"}


class _Clock:
    """``at`` gives the time of an hour counted from t."""

    def __init__(self, rng: random.Random, morning: bool) -> None:
        minutes = rng.randrange(24 * 60)
        if morning:
            minutes = 7 * 60 + 15 + minutes % 40
        self.zero = datetime(rng.randint(2130, 2185), 1, 1) + timedelta(days=rng.randrange(20, 340), minutes=minutes)

    def at(self, hours: float) -> datetime:
        return self.zero + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    clock = _Clock(rng, recipe["operation"] != "none")
    sex, age = recipe["patient"]
    record = Record(case, sex, age - 1, clock.zero.year - 1)
    record.person = replace(record.person, allergies="No Known Allergies / Adverse Drug Reactions")
    record.control("creatinine", "platelets", "bilirubin", *UNDRAWN)
    if _dialyzed(recipe):
        record.urine_ml_kg_h = (0.05, 0.15)
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["presentation"][0])
    enc = _admitted(record, case, entry, clock)
    _earlier(record, enc, recipe)
    _labs(record, enc, recipe, clock)
    given = recipe["administered"] == "yes"
    record.background(enc, skip=("labs", "micro") if given else ("labs", "micro", "drugs"))
    if not given:
        _ordered_only(record, enc)
    for hour, specimen in recipe["cultures"]:
        time = clock.at(hour)
        culture(record, specimen, time, time + timedelta(hours=round(40 + hour % 7)), enc)
    _antibiotics(record, enc, recipe, clock)
    if _dialyzed(recipe):
        hemodialysis(record, enc)
    _bedside(record, enc, recipe, clock)
    record.discharge_summary(enc, _summary(record, enc, entry, recipe))
    return record.finish()


def _dialyzed(recipe: Recipe) -> bool:
    return any("hemodialysis" in line for line in recipe["past"])


def _admitted(record: Record, case: Case, entry: dict[str, Any], clock: _Clock) -> Encounter:
    """By the emergency department, or on the day of a planned operation."""
    arrival, begins, ends, leaves = (clock.at(hour) for hour in case.recipe["times"])
    codes = list(case.recipe["codes"])
    if case.recipe["operation"] == "none":
        return emergency_admission(
            record, entry, arrival, leaves, codes=codes, icu=(begins, ends), in_ed=(70, 100), hadm_id=case.hadm_id,
            stay_id=case.stay_id, service=entry.get("service", "MED"),
        )  # fmt: skip
    enc = record.admission(
        arrival, leaves, hadm_id=case.hadm_id, kind="SURGICAL SAME DAY ADMISSION", service=entry["service"]
    )
    record.icu_stay(enc, begins, ends, "Cardiac Vascular Intensive Care Unit (CVICU)", case.stay_id)
    illness.code(record, enc, entry, codes)
    record.procedure(enc, entry["operation"], 10, clock.zero)
    return enc


@apart()
def _earlier(record: Record, enc: Encounter, recipe: Recipe) -> None:
    """Clinic blood of the year before, where the recipe has some."""
    for days, creatinine in recipe["prior"]:
        time = enc.start - timedelta(days=days, minutes=record.rng.randrange(300))
        record.panel("basic", time, creatinine=creatinine)
        record.panel("cbc", time, platelets=float(record.rng.randrange(180, 260)))


def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for number, (hour, creatinine, platelets, bilirubin) in enumerate(recipe["labs"]):
        time = clock.at(hour)
        if not enc.start < time < enc.disch:
            continue
        record.panel("basic", time, enc, creatinine=creatinine)
        record.panel("cbc", time, enc, platelets=float(platelets))
        if bilirubin:
            record.panel("liver", time, enc, bilirubin=bilirubin)
        if number == 0:
            record.panel("coag", time, enc)
            record.panel("differential", time, enc)
            record.lab("lactate", time, recipe.get("lactate", 1.4), enc)
    for hour, po2, oxygen, specimen in recipe["gases"]:
        gas(record, enc, clock.at(hour), po2, specimen, oxygen or None)


@apart()
def _ordered_only(record: Record, enc: Encounter) -> None:
    """Routine orders of a ward whose administrations are not in the record."""
    for drug, dose, unit, route, frequency, _, share in bank("distributions/routine")["drugs"]:
        if record.rng.random() <= share:
            start = enc.admit + timedelta(minutes=record.rng.randrange(40, 300))
            record.medication(enc, drug, dose, unit, route, frequency, start, enc.disch)


@apart()
def _antibiotics(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """First and last dose of a course at their minute, those between within a quarter of an hour of theirs."""
    for agent, ordered, first, last, event in recipe["antibiotics"]:
        given: list[tuple[datetime, str]] = []
        hours = [] if event == "none" else between(agent, first, last)
        for hour in hours:
            shift = 0 if hour in (first, last) else record.rng.randrange(-14, 15)
            given.append((clock.at(hour) + timedelta(minutes=shift), event))
        given = [(time, told) for time, told in given if time < enc.disch - timedelta(hours=1)]
        stop = given[-1][0] + timedelta(hours=6) if given else clock.at(ordered + 72)
        antibiotic(record, enc, agent, clock.at(ordered), min(stop, enc.disch), given)


def _bedside(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    stay = enc.icu[0]
    whole = (stay.intime, stay.outtime or enc.disch)
    hold(record, enc, _MEAN, (73, 84 if recipe["pressures"] or recipe["infusions"] else 96), whole)
    if "pulse" in recipe:
        hold(record, enc, _PULSE, (recipe["pulse"][0], recipe["pulse"][1]), whole)
    observe(record, enc, _DEVICE, "None", None, whole)
    for hour, value in recipe["pressures"]:
        record.flowsheet(stay, enc, _MEAN, clock.at(hour), float(value), "mmHg")
    if recipe["vent"] != "none":
        start, end = (clock.at(hour) for hour in recipe["vent"])
        start = max(start, stay.intime + timedelta(minutes=2))
        ventilated(record, enc, stay, start, end)
        _settings(record, enc, recipe, clock)
    else:
        for hour, oxygen in recipe["oxygen"]:
            record.flowsheet(stay, enc, OXYGEN, clock.at(hour), float(oxygen))
    if recipe["sedation"] != "none":
        begin, stop = (clock.at(hour) for hour in recipe["sedation"])
        begin = max(begin, stay.intime + timedelta(minutes=1))
        infusion(record, enc, stay, "propofol", [Segment(begin, stop, 35.0, STOPPED)])
        observe(record, enc, _EYES, "None", 1.0, (begin, stop))
        observe(record, enc, _MOTOR, "No response", 1.0, (begin, stop))
    for drug, parts in recipe["infusions"]:
        segments = [Segment(clock.at(a), clock.at(b), rate) for a, b, rate in parts]
        segments[-1] = replace(segments[-1], status=STOPPED)
        infusion(record, enc, stay, drug, segments)
    for hour, eyes, verbal, motor in recipe["coma"]:
        for itemid, told, number in (
            (_EYES, "Spontaneously", eyes),
            (_VERBAL, _SAID.get(verbal, "Confused"), verbal),
            (_MOTOR, "Obeys Commands", motor),
        ):
            record.flowsheet(stay, enc, itemid, clock.at(hour), told)["valuenum"] = float(number)


def _settings(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    end = recipe["vent"][1]
    rows = [
        Setting(clock.at(hour), "CMV/ASSIST", 420.0, 424.0, 8.0, 20.0, float(oxygen), 25.0)
        for hour, oxygen in recipe["oxygen"]
        if hour < end
    ]
    settings(record, enc, enc.icu[0], rows)


def _summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: Recipe) -> dict[str, str]:
    """What the recipe says of infection and dysfunction stands in an issue of its own."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    phrases, (_, wording) = bank(PHRASES), recipe["presentation"]
    issues = [f"# {entry['problem']}:\n{entry['courses'][wording].format(**words)}"]
    issues.append(f"{record.rng.choice(_HEADINGS)}\n{' '.join(recipe['summary'])}")
    issues += [phrases["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    advice = bank(illness.BANK)["advice"]["texts"]
    past = [*record.person.history, *recipe["past"]]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    return plain_sections(record, entry["problem"], found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person}{_joined(entry['histories'][wording].format(**words))}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": _operation(entry),
        "Discharge Instructions": illness.letter(record, entry["problem"], [advice[n] for n in recipe["advice"]]),
        "Discharge Medications": drug_list(record.person.home_drugs),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }


def _operation(entry: dict[str, Any]) -> str:
    names = {"02100AW": "Coronary artery bypass grafting", "02RF08Z": "Aortic valve replacement"}
    return f"___: {names[entry['operation']]}" if "operation" in entry else "None"


def _joined(history: str) -> str:
    """After the person: a noun is set off by a comma."""
    return f", {history}" if history.startswith(("a ", "an ")) else f" {history}"
