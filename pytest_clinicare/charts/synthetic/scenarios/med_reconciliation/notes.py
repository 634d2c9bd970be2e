"""Discharge summary of a med-reconciliation chart: both medication lists, the course, and nothing said by accident."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.illness import Telling
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import drug
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import dealt, plain_sections

Recipe = dict[str, Any]
_AKI_RATIO = 1.5
BANK = "phrases/med-reconciliation"
# Why a drug is taken, but no line of a history.
_NO_CONDITION = ("supplement", "dry eyes", "pain", "constipation")
# ICD-10 codes of the chronic conditions that the home drugs are taken for.
_CHRONIC = {
    "hypertension": "I10",
    "hyperlipidemia": "E785",
    "hypothyroidism": "E039",
    "coronary artery disease": "I2510",
    "gastroesophageal reflux disease": "K219",
    "depression": "F329",
    "knee osteoarthritis": "M1990",
}
_SYSTEMS = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_SYSTEM_OF = {system.upper(): system for system in _SYSTEMS}
_IRREGULAR = "Irregularly irregular, no murmurs"
_MAN = {"He": "He", "he": "he", "him": "him", "his": "his", "person": "man"}
_WOMAN = {"He": "She", "he": "she", "him": "her", "his": "her", "person": "woman"}


def kind_of(recipe: Recipe) -> tuple[str, str]:
    """Kind of illness of ``phrases/med-reconciliation`` that explains the admission, and what its entry must have."""
    baseline, on_arrival = recipe["creatinine"][0][1], recipe["creatinine"][1][1]
    home = {row[0] for row in recipe["home_meds"]}
    if recipe["ed_link"] == "none":
        return "elective", ""
    if recipe["events"] == "bleeding":
        return "bleeding", ""
    if recipe["events"] == "infection":
        return "pneumonia", ""
    if on_arrival >= _AKI_RATIO * baseline:
        return "aki", ""
    if "furosemide" in home:
        return "heart_failure", ""
    return "other", "any" if home & {"apixaban", "levetiracetam"} else ""


def chronic_codes(recipe: Recipe) -> list[str]:
    """Diagnosis codes of the past medical history, as far as the dictionary has them."""
    return [_CHRONIC[item] for item in _history(recipe) if item in _CHRONIC]


@apart("enc")
def sections(record: Record, enc: Encounter, recipe: Recipe, telling: Telling) -> dict[str, str]:
    """All sections that could bear on a drug, in the wordings of ``telling``; the rest of the summary is routine."""
    entry, rng = telling.entry, record.rng
    words = _MAN if record.gender == "M" else _WOMAN
    history = _history(recipe)
    plain = plain_sections(record, entry["problem"])
    problem = _mid_sentence(entry["problem"])
    opening = rng.choice(bank(BANK)["opening"]["texts"]).format(
        history=_listed(history), problem=problem, Problem=entry["problem"], **words
    )
    told = f"___ year old {words['person']} {entry['histories'][telling.history]}".format(**words)
    return plain | {
        "Allergies": record.person.allergies,
        "Social History": record.person.social,
        "Family History": record.person.family,
        "Chief Complaint": entry["complaint"],
        "Major Surgical or Invasive Procedure": entry.get("procedure", "None"),
        "History of Present Illness": told,
        "Past Medical History": "\n".join(f"- {item.capitalize()}" for item in history),
        "Physical Exam": _examination(record, recipe, entry),
        "Brief Hospital Course": f"{opening}\n\n{_course(recipe, telling, words)}",
        "Medications on Admission": _on_admission(recipe, rng),
        "Discharge Medications": _at_discharge(recipe),
        "Discharge Disposition": "Home",
        "Discharge Diagnosis": entry["diagnosis"],
        "Discharge Instructions": _instructions(record, recipe, telling),
    }


def _listed(items: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def _mid_sentence(text: str) -> str:
    return text[0].lower() + text[1:]


def _history(recipe: Recipe) -> list[str]:
    found = [drug(row[0])["indication"] for row in recipe["home_meds"]]
    plain = [item for item in dict.fromkeys(found) if item not in _NO_CONDITION]
    return plain or ["hypertension"]


def _examination(record: Record, recipe: Recipe, entry: dict[str, Any]) -> str:
    """What the illness shows on arrival; at discharge the recipe's values in a patient who is well."""
    rng, phrases = record.rng, bank("phrases/wording")
    heart_rate, systolic = recipe["vitals_last"]
    diastolic = rng.randrange(62, 82)
    arrival = entry["arrival"]
    irregular = "atrial fibrillation" in _history(recipe)
    labels = dict(zip(_SYSTEMS, rng.choice(phrases["labels"]), strict=True))

    def well(when: str) -> dict[str, str]:
        found = {labels[system]: dealt(record, f"{system}{when}", phrases["exam"][system]) for system in _SYSTEMS}
        hearts = [text for text in phrases["exam"]["cardiac"] if "Rate" not in text and "rate" not in text]
        heart = _IRREGULAR if irregular else dealt(record, f"cardiac{when}", hearts)
        return found | {labels["cardiac"]: heart}

    signs = {labels.get(_SYSTEM_OF.get(part, ""), part): text for part, text in arrival["exam"].items()}
    before = "\n".join(f"{part}: {text}" for part, text in (well("") | signs).items())
    after = "\n".join(f"{part}: {text}" for part, text in well(" after").items())
    admission_weight = record.weight_kg + arrival.get("kg_above", 0.0)
    return (
        f"ADMISSION EXAM:\nVitals: T {rng.uniform(*arrival['temperature']):.1f} "
        f"BP {systolic + arrival['systolic']}/{diastolic + 2} "
        f"HR {heart_rate + arrival['heart_rate']} RR {rng.randrange(*arrival['breaths'])} "
        f"SpO2 {rng.randrange(94, 98)}% {arrival['oxygen']}\nWeight: {admission_weight:.1f} kg\n{before}\n\n"
        f"DISCHARGE EXAM:\nVitals: T 98.{rng.randrange(0, 9)} BP {systolic}/{diastolic} HR {heart_rate} "
        f"RR {rng.randrange(15, 19)} SpO2 {rng.randrange(95, 99)}% RA\n"
        f"Weight: {record.weight_kg:.1f} kg\n{after}"
    )


def _said(recipe: Recipe, section: str, *, ahead: bool = False) -> str:
    """The recipe's sentences of a section; in the course what lies ahead stands under the transitional issues."""
    sentences = [row[1] for row in recipe["statements"] if row[2] == section]
    if section == "hospital course":
        sentences = [sentence for sentence in sentences if sentence.startswith("Please ") is ahead]
    return "".join(f" {sentence[0].upper()}{sentence[1:]}" for sentence in sentences)


def _course(recipe: Recipe, telling: Telling, words: dict[str, str]) -> str:
    entry = telling.entry
    # A masked list hides what a patient left with, not what the ward gave.
    masked = recipe["note_state"] == "list masked"
    leaving = {tuple(row[:4]) for row in recipe["home_meds" if masked else "discharge_list"]}
    given = {row[0] for row in recipe["final_24h"]}
    kept = [row for row in recipe["home_meds"] if tuple(row[:4]) in leaving and row[0] in given and row[4] == "taking"]
    ahead = _said(recipe, "hospital course", ahead=True)
    entries = [drug(row[0]) for row in kept if drug(row[0])["indication"] not in _NO_CONDITION]
    stable = [f"# {item['indication'].capitalize()}: continued home {item['ingredient']}." for item in entries][:3]
    others = [bank(BANK)["other_issues"]["texts"][number] for number in telling.issues]
    course = entry["courses"][telling.course].format(**words)
    return (
        "ACUTE ISSUES:\n=============\n"
        f"# {entry['problem']}:\n{course}{_said(recipe, 'hospital course')}\n\n"
        "CHRONIC ISSUES:\n===============\n" + "\n".join([*stable, *others]) + "\n\n"
        "TRANSITIONAL ISSUES:\n====================\n"
        "[ ] Follow up with primary care within 1 week.\n"
        "[ ] Repeat basic metabolic panel and CBC at follow up.\n"
        f"{f'[ ]{ahead}' + chr(10) if ahead else ''}# CODE: Full (presumed)"
    )


def _line(key: str, dose: str, route: str, frequency: str) -> str:
    tail = f" {drug(key)['indication']}" if frequency.endswith("PRN") else ""
    return f"{drug(key)['note']} {dose} {route} {frequency}{tail}"


def _on_admission(recipe: Recipe, rng: random.Random) -> str:
    lines = [
        rng.choice([text for text in bank("phrases/wording")["preadmission"]["texts"] if "inaccurate" not in text])
    ]
    said = {row[0]: row[1] for row in recipe["statements"] if row[2] == "medications on admission"}
    for number, (key, dose, route, frequency, status) in enumerate(recipe["home_meds"], 1):
        entry = _line(key, dose, route, frequency) if status == "taking" else f"{drug(key)['note']} - {said[key]}"
        lines.append(f"{number}. {entry}")
    return "\n".join(lines)


def _at_discharge(recipe: Recipe) -> str:
    if recipe["note_state"] == "list masked":
        return "___"
    lines = []
    for number, (key, dose, route, frequency, duration, _) in enumerate(recipe["discharge_list"], 1):
        days = "" if duration == "none" else f" Duration: {duration}"
        lines.append(f"{number}. {_line(key, dose, route, frequency)}{days}")
    return "\n".join(lines)


def _instructions(record: Record, recipe: Recipe, telling: Telling) -> str:
    letter = bank("phrases/wording")["instructions"]
    reasons = telling.entry["instructions"]
    advice = [bank("phrases/illnesses")["advice"]["texts"][number] for number in telling.advice]
    parts = [
        dealt(record, "pleasure", letter["pleasure"]),
        reasons[(telling.history + telling.course) % len(reasons)],
        *advice,
    ]
    told = f"{' '.join(parts)} {dealt(record, 'back', letter['back'])}{_said(recipe, 'instructions')}"
    greeting, closing = (dealt(record, part, letter[part]) for part in ("greeting", "closing"))
    return f"{greeting}\n\n{told}\n\n{closing}"
