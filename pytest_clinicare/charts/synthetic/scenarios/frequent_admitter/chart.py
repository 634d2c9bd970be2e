"""Chart of a frequent-admitter case: all admissions of a patient over the years, each with its reason."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.illness import BANK, letter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.frequent_admitter.hand import PHRASES, minutes
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_EXAMINED = ("heent", "lungs", "abdomen", "extremities", "neuro")
_OBSERVATION = ("EU OBSERVATION", "DIRECT OBSERVATION", "AMBULATORY OBSERVATION")
_THROUGH_ED = ("EW EMER.", "OBSERVATION ADMIT", "EU OBSERVATION")
# Of the conditions that every patient may have, those that would contradict a reason or double a disease.
_SPOKEN_FOR = ("Coronary artery disease",)


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    sex, age = recipe["patient"]
    year, first = recipe["calendar"]
    zero = datetime(year, 1, 1) + timedelta(days=first - 1)
    record = Record(case, sex, age, year)
    conditions = tuple(c for c in record.person.conditions if c["text"] not in _SPOKEN_FOR)
    diseases = [bank(PHRASES)["diseases"][name] for name in recipe["diseases"]]
    drugs = [c["drug"] for c in record.person.conditions if c not in conditions and "drug" in c]
    home = [d for d in record.person.home_drugs if d not in drugs]
    record.person = replace(
        record.person,
        conditions=conditions,
        home_drugs=(*home, *(drug for disease in diseases for drug in disease["home"])),
    )
    for disease in diseases:
        record.levels.update(disease.get("levels", {}))
    _clinic(record, zero, random.Random(f"clinic/{case.seed}"))
    told = {row[0]: row for row in recipe["summaries"]}
    mentions = {row[0]: row[1] for row in recipe["outside_mentions"]}
    last = len(recipe["admissions"]) - 1
    for number, row in enumerate(recipe["admissions"]):
        enc = _admit(record, zero, row, case.hadm_id if number == last else None)
        usual = dict(record.levels)
        if row[4] == "neutropenic":
            record.levels["wbc"] = 2.0
        record.background(enc)
        record.levels = usual
        if told[number][1] != "absent":
            past = [disease["past"] for disease in diseases if "past" in disease]
            social = [text for disease in diseases for text in disease.get("social", ())]
            sections = _summary(record, enc, row, told[number], past, mentions.get(number, ""))
            if social:
                sections["Social History"] = social[case.seed % len(social)]
            record.discharge_summary(enc, sections)
    for day, time, where, complaint in recipe["ed_visits"]:
        _visit(record, zero + timedelta(days=day, minutes=minutes(time)), where, complaint)
    return record.finish()


def _clinic(record: Record, zero: datetime, rng: random.Random) -> None:
    """Bloods between the stays."""
    for _ in range(rng.randrange(2, 5)):
        time = zero + timedelta(days=rng.randrange(-300, 300), minutes=rng.randrange(480, 960))
        record.panel("basic", time)
        record.panel("cbc", time)


@apart("row")
def _admit(record: Record, zero: datetime, row: list[Any], hadm_id: int | None) -> Encounter:
    """The admission at its minute, the ED visit before it where the type has one, and the codes."""
    day, time, kind, length, condition, code, more = row
    rng = record.rng
    entry = bank(PHRASES)["conditions"][condition]
    admit = zero + timedelta(days=day, minutes=minutes(time))
    arrival = admit - timedelta(minutes=rng.randrange(170, 420))
    leaves = admit + timedelta(minutes=rng.randrange(15, 60))
    enc = record.admission(
        admit,
        admit + timedelta(minutes=length),
        hadm_id=hadm_id,
        ed=(arrival, leaves) if kind in _THROUGH_ED else None,
        kind=kind,
        service=entry.get("service", "MED"),
        discharge_location=rng.choice(("HOME", "HOME", "HOME HEALTH CARE")),
        admission_location=None if kind in _THROUGH_ED else _origin(rng, kind),
        chief_complaint=rng.choice(entry["complaints"]),
    )
    if kind in _OBSERVATION:
        record.rows["admissions"][-1]["discharge_location"] = None
    enc.illness = {key: entry[key] for key in ("labs", "film", "avoid") if key in entry}
    if code != "none":
        for value in (code, *more, *record.person.codes(more)):
            record.diagnosis(enc, value)
    return enc


def _origin(rng: random.Random, kind: str) -> str:
    if kind == "URGENT":
        return rng.choice(("CLINIC REFERRAL", "PHYSICIAN REFERRAL"))
    return "PHYSICIAN REFERRAL"


@apart("time")
def _visit(record: Record, time: datetime, where: str, complaint: str) -> None:
    record.ed_visit(
        time,
        time + timedelta(minutes=record.rng.randrange(120, 480)),
        disposition=where,
        chief_complaint=complaint,
    )


def _one(texts: str | list[str], number: int) -> str:
    """What stands in the bank as one text or as several of which a telling has one."""
    return texts if isinstance(texts, str) else texts[number % len(texts)]


def _exam(text: str, found: dict[str, str]) -> str:
    """Of the examination on arrival what was found, and that at discharge without the systems in health."""
    arrival, _, leaving = text.partition("\n\n")
    title, *lines = arrival.splitlines()
    kept = [line for line in lines if line.partition(": ")[2] in found.values()] or lines[:1]
    return "\n".join([title, *kept, "", *leaving.splitlines()[:4]])


@apart("enc")
def _summary(
    record: Record, enc: Encounter, row: list[Any], told: list[Any], past: list[str], mention: str
) -> dict[str, str]:
    """Sections; the reason stands at the head of its issue, care elsewhere at the end of the history."""
    entry = bank(PHRASES)["conditions"][row[4]]
    _, _, problem, reason, opening, sign, treatment, ending, *rest = told
    person, pronoun, them = ("man", "he", "him") if record.gender == "M" else ("woman", "she", "her")
    words = {"pronoun": pronoun, "Pronoun": pronoun.capitalize(), "object": them}
    issues, advice = rest[:2], [bank(BANK)["advice"]["texts"][number] for number in rest[2:4]]
    days = " ".join(bank(PHRASES)["days"]["texts"][number] for number in rest[4:]).format(**words)

    def part(name: str, number: int) -> str:
        text: str = entry[name][number]
        return text.format(**words)

    others = [bank(PHRASES)["other_issues"]["texts"][number] for number in issues]
    history = f"___ year old {person} {part('openings', opening)} {part('signs', sign)} {mention}".strip()
    course = f"# {problem}:\n{reason} {part('treatments', treatment)} {part('endings', ending)}"
    found = {part: _one(entry[part], sign) for part in _EXAMINED if part in entry}
    plain = plain_sections(record, problem, found)
    return plain | {
        "Physical Exam": _exam(plain["Physical Exam"], found),
        "Chief Complaint": part("complaints", sign),
        "History of Present Illness": history,
        "Past Medical History": "\n".join(f"- {line}" for line in (*past, *record.person.history)),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", course, *others, days]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Instructions": letter(record, problem, advice),
        "Discharge Medications": drug_list(record.person.home_drugs),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{problem}",
    }
