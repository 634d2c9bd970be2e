"""The discharge summary of a pe-risk-stratification case."""

from __future__ import annotations

import re
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections

PHRASES = "phrases/pe-risk-stratification"
_HEADINGS = ("# Pulmonary embolism:", "# PE:", "# Embolism of the lung:", "# Acute problem:")
_MALE = {"pronoun": "he", "Pronoun": "He", "object": "him", "possessive": "his"}
_FEMALE = {"pronoun": "she", "Pronoun": "She", "object": "her", "possessive": "her"}
_VITALS = re.compile(r"^VITALS: .*$", re.MULTILINE)


def entry_of(recipe: dict[str, Any]) -> dict[str, Any]:
    """The presentation, its codes, and the drugs of the ward's routine that the recipe gives or leaves out itself."""
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["frame"][0])
    return {**entry, "codes": recipe["codes"], "avoid": ["Heparin", "Insulin"]}


def _kept(recipe: dict[str, Any]) -> list[list[Any]]:
    """Anticoagulants that go on after discharge."""
    return [row for row in recipe["anticoagulant"] if row[6] >= recipe["leaves"]]


@apart("enc")
def summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary: history and course as the recipe tells them."""
    words = _MALE if record.gender == "M" else _FEMALE
    _, history, course = recipe["frame"]
    person = "man" if record.gender == "M" else "woman"
    heading = record.rng.choice(_HEADINGS)
    issues = [f"{heading}\n{' '.join([*recipe['told'], entry['courses'][course].format(**words)])}"]
    issues += [bank(PHRASES)["other_issues"]["texts"][n] for n in recipe["other_issues"]]
    home = [drug for drug in record.person.home_drugs if not drug.startswith("Apixaban")]
    past = [*record.person.history, *recipe["past"]]
    record.rng.shuffle(past)
    plain = plain_sections(record, "Pulmonary embolism")
    leaving = [f"{drug} {dose} {unit} {route[:2]} {often}" for drug, dose, unit, route, often, *_ in _kept(recipe)]
    if recipe["arrival"] == "direct":
        plain["Physical Exam"] = _VITALS.sub("VITALS: ___", plain["Physical Exam"])
    return plain | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][history].format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Discharge Medications": drug_list([*home, *leaving]),
        "Major Surgical or Invasive Procedure": "None",
        "Discharge Diagnosis": "PRIMARY DIAGNOSIS\nPulmonary embolism",
    }
