"""Discharge summary of a med-reconciliation chart: both medication lists, the course, and nothing said by accident."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import drug

Recipe = dict[str, Any]
_AKI_RATIO = 1.5
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


def sections(
    recipe: Recipe, entry: dict[str, Any], rng: random.Random, gender: str, kilograms: float
) -> dict[str, str]:
    """All sections that could bear on a drug; the rest of the summary is routine."""
    words = (
        {"He": "He", "he": "he", "person": "man"} if gender == "M" else {"He": "She", "he": "she", "person": "woman"}
    )
    history = _history(recipe)
    opening = f"___ year old {words['person']} with a history of {', '.join(history)} "
    return {
        "Allergies": "No Known Allergies / Adverse Drug Reactions",
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": opening + entry["history"].format(**words),
        "Past Medical History": "\n".join(f"- {item}" for item in history),
        "Physical Exam": _examination(recipe, rng, kilograms),
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


def _mid_sentence(text: str) -> str:
    return text[0].lower() + text[1:]


def _history(recipe: Recipe) -> list[str]:
    found = [drug(row[0])["indication"] for row in recipe["home_meds"]]
    plain = [item for item in dict.fromkeys(found) if item not in ("supplement", "dry eyes", "pain", "constipation")]
    return plain or ["hypertension"]


def _examination(recipe: Recipe, rng: random.Random, kilograms: float) -> str:
    heart_rate, systolic = recipe["vitals_last"]
    diastolic = rng.randrange(62, 82)
    return (
        f"ADMISSION EXAM:\nVitals: T {rng.randrange(980, 1001) / 10} BP {systolic + 4}/{diastolic + 2} "
        f"HR {heart_rate + 6} RR 18 SpO2 {rng.randrange(94, 98)}% RA\n"
        "GENERAL: NAD, alert and interactive.\nHEENT: MMM, no scleral icterus.\n"
        "CARDIAC: RRR, no murmurs.\nLUNGS: No increased work of breathing.\nABDOMEN: Soft, nondistended.\n\n"
        f"DISCHARGE EXAM:\nVitals: T 98.{rng.randrange(0, 9)} BP {systolic}/{diastolic} HR {heart_rate} "
        f"RR {rng.randrange(15, 19)} SpO2 {rng.randrange(95, 99)}% RA\n"
        f"Weight: {kilograms:.1f} kg\nGENERAL: Well appearing, sitting in chair.\n"
        "CARDIAC: RRR, no murmurs.\nLUNGS: Clear to auscultation bilaterally.\nABDOMEN: Soft, nontender.\n"
        "EXTREMITIES: Warm, well perfused.\nNEURO: AOx3, moving all extremities with purpose."
    )


def _said(recipe: Recipe, section: str) -> str:
    sentences = [row[1] for row in recipe["statements"] if row[2] == section]
    return "".join(f" {sentence[0].upper()}{sentence[1:]}" for sentence in sentences)


def _course(recipe: Recipe, entry: dict[str, Any], words: dict[str, str]) -> str:
    leaving = {tuple(row[:4]) for row in recipe["discharge_list"]}
    given = {row[0] for row in recipe["final_24h"]}
    kept = [row for row in recipe["home_meds"] if tuple(row[:4]) in leaving and row[0] in given and row[4] == "taking"]
    chronic = [
        f"# {drug(row[0])['indication'].capitalize()}: continued home {drug(row[0])['ingredient']}." for row in kept
    ]
    stable = [line for line in chronic if "Supplement" not in line][:3]
    return (
        "ACUTE ISSUES:\n=============\n"
        f"# {entry['problem']}:\n{entry['course'].format(**words)}{_said(recipe, 'hospital course')}\n\n"
        "CHRONIC ISSUES:\n===============\n" + "\n".join(stable) + "\n\n"
        "TRANSITIONAL ISSUES:\n====================\n"
        "[ ] Follow up with primary care within 1 week.\n"
        "[ ] Repeat basic metabolic panel and CBC at follow up.\n# CODE: Full (presumed)"
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
