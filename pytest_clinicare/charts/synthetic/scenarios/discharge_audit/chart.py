"""Chart of a discharge-audit case: one admission with its summary, and another admission."""

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
from pytest_clinicare.charts.synthetic.cultures import Isolate, culture
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.summary import audited, of_the_other
from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.words import PHRASES, illness_of, unrelated
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_PANEL = {"oxacillin": "S", "clindamycin": "S", "erythromycin": "R", "tmp-smx": "S", "gentamicin": "S"}


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    anchor, group, year = recipe["calendar"]
    sex, age = recipe["patient"]
    record = Record(case, sex, age - (year - anchor), anchor)
    record.anchor_year_group = group
    # None of the drugs that these illnesses are treated with.
    record.person = replace(
        record.person, allergies=rng.choice(("No Known Allergies / Adverse Drug Reactions", "codeine", "Latex"))
    )
    illness.settle_person(record)
    leaves = datetime(year, 1, 1) + timedelta(
        days=rng.randrange(60, 290), hours=rng.randrange(12, 18), minutes=rng.randrange(60)
    )
    if recipe["other"][0] < 0:
        _other(record, recipe, leaves)
    _stay(record, recipe, leaves)
    if recipe["other"][0] > 0:
        _other(record, recipe, leaves)
    return record.finish()


def _back(leaves: datetime, hours: float) -> datetime:
    return leaves - timedelta(minutes=round(hours * 60))


@apart("leaves")
def _other(record: Record, recipe: Recipe, leaves: datetime) -> None:
    day, name, *_ = recipe["other"]
    entry = next(p for p in unrelated() if p["name"] == name)
    arrival = leaves + timedelta(days=day, hours=record.rng.uniform(-4, 6))
    out = afternoon(record, arrival + timedelta(days=record.rng.randrange(2, 5)))
    chronic = bank(PHRASES)["chronic"].get(recipe["chronic"])
    enc = emergency_admission(
        record, entry, arrival.replace(second=0, microsecond=0), out, codes=[chronic[7]] if chronic else [],
        service=entry.get("service", "MED"),
    )  # fmt: skip
    if chronic:
        _chronic(record, enc, recipe["chronic"])
    record.background(enc)
    record.discharge_summary(enc, of_the_other(record, recipe, entry))


@apart("leaves")
def _stay(record: Record, recipe: Recipe, leaves: datetime) -> None:
    entry = illness_of(recipe["presentation"][0])
    arrival = _back(leaves, recipe["hours"])
    chronic = bank(PHRASES)["chronic"].get(recipe["chronic"])
    extra = [chronic[7]] if chronic else []
    died = recipe["location"] == "DIED"
    coded = {**entry, "codes": [recipe["principal"]]}
    enc = emergency_admission(
        record, coded, arrival, leaves, codes=extra, hadm_id=record.case.hadm_id, service=entry.get("service", "MED"),
        died=died, discharge_location=recipe["location"],
    )  # fmt: skip
    if recipe["principal"] == "none":
        record.rows["diagnoses_icd"] = [r for r in record.rows["diagnoses_icd"] if r["hadm_id"] != enc.hadm_id]
    exam, before, why, findings, impression = recipe["imaging"]
    _report(record, enc, _back(leaves, before), exam, (why, findings, impression))
    for code, hours in recipe["procedures"]:
        record.procedure(enc, code, 10, _back(leaves, hours))
    for specimen, collected, stored, grown in recipe["specimens"]:
        _specimen(record, enc, specimen, _back(leaves, collected), leaves + timedelta(hours=stored), grown)
    for agent, first, last, _ in recipe["drugs"]:
        _drug(record, enc, agent, leaves, first, last)
    if chronic:
        _chronic(record, enc, recipe["chronic"])
    for item, value in recipe["labs"]:
        record.lab(item, arrival + timedelta(minutes=52), value, enc)
    record.background(enc, skip=("micro", "imaging"))
    for panel, minutes in (("electrolytes", 34), ("cbc", 31)):
        record.panel(panel, leaves - timedelta(minutes=minutes), enc)
    if recipe["note_state"] == "present":
        record.discharge_summary(enc, audited(record, recipe))


@apart("time", "exam")
def _report(record: Record, enc: Encounter, time: datetime, exam: str, text: tuple[str, str, str]) -> None:
    subtype = next((s for w, s in (("CT", "CT Scan"), ("MR ", "MRI")) if exam.startswith(w)), "Ultrasound")
    if exam.startswith(("CHEST", "ABDOMEN (", "FOOT", "TIB")):
        subtype = "General Xray"
    record.order(enc, "Radiology", subtype, time - timedelta(minutes=record.rng.randrange(25, 80)))
    why, findings, impression = text
    person = "man" if record.gender == "M" else "woman"
    record.radiology(
        time,
        exam,
        f"INDICATION:  ___ year old {person} with {why}\n\nTECHNIQUE:  Standard protocol.\n\nCOMPARISON:  None.\n\n"
        f"FINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}",
        enc,
    )


@apart("specimen", "time")
def _specimen(
    record: Record, enc: Encounter, specimen: str, time: datetime, stored: datetime, grown: list[str]
) -> None:
    shift = timedelta(minutes=record.rng.randrange(0, 9), seconds=record.rng.randrange(60))
    panel = {"staph-aureus": _PANEL}
    isolates = [Isolate(organism, panel.get(organism, {})) for organism in grown]
    culture(record, specimen, time, stored + shift, enc, isolates)


@apart("agent")
def _drug(record: Record, enc: Encounter, agent: str, leaves: datetime, first: float, last: float) -> None:
    """Doses from the first hour to the last; an antiepileptic of the bank's chronic drugs goes the same way."""
    chronic = bank(PHRASES)["chronic"].get(agent)
    hours = [12.0 * n for n in range(int((first - last) / 12) + 1)] if chronic else between(agent, 0, first - last)
    if chronic:
        hours = [first - last - h for h in reversed(hours)]
    given = [
        ((_back(leaves, first) + timedelta(hours=h)).replace(second=0, microsecond=0), "Administered") for h in hours
    ]
    start, stop = given[0][0] - timedelta(minutes=20), min(given[-1][0] + timedelta(hours=1), leaves)
    if chronic:
        drug, dose, unit, route, frequency, *_ = chronic
        record.medication(enc, drug, dose, unit, route, frequency, start, stop, given)
    else:
        antibiotic(record, enc, agent, start, stop, given)


@apart("enc", "name")
def _chronic(record: Record, enc: Encounter, name: str) -> None:
    drug, dose, unit, route, frequency, clock, *_ = bank(PHRASES)["chronic"][name]
    midnight = enc.admit.replace(hour=0, minute=0, second=0, microsecond=0)
    times = [
        midnight + timedelta(days=d, hours=h, minutes=record.rng.randrange(0, 40))
        for d in range(enc.days + 1)
        for h in clock
    ]
    given = [(t, "Administered") for t in times if enc.admit + timedelta(hours=2) < t < enc.disch]
    record.medication(enc, drug, dose, unit, route, frequency, enc.admit + timedelta(hours=1), enc.disch, given)
