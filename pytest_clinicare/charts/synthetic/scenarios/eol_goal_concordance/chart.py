"""Chart of an eol-goal-concordance case: an admission that ends in death or hospice, its goals and its treatment."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.illness import Telling
from pytest_clinicare.charts.synthetic.infusions import infusion, stepped
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.eol_goal_concordance.hand import PHRASES, pronouns
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
CODE_STATUS = 223758
ORDERED = {
    "full": "Resuscitate (Full code)",
    "dnr": "DNAR (DO NOT attempt resuscitation for cardiac arrest)",
    "dnr-dni": "Do not resuscitate (DNR/DNI)",
}
CHARTED = {
    "full": "Full code",
    "dnr": "DNR (do not resuscitate)",
    "dnr-dni": "DNR / DNI",
    "dni": "DNI (do not intubate)",
    "cmo": "Comfort measures only",
}
_ITEMS = {
    "intubation": (224385, "1-Intubation/Extubation"),
    "extubation": (227194, "1-Intubation/Extubation"),
    "invasive-vent": (225792, "2-Ventilation"),
    "niv": (225794, "2-Ventilation"),
    "crrt": (225802, "Dialysis"),
    "hd": (225441, "4-Procedures"),
    "cpr": (225466, "6-Communication"),
}
_DEVICE, _VERBAL = 226732, 223900
_AVOID = ["Docusate Sodium", "Senna"]
_WARD_BEFORE_HOSPICE = 24.0


@dataclass(frozen=True)
class _Clock:
    admit: datetime

    def at(self, hours: float) -> datetime:
        """Hours from admission, to the minute."""
        return self.admit + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    day = datetime(rng.randrange(2120, 2190), 1, 1) + timedelta(days=rng.randrange(30, 350))
    clock = _Clock(day + timedelta(minutes=recipe["clock"]))
    sex, age = recipe["patient"]
    record = Record(case, sex, age, clock.admit.year)
    record.urine_ml_kg_h = (0.15, 0.45)
    illness.settle_person(record)
    telling = Telling.of(recipe["telling"], PHRASES)
    for days in rng.sample(range(30, 400), 2):
        visit = clock.admit - timedelta(days=days, minutes=rng.randrange(300))
        record.panel("basic", visit)
        record.panel("cbc", visit)
    leaves = clock.admit + timedelta(minutes=rng.randrange(20, 50))
    died = recipe["end"] == "death"
    enc = record.admission(
        clock.admit,
        clock.at(recipe["death_h"]),
        hadm_id=case.hadm_id,
        ed=(leaves - timedelta(minutes=rng.randrange(260, 420)), leaves),
        died=died,
        discharge_location=None if died else "HOSPICE" if recipe["end"] == "hospice" else "REHAB",
        chief_complaint=telling.entry["complaint"],
    )
    out = recipe["death_h"] if died else recipe["death_h"] - _WARD_BEFORE_HOSPICE
    record.icu_stay(enc, clock.at(1.0), clock.at(out))
    illness.code(record, enc, {**telling.entry, "avoid": _AVOID}, recipe["codes"])
    record.background(enc)
    _clear(record, enc, recipe, clock)
    _goals(record, enc, recipe, clock)
    for row in recipe["interventions"]:
        _treat(record, enc, clock, *row)
    _morphine(record, enc, clock, *recipe["morphine"])
    record.discharge_summary(enc, _summary(record, enc, telling, recipe))
    return record.finish()


def _clear(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Routine care without its code status, and without draws, films and drugs once comfort is the aim."""
    routine = {r["poe_id"] for r in record.rows["poe"] if r["order_subtype"] == "Code status"}
    for table in ("poe", "poe_detail"):
        record.rows[table] = [r for r in record.rows[table] if r["poe_id"] not in routine]
    charts = record.rows["chartevents"]
    record.rows["chartevents"] = [r for r in charts if r["itemid"] != CODE_STATUS]
    for kind, start, stop, _, _ in recipe["interventions"]:
        if kind == "invasive-vent":
            _on_the_ventilator(record, stamp(clock.at(start)), stamp(clock.at(stop)))
    labs = record.rows["labevents"]
    record.rows["labevents"] = [r for r in labs if r["charttime"] <= stamp(enc.disch)]
    comfort = [h for h, level, _, _ in recipe["goals"] if level == "cmo"]
    if not comfort:
        return
    end = stamp(clock.at(min(comfort)))
    late = {
        table: [r for r in record.rows[table] if str(r["charttime"]) >= end]
        for table in ("labevents", "radiology", "emar")
    }
    notes, doses = {r["note_id"] for r in late["radiology"]}, {r["emar_id"] for r in late["emar"]}
    for table, rows in late.items():
        gone = {id(r) for r in rows}
        record.rows[table] = [r for r in record.rows[table] if id(r) not in gone]
    record.rows["radiology_detail"] = [r for r in record.rows["radiology_detail"] if r["note_id"] not in notes]
    record.rows["emar_detail"] = [r for r in record.rows["emar_detail"] if r["emar_id"] not in doses]
    for table in ("prescriptions", "pharmacy"):
        for row in record.rows[table]:
            row["stoptime"] = min(str(row["stoptime"]), end)


def _on_the_ventilator(record: Record, start: str, stop: str) -> None:
    """What nurses chart of a patient with a tube."""
    for row in record.rows["chartevents"]:
        if start <= row["charttime"] < stop and row["itemid"] == _DEVICE:
            row["value"] = "Endotracheal tube"
        elif start <= row["charttime"] < stop and row["itemid"] == _VERBAL:
            row |= {"value": "No Response-ETT", "valuenum": 1.0}


def _goals(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    last: str | None = None
    for hours, level, source, kind in recipe["goals"]:
        time = clock.at(hours)
        if source == "charted":
            record.flowsheet(enc.icu[0], enc, CODE_STATUS, time, CHARTED[level])
            continue
        detail = None if kind == "D/C" else {"Code status": ORDERED[level]}
        last = record.order(enc, "General Care", "Code status", time, kind, None if kind == "New" else last, detail)


def _treat(
    record: Record, enc: Encounter, clock: _Clock, kind: str, start: float, stop: float, done: str, rows: list[float]
) -> None:
    begin, end = clock.at(start), min(clock.at(stop), enc.disch)
    stay = enc.icu[0]
    if kind == "pressor" and done == "ordered-only":
        record.medication(enc, "Vasopressin", "2.4", "UNIT/HR", "IV DRIP", "INFUSION", begin, end)
    elif kind == "pressor":
        rates = [round(0.16 - 0.03 * n, 2) for n in range(len(rows) + 1)]
        infusion(record, enc, stay, "norepinephrine", stepped(begin, end, rates, changes=[clock.at(h) for h in rows]))
    else:
        itemid, category = _ITEMS[kind]
        minutes = max(1, round((end - begin) / timedelta(minutes=1)))
        charted(record, enc, stay, itemid, begin, minutes, category, min(end + timedelta(minutes=5), enc.disch))


@apart()
def _morphine(record: Record, enc: Encounter, clock: _Clock, first: float, last: float) -> None:
    """Doses as needed, some hours apart."""
    given, hours = [], first
    while hours <= last:
        given.append((clock.at(hours), "Administered"))
        hours += record.rng.uniform(2.5, 4.5)
    start = clock.at(first) - timedelta(minutes=20)
    record.medication(enc, "Morphine Sulfate", "2", "mg", "IV", "Q4H:PRN", start, enc.disch, given)


@apart("enc")
def _summary(record: Record, enc: Encounter, telling: Telling, recipe: Recipe) -> dict[str, str]:
    entry, words = telling.entry, pronouns(record.gender)
    found = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
    plain = plain_sections(record, entry["problem"], {part: str(entry[part]) for part in found if part in entry})
    person = "man" if record.gender == "M" else "woman"
    told = f"# {entry['problem']}:\n{entry['courses'][telling.course].format(**words)}"
    others = [bank(PHRASES)["other_issues"]["texts"][number] for number in telling.issues]
    heading = record.rng.choice(("# Goals of care:", "# Family:", "# Goals:"))
    died = recipe["end"] == "death"
    return {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][telling.history].format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in [*entry["past"], *record.person.history]),
        "Social History": record.person.social,
        "Family History": record.person.family,
        "Physical Exam": plain["Physical Exam"].split("\n\n")[0],
        "Brief Hospital Course": "\n\n".join([told, f"{heading}\n{' '.join(recipe['statements'])}", *others]),
        "Medications on Admission": plain["Medications on Admission"],
        "Discharge Medications": "___",
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
        "Discharge Condition": "Expired" if died else "Comfortable, sleepy, in bed.",
        "Discharge Instructions": "___",
        "Followup Instructions": "___",
    }
