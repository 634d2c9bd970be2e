"""The discharge summaries of a he-precipitant case: of this stay and of an earlier one."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections

PHRASES = "phrases/he-precipitant"
_HEADINGS = ("# Confusion:", "# Mental status:", "# Encephalopathy:", "# Altered mentation:")
_FULL = ("Distended, dull in the flanks, not tender", "Full flanks with shifting dullness, soft")
_FLAT = ("Soft, not tender, flanks not bulging", "Flat and soft, liver edge firm")
_DROWSY = ("Drowsy, flapping tremor, wrong date", "Slow, asterixis on both sides, no focal weakness")
# What nobody sends a patient home with after such a stay.
_STOPPED = ("zolpidem", "lorazepam")
_PROBLEM = {"sbp": "Spontaneous bacterial peritonitis", "bleed": "Variceal bleeding", "other": "Short illness"}


@apart("enc")
def summary(record: Record, enc: Encounter, recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary: history and course as the recipe tells them."""
    rng, phrases = record.rng, bank(PHRASES)
    person = "man" if record.gender == "M" else "woman"
    words = _words(record)
    frame = phrases["frames"]["texts"][recipe["frame"]].format(**words)
    issues = [f"{rng.choice(_HEADINGS)}\n{' '.join(recipe['course'])}"]
    issues += [phrases["other_issues"]["texts"][n].format(**words) for n in recipe["other_issues"]]
    past = [*record.person.history, *recipe["past"]]
    wet = recipe["ascites"][0] != "none"
    found = {"abdomen": rng.choice(_FULL if wet else _FLAT), "neuro": rng.choice(_DROWSY)}
    sections = plain_sections(record, "Hepatic encephalopathy", found)
    if recipe["family"] != "none":
        sections["Family History"] = recipe["family"]
    procedures = {"0W9G3ZX": "Paracentesis ___", "06L38CZ": "Endoscopy with banding ___"}
    bled = "\nVariceal bleeding" if recipe["bleed"] != "none" else ""
    leaving = [d for d in record.person.home_drugs if not d.lower().startswith(_STOPPED)]
    done = [procedures[code] for code, _ in recipe["procedures"] if code in procedures]
    return sections | {
        "Chief Complaint": recipe["complaint"],
        "History of Present Illness": " ".join([f"___ year old {person} {frame}", *recipe["history"]]),
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": "\n".join(done) or "None",
        "Discharge Medications": drug_list(leaving),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\nHepatic encephalopathy{bled}",
    }


@apart("enc")
def earlier_summary(record: Record, enc: Encounter, kind: str, text: str) -> dict[str, str]:
    """A stay of a year or more before."""
    rng, phrases = record.rng, bank(PHRASES)
    person = "man" if record.gender == "M" else "woman"
    others = [t.format(**_words(record)) for t in rng.sample(phrases["other_issues"]["texts"], 2)]
    problem = _PROBLEM[kind]
    return plain_sections(record, problem) | {
        "Chief Complaint": problem,
        "History of Present Illness": f"___ year old {person} {rng.choice(phrases['earlier']['frames'])}",
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", f"# {problem}:\n{text}", *others]),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{problem}",
    }


def _words(record: Record) -> dict[str, str]:
    he, him, his = ("he", "him", "his") if record.gender == "M" else ("she", "her", "her")
    return {"pronoun": he, "Pronoun": he.capitalize(), "object": him, "possessive": his}
