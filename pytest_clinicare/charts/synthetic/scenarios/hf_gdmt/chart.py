"""Chart of an hf-gdmt case: a stay of a patient with heart failure, and the list on which it ends."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import afternoon, emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.hf_gdmt.summary import PHRASES, entry_of, statements, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_HOURS = {"DAILY": (8,), "BID": (8, 20), "TID": (8, 14, 20)}
# Conditions whose usual drug belongs to an audited class, or to the treatment of pressure.
_NOT_HERE = ("Coronary artery disease", "Hypertension")
_EXAMS = {"nuclear": "MYOCARDIAL PERFUSION STUDY", "MR": "CARDIAC MRI"}
_WHERE = {
    "home": ("HOME", "HOME HEALTH CARE"),
    "facility": ("SKILLED NURSING FACILITY", "REHAB"),
    "hospice": ("HOSPICE",),
}
_ICD_10_FROM = 2016


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    anchor, group, year = recipe["calendar"]
    sex, age = recipe["patient"]
    record = Record(case, sex, age - (year - anchor), anchor)
    record.anchor_year_group = group
    _person(record)
    leaves = datetime(year, 1, 1) + timedelta(days=rng.randrange(30, 350), minutes=rng.randrange(13 * 60, 15 * 60 + 30))
    arrival = leaves - timedelta(hours=recipe["stay"])
    arrival = max(arrival, datetime(year, 1, 1))
    _earlier(record, recipe, arrival)
    _clinic(record, arrival)
    presentation = recipe["presentation"]
    enc = _admission(record, recipe, presentation[0], arrival, leaves, recipe["disposition"], case.hadm_id)
    _home(record, enc, recipe["home"])
    _drugs(record, enc, recipe)
    _labs(record, enc, recipe)
    record.background(enc, skip=("labs",))
    for days, ef, source, text in recipe["lvef"]:
        if source in _EXAMS:
            _report(record, enc, days, text.format(ef=ef), source)
    if recipe["discharge_list"] != "none":
        sections = summary(
            record,
            presentation,
            statements(recipe),
            home=recipe["home"],
            leaving=recipe["discharge_list"],
            stopped=recipe["stopped"],
            past=recipe["past"],
            allergies=recipe["allergies"],
            other_issues=recipe["other_issues"],
            vitals=recipe["vitals_last"],
        )
        if recipe["disposition"] == "hospice":
            sections["Discharge Disposition"] = "Home With Hospice\n \nFacility:\n___"
        record.discharge_summary(enc, sections)
    return record.finish()


@apart()
def _person(record: Record) -> None:
    conditions = tuple(c for c in record.person.conditions if c["text"] not in _NOT_HERE)
    left_out = {c["drug"] for c in record.person.conditions if c["text"] in _NOT_HERE and "drug" in c}
    drugs = tuple(line for line in record.person.home_drugs if line not in left_out)
    record.person = replace(record.person, conditions=conditions, home_drugs=drugs)


@apart()
def _clinic(record: Record, arrival: datetime) -> None:
    """Bloods of the clinic."""
    for _ in range(record.rng.randrange(1, 4)):
        time = arrival - timedelta(days=record.rng.randrange(20, 300), minutes=record.rng.randrange(600))
        record.panel("basic", time)
        record.panel("cbc", time)


def _admission(
    record: Record,
    recipe: Recipe,
    name: str,
    arrival: datetime,
    leaves: datetime,
    disposition: str,
    hadm_id: int | None = None,
) -> Encounter:
    """Codes are of the ninth revision where the encounter's years lie before 2016."""
    entry = entry_of(name)
    # Kidney injury and palliative care are coded where they were, in the admission of the case.
    codes = [code for code in recipe["codes"] if hadm_id is not None or code.startswith("I50")]
    extra = [code for code in codes if code not in entry["codes"] and not _same_family(code, entry["codes"])]
    enc = emergency_admission(
        record,
        entry,
        arrival,
        leaves,
        codes=extra,
        hadm_id=hadm_id,
        service=record.rng.choice(("MED", "CMED")),
        discharge_location=record.rng.choice(_WHERE[disposition]),
    )
    anchor, group, _ = recipe["calendar"]
    if int(group[-4:]) + leaves.year - anchor < _ICD_10_FROM:
        nines = bank(PHRASES)["icd9"]
        for row in record.rows["diagnoses_icd"]:
            if row["hadm_id"] == enc.hadm_id:
                row |= {"icd_code": nines[row["icd_code"]], "icd_version": 9}
    return enc


def _same_family(code: str, codes: Sequence[str]) -> bool:
    """Heart failure is coded once."""
    return code.startswith("I50") and any(other.startswith("I50") for other in codes)


@apart()
def _earlier(record: Record, recipe: Recipe, arrival: datetime) -> None:
    if recipe["earlier_stay"] == "none":
        return
    rng = record.rng
    days, *presentation, told, allergies = recipe["earlier_stay"]
    leaves = afternoon(record, arrival - timedelta(days=days))
    start = leaves - timedelta(hours=rng.randrange(70, 150), minutes=rng.randrange(60))
    enc = _admission(record, recipe, presentation[0], start, leaves, "home")
    _home(record, enc, recipe["home"])
    record.background(enc)
    phrases = bank(PHRASES)
    own = [text.format(ef=ef) for _, ef, source, text in recipe["lvef"] if source == "earlier summary"]
    issues = rng.sample(range(len(phrases["other_issues"]["texts"])), 2)
    crossed = rng.sample(phrases["stopped"]["drugs"], 1)
    record.discharge_summary(
        enc,
        summary(
            record,
            presentation,
            [*own, *told],
            home=recipe["home"],
            leaving=recipe["home"],
            stopped=crossed,
            past=recipe["past"],
            allergies=allergies,
            other_issues=issues,
        ),
    )


@apart("enc")
def _home(record: Record, enc: Encounter, lines: Sequence[str]) -> None:
    assert enc.ed_stay_id is not None
    time = enc.start + timedelta(minutes=record.rng.randrange(20, 90))
    for line in [*lines, *record.person.home_drugs]:
        found = re.match(r"[A-Za-z][A-Za-z -]*", line)
        record.home_med(enc.ed_stay_id, (found.group(0) if found else line).strip().lower(), time)


def _drugs(record: Record, enc: Encounter, recipe: Recipe) -> None:
    for drug, dose, unit, route, frequency, first, last in recipe["inpatient"]:
        start = max(enc.start + timedelta(hours=first), enc.admit + timedelta(minutes=20))
        _course(record, enc, drug, (dose, unit, route, frequency), start, enc.disch - timedelta(hours=last))


@apart("drug")
def _course(
    record: Record, enc: Encounter, drug: str, order: tuple[str, str, str, str], start: datetime, until: datetime
) -> None:
    """Doses at the ward's hours from the first to the last; an order of the last morning ends at discharge."""
    given = []
    day = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while day <= until:
        for hour in _HOURS[order[3]]:
            time = day + timedelta(hours=hour, minutes=record.rng.randrange(0, 50))
            if start < time <= until:
                given.append((time, "Administered"))
        day += timedelta(days=1)
    stop = enc.disch if enc.disch - until < timedelta(hours=12) else until + timedelta(hours=1)
    record.medication(enc, drug, *order, start, stop, given)


def _labs(record: Record, enc: Encounter, recipe: Recipe) -> None:
    for number, (hours, potassium, creatinine) in enumerate(recipe["labs"]):
        time = enc.disch - timedelta(minutes=round(60 * hours))
        time = max(time, enc.start + timedelta(minutes=30))
        record.panel("basic", time, enc, potassium=potassium, creatinine=creatinine)
        record.panel("cbc", time, enc)
        if number == 0:
            _arrival_bloods(record, enc, time)


@apart("enc")
def _arrival_bloods(record: Record, enc: Encounter, time: datetime) -> None:
    record.panel("coag", time, enc)
    record.panel("liver", time, enc)
    record.panel("differential", time, enc)
    record.lab("ntprobnp", time, round(max(900.0, record.rng.gauss(5200, 1800))), enc)
    record.panel("urinalysis", time + timedelta(minutes=50), enc)


@apart("days")
def _report(record: Record, enc: Encounter, days: int, text: str, source: str) -> None:
    """A study that measures the ejection fraction: of this stay, or of the clinic before it."""
    rng = record.rng
    person = "man" if record.gender == "M" else "woman"
    time = enc.admit + timedelta(hours=rng.randrange(20, 40), minutes=rng.randrange(60))
    inside = time.replace(hour=rng.randrange(9, 16)) if days == 0 else None
    when = inside or (enc.disch - timedelta(days=days)).replace(hour=rng.randrange(9, 16), minute=rng.randrange(60))
    within = enc if days == 0 else None
    if within is not None:
        kind = "MRI" if source == "MR" else "Nuclear Med"
        record.order(enc, "Radiology", kind, when - timedelta(minutes=rng.randrange(90, 400)))
    record.radiology(
        when,
        _EXAMS[source],
        f"INDICATION:  ___ year old {person} with heart failure // function, ischemia\n\nCOMPARISON:  None.\n\n"
        f"FINDINGS: \n\n{text}\n\nIMPRESSION: \n\nAs above.",
        within,
    )
