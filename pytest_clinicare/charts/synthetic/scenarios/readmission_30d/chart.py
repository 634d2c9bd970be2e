"""Chart of a readmission-30d case: the index stay, what came after it, and stays long before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.illness import BANK, Telling
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.readmission_30d.plan import PHRASES, ward_sentences
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_OBSERVATION = ("EU OBSERVATION", "DIRECT OBSERVATION", "AMBULATORY OBSERVATION")
# Conditions of long standing that would contradict a reason or stand beside it twice.
_EXAMINED = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_LOOKED_AT = ("general", "lungs", "abdomen")
# Fields of a telling; the numbers of its days on the ward follow.
_FIELDS = 9
_WORDING = "phrases/wording"
_SPOKEN_FOR = ("Coronary artery disease", "Osteoarthritis")


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    sex, age = recipe["patient"]
    year, day = recipe["calendar"]
    zero = datetime(year, 1, 1) + timedelta(days=day - 1)
    first = min([0, *(row[0] for row in recipe["others"])])
    anchor = (zero + timedelta(days=first)).year
    record = Record(case, sex, age - (year - anchor), anchor)
    record.anchor_year_group = "2017 - 2019"
    _settle(record, recipe)
    for row in recipe["others"]:
        day, clock, kind, via, procedures, hours = row[:6]
        time = _at(zero, day, clock)
        _stay(record, recipe["chronic"], row[6:], time, kind, via, hours, procedures, None, "")
    told = dict(recipe["statements"])
    leaves = _at(zero, 0, recipe["index_disch_clock"])
    _stay(
        record,
        recipe["chronic"],
        recipe["tellings"][0],
        leaves - timedelta(hours=recipe["index_length_h"]),
        recipe["index_class"],
        recipe["index_class"] not in ("ELECTIVE", "SURGICAL SAME DAY ADMISSION"),
        recipe["index_length_h"],
        recipe["index_procedures"],
        recipe["index_principal"][0],
        told[0],
        hadm_id=case.hadm_id,
        where=recipe["index_discharge_location"],
    )
    chronic = recipe["chronic"]
    for number, row in enumerate(recipe["returns"], 1):
        day, clock, kind, admission_type, via, code, procedures, hours = row
        if kind == "ed":
            _visit(record, _at(zero, day, clock), hours, recipe["tellings"][number][1])
            continue
        row_told = recipe["tellings"][number]
        time = _at(zero, day, clock)
        _stay(
            record, chronic, row_told, time, admission_type, via, hours, procedures, code, told.get(number, ""),
            after=True,
        )  # fmt: skip
        if row_told[0] == "transplant":
            chronic = ["graft" if name == "dialysis" else name for name in chronic]
            for disease in _diseases(chronic):
                record.levels.update(disease.get("levels", {}))
    if recipe["dod_day"] != "none":
        record.dod = (zero + timedelta(days=recipe["dod_day"])).date()
    return record.finish()


def _at(zero: datetime, day: int, clock: str) -> datetime:
    return zero + timedelta(days=day, hours=int(clock[:2]), minutes=int(clock[3:]))


def _telling(row: list[Any]) -> Telling:
    return Telling.of(row, BANK if row[0] == "admission" else PHRASES)


@apart()
def _settle(record: Record, recipe: Recipe) -> None:
    """What stays the same of the patient."""
    diseases = _diseases(recipe["chronic"])
    kept = tuple(c for c in record.person.conditions if c["text"] not in _SPOKEN_FOR)
    gone = [c["drug"] for c in record.person.conditions if c not in kept and "drug" in c]
    record.person = replace(
        record.person,
        conditions=kept,
        home_drugs=tuple(d for d in record.person.home_drugs if d not in gone),
        social=bank(_WORDING)["social"]["texts"][recipe["background"][0]],
        family=bank(_WORDING)["family"]["texts"][recipe["background"][1]],
    )
    for disease in diseases:
        record.levels.update(disease.get("levels", {}))


@apart("time", "hours")
def _visit(record: Record, time: datetime, hours: float, complaint: str) -> None:
    leaves = time + timedelta(hours=hours, minutes=record.rng.randrange(60))
    record.ed_visit(time, leaves, chief_complaint=complaint)


def _stay(
    record: Record,
    chronic: list[str],
    told: list[Any],
    admit: datetime,
    kind: str,
    via: bool,
    hours: float,
    procedures: list[str],
    code: str | None,
    statement: str,
    *,
    hadm_id: int | None = None,
    where: str | None = None,
    after: bool = False,
) -> None:
    """One admission; ``code`` is its first-listed code where it is not that of the illness, ``none`` without any."""
    telling, ward = _telling(told), told[_FIELDS:]
    enc = _admit(record, telling, admit, kind, via, hours, hadm_id, where)
    diseases = _diseases(chronic)
    if code != "none":
        _codes(record, enc, telling, code, [c for d in diseases for c in d["codes"]])
        for procedure in procedures:
            record.procedure(enc, procedure, 10, enc.admit + timedelta(hours=min(hours / 2, 20)))
    usual = dict(record.levels)
    record.levels.update(telling.entry.get("counts", {}))
    for number, value in enumerate(telling.entry.get("troponin", ())):
        record.lab("troponin_t", enc.start + timedelta(minutes=50 + 190 * number), value, enc)
    record.background(enc)
    record.levels = usual
    if code != "none":
        _summary(record, enc, telling, diseases, ward, statement, after)
    kept = [drug for drug in telling.entry.get("keeps", ()) if drug not in record.person.home_drugs]
    record.person = replace(record.person, home_drugs=(*record.person.home_drugs, *kept))


def _diseases(names: list[str]) -> list[dict[str, Any]]:
    """Diseases of long standing by their names in the phrase bank."""
    return [bank(PHRASES)["chronic"][name] for name in names]


@apart("admit")
def _admit(
    record: Record,
    telling: Telling,
    admit: datetime,
    kind: str,
    via: bool,
    hours: float,
    hadm_id: int | None,
    where: str | None,
) -> Encounter:
    rng = record.rng
    arrival = admit - timedelta(minutes=rng.randrange(170, 330))
    minutes = rng.randrange(60)
    if hadm_id is not None:
        admit, leaves = admit - timedelta(minutes=minutes), admit + timedelta(hours=hours)
        arrival -= timedelta(minutes=minutes)
    else:
        leaves = admit + timedelta(hours=hours, minutes=minutes)
    enc = record.admission(
        admit,
        leaves,
        hadm_id=hadm_id,
        ed=(arrival, admit + timedelta(minutes=rng.randrange(15, 60))) if via else None,
        kind=kind,
        service=telling.entry.get("service", "MED"),
        discharge_location=where or telling.entry.get("where") or rng.choice(("HOME", "HOME", "HOME HEALTH CARE")),
        admission_location=None if via else "CLINIC REFERRAL" if kind == "URGENT" else "PHYSICIAN REFERRAL",
        chief_complaint=telling.entry["complaint"],
    )
    if kind in _OBSERVATION:
        record.rows["admissions"][-1]["discharge_location"] = None
    return enc


def _codes(record: Record, enc: Encounter, telling: Telling, code: str | None, chronic: list[str]) -> None:
    """The reason first, then the rest of the illness and what is of long standing, each once and none a rival of it."""
    entry = telling.entry
    enc.illness = {key: entry[key] for key in ("labs", "film", "avoid") if key in entry}
    first = (code or entry["codes"][0]).replace(".", "")
    given = [first, *entry["codes"][1:]]
    given += [c for c in chronic if c not in given and c[:3] != first[:3]]
    for value in (*given, *record.person.codes(given)):
        record.diagnosis(enc, value.replace(".", ""))


@apart("enc")
def _summary(
    record: Record,
    enc: Encounter,
    telling: Telling,
    diseases: list[dict[str, Any]],
    ward: list[int],
    statement: str,
    after: bool,
) -> None:
    """The statement stands at the end of the history after the index, in the plan of the index itself."""
    home = [drug for disease in diseases for drug in disease["drugs"]]
    entry = telling.entry
    added = [drug for drug in entry.get("keeps", ()) if drug not in record.person.home_drugs]
    leaving = [*([] if telling.kind == "transplant" else home), *added, *entry.get("tablets", ())]
    sections = illness.sections(
        record,
        enc,
        telling,
        history=[disease["past"] for disease in diseases],
        home=home,
        leaving=leaving,
    )
    course = sections["Brief Hospital Course"]
    days = " ".join(ward_sentences()[number] for number in ward).format(**_words(record))
    sections["Brief Hospital Course"] = f"{course}\n\n{days}"
    sections["Physical Exam"] = _short(sections["Physical Exam"], entry)
    if statement and after:
        sections["History of Present Illness"] += f" {statement}"
    elif statement:
        sections["Brief Hospital Course"] += f"\n\nTRANSITIONAL ISSUES:\n{statement}"
    if enc.discharge_location == "AGAINST ADVICE":
        sections["Discharge Disposition"] = "Home"
    record.discharge_summary(enc, sections)


def _words(record: Record) -> dict[str, str]:
    he = "he" if record.gender == "M" else "she"
    return {"pronoun": he, "Pronoun": he.capitalize()}


def _short(exam: str, entry: Mapping[str, Any]) -> str:
    """General state, lungs and what the illness shows on arrival; vitals and general state at discharge."""
    arrival, _, leaving = exam.partition("\n\n")
    heading, *found = arrival.splitlines()
    shown = [line for name, line in zip(_EXAMINED, found, strict=True) if name in entry or name in _LOOKED_AT]
    return "\n".join([heading, *shown, "", *leaving.splitlines()[:3]])
