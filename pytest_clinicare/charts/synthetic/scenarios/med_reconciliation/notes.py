"""Discharge summary of a med-reconciliation chart: both medication lists, the course, and nothing said by accident."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import drug

Recipe = dict[str, Any]
_AKI_RATIO = 1.5
_NO_CONDITION = ("supplement", "dry eyes", "pain", "constipation")  # why a drug is taken, but no line of a history
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
_CONDITION = (
    "Mental Status: Clear and coherent.\nLevel of Consciousness: Alert and interactive.\n"
    "Activity Status: Ambulatory - Independent."
)
_FOLLOW_UP = "Please follow up with your primary care physician within 1 week.\n___"


def illness(recipe: Recipe, rng: random.Random) -> dict[str, Any]:
    """The entry of ``phrases/med-reconciliation`` that explains the admission which the recipe describes."""
    phrases = bank("phrases/med-reconciliation")
    entry: dict[str, Any] = phrases[_illness_name(recipe, rng)]
    return entry


def _illness_name(recipe: Recipe, rng: random.Random) -> str:
    baseline, on_arrival = recipe["creatinine"][0][1], recipe["creatinine"][1][1]
    home = {row[0] for row in recipe["home_meds"]}
    if recipe["ed_link"] == "none":
        return "elective"
    if recipe["events"] == "bleeding":
        return "bleeding"
    if recipe["events"] == "infection":
        return "pneumonia"
    if on_arrival >= _AKI_RATIO * baseline:
        return "aki"
    if "furosemide" in home:
        return "heart_failure"
    if home & {"apixaban", "levetiracetam"}:
        return rng.choice(("gastroenteritis", "chest_pain"))
    return rng.choice(("gastroenteritis", "chest_pain", "vertigo"))


def chronic_codes(recipe: Recipe) -> list[str]:
    """Diagnosis codes of the past medical history, as far as the dictionary has them."""
    return [_CHRONIC[item] for item in _history(recipe) if item in _CHRONIC]


def sections(
    recipe: Recipe, entry: dict[str, Any], rng: random.Random, gender: str, kilograms: float
) -> dict[str, str]:
    """All sections that could bear on a drug; the rest of the summary is routine."""
    words = (
        {"He": "He", "he": "he", "person": "man"} if gender == "M" else {"He": "She", "he": "she", "person": "woman"}
    )
    history = _history(recipe)
    opening = f"___ year old {words['person']} with a history of {_listed(history)} "
    return {
        "Allergies": "No Known Allergies / Adverse Drug Reactions",
        "Chief Complaint": entry["complaint"],
        "Major Surgical or Invasive Procedure": entry.get("procedure", "None"),
        "History of Present Illness": opening + entry["history"].format(**words),
        "Past Medical History": "\n".join(f"- {item.capitalize()}" for item in history),
        "Physical Exam": _examination(recipe, entry, rng, kilograms),
        "Brief Hospital Course": opening
        + "who was admitted for "
        + _mid_sentence(entry["problem"])
        + ".\n\n"
        + _course(recipe, entry, words),
        "Medications on Admission": _on_admission(recipe),
        "Discharge Medications": _at_discharge(recipe),
        "Discharge Disposition": "Home",
        "Discharge Diagnosis": entry["diagnosis"],
        "Discharge Condition": _CONDITION,
        "Discharge Instructions": _instructions(recipe, entry),
        "Followup Instructions": _FOLLOW_UP,
    }


def _listed(items: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def _mid_sentence(text: str) -> str:
    return text[0].lower() + text[1:]


def _history(recipe: Recipe) -> list[str]:
    found = [drug(row[0])["indication"] for row in recipe["home_meds"]]
    plain = [item for item in dict.fromkeys(found) if item not in _NO_CONDITION]
    return plain or ["hypertension"]


def _examination(recipe: Recipe, entry: dict[str, Any], rng: random.Random, kilograms: float) -> str:
    """What the illness shows on arrival; at discharge the recipe's values in a patient who is well."""
    heart_rate, systolic = recipe["vitals_last"]
    diastolic = rng.randrange(62, 82)
    arrival = entry["arrival"]
    heart = "Irregularly irregular" if "atrial fibrillation" in _history(recipe) else "RRR"
    signs = {"HEENT": arrival["exam"].get("HEENT", "Moist mucous membranes."), "CARDIAC": f"{heart}, no murmurs."}
    found = "\n".join(f"{part}: {text}" for part, text in (signs | arrival["exam"]).items())
    admission_weight = kilograms + arrival.get("kg_above", 0.0)
    return (
        f"ADMISSION EXAM:\nVitals: T {rng.uniform(*arrival['temperature']):.1f} "
        f"BP {systolic + arrival['systolic']}/{diastolic + 2} "
        f"HR {heart_rate + arrival['heart_rate']} RR {rng.randrange(*arrival['breaths'])} "
        f"SpO2 {rng.randrange(94, 98)}% {arrival['oxygen']}\nWeight: {admission_weight:.1f} kg\n"
        f"GENERAL: Alert, in no acute distress.\n{found}\n\n"
        f"DISCHARGE EXAM:\nVitals: T 98.{rng.randrange(0, 9)} BP {systolic}/{diastolic} HR {heart_rate} "
        f"RR {rng.randrange(15, 19)} SpO2 {rng.randrange(95, 99)}% RA\n"
        f"Weight: {kilograms:.1f} kg\nGENERAL: Well appearing, sitting in chair.\n"
        f"CARDIAC: {heart}, no murmurs.\nLUNGS: Clear to auscultation bilaterally.\nABDOMEN: Soft, nontender.\n"
        "EXTREMITIES: Warm, well perfused.\nNEURO: AOx3, moving all extremities with purpose."
    )


def _said(recipe: Recipe, section: str, *, ahead: bool = False) -> str:
    """The recipe's sentences of a section; in the course what lies ahead stands under the transitional issues."""
    sentences = [row[1] for row in recipe["statements"] if row[2] == section]
    if section == "hospital course":
        sentences = [sentence for sentence in sentences if sentence.startswith("Please ") is ahead]
    return "".join(f" {sentence[0].upper()}{sentence[1:]}" for sentence in sentences)


def _course(recipe: Recipe, entry: dict[str, Any], words: dict[str, str]) -> str:
    # A masked list hides what a patient left with, not what the ward gave.
    masked = recipe["note_state"] == "list masked"
    leaving = {tuple(row[:4]) for row in recipe["home_meds" if masked else "discharge_list"]}
    given = {row[0] for row in recipe["final_24h"]}
    kept = [row for row in recipe["home_meds"] if tuple(row[:4]) in leaving and row[0] in given and row[4] == "taking"]
    ahead = _said(recipe, "hospital course", ahead=True)
    entries = [drug(row[0]) for row in kept if drug(row[0])["indication"] not in _NO_CONDITION]
    stable = [f"# {item['indication'].capitalize()}: continued home {item['ingredient']}." for item in entries][:3]
    return (
        "ACUTE ISSUES:\n=============\n"
        f"# {entry['problem']}:\n{entry['course'].format(**words)}{_said(recipe, 'hospital course')}\n\n"
        "CHRONIC ISSUES:\n===============\n" + "\n".join(stable) + "\n\n"
        "TRANSITIONAL ISSUES:\n====================\n"
        "[ ] Follow up with primary care within 1 week.\n"
        "[ ] Repeat basic metabolic panel and CBC at follow up.\n"
        f"{f'[ ]{ahead}' + chr(10) if ahead else ''}# CODE: Full (presumed)"
    )


def _line(key: str, dose: str, route: str, frequency: str) -> str:
    tail = f" {drug(key)['indication']}" if frequency.endswith("PRN") else ""
    return f"{drug(key)['note']} {dose} {route} {frequency}{tail}"


def _on_admission(recipe: Recipe) -> str:
    lines = ["The Preadmission Medication list is accurate and complete."]
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


def _instructions(recipe: Recipe, entry: dict[str, Any]) -> str:
    return (
        "Dear ___,\n\nIt was a pleasure caring for you at ___.\n\n"
        f"WHY WAS I ADMITTED TO THE HOSPITAL?\n{entry['instructions']}\n\n"
        "WHAT SHOULD I DO AFTER I LEAVE THE HOSPITAL?\n"
        "Go to your appointments listed below. Seek medical care if you have new or concerning symptoms."
        f"{_said(recipe, 'instructions')}\n\nWe wish you the best!\nYour ___ Team"
    )
