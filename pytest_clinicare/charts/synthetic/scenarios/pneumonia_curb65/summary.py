"""The discharge summary of a pneumonia-curb65 case, and of an earlier stay."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.hand import HIP, PHRASES
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections

_HEADINGS = ("# Pneumonia:", "# Pulmonary:", "# Respiratory:", "# Chest infection:")


def entry_of(recipe: dict[str, Any]) -> dict[str, Any]:
    """The illness of the recipe, as ``illness.code`` and the summary take it."""
    phrases = bank(PHRASES)
    number = recipe["presentation"]
    if number == HIP:
        return {**phrases["hip"], "problem": "Femoral neck fracture", "codes": recipe["codes"][:1]}
    entry = {**phrases["presentations"][number], "problem": "Pneumonia", "codes": recipe["codes"][:1]}
    if any(finding == "edema" for _, finding, _ in recipe["imaging"]):
        entry |= {"problem": "Heart failure and possible pneumonia", "lungs": "Crackles at both bases"}
    return {**entry, "labs": {"wbc": 4.0, "neutrophils": 9.0}}


@apart()
def summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; what the recipe says of the mind stands in the examination on arrival alone."""
    phrases = bank(PHRASES)
    found = {
        "general": record.rng.choice(phrases["mental"]["general"]),
        "lungs": entry["lungs"],
        "neuro": recipe["mental_status"][0],
    }
    if "extremities" in entry:
        found["extremities"] = entry["extremities"]
    told = f"{recipe['diagnosis_text']} {recipe['severity']}"
    if recipe["presentation"] == HIP:
        issues = [f"# Femoral neck fracture:\n{entry['course']}", f"{record.rng.choice(_HEADINGS)}\n{told}"]
    else:
        issues = [f"{record.rng.choice(_HEADINGS)}\n{told} {_worded(record, entry['course'])}"]
    issues += [phrases["other_issues"]["texts"][number] for number in recipe["issues"]]
    lines = [*record.person.history, recipe["past"], *([entry["past"]] if "past" in entry else [])]
    sections = told_sections(record, entry, found) | {
        "Past Medical History": "\n".join(f"- {line}" for line in lines),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
    }
    if "ementia" in recipe["past"]:
        sections["Social History"] = record.rng.choice(phrases["past"]["social"])
        sections["Discharge Condition"] = record.rng.choice(phrases["mental"]["departing"])
        before, label, _ = sections["Physical Exam"].rpartition(": ")
        sections["Physical Exam"] = f"{before}{label}{record.rng.choice(phrases['mental']['leaving'])}"
    return sections


@apart()
def earlier_summary(record: Record, entry: dict[str, Any]) -> dict[str, str]:
    """The summary of an earlier stay."""
    return told_sections(record, entry, {}) | {
        "Past Medical History": "\n".join(f"- {line}" for line in record.person.history),
        "Brief Hospital Course": f"ACUTE ISSUES:\n\n# {entry['problem']}:\n{_worded(record, entry['course'])}",
    }


def told_sections(record: Record, entry: dict[str, Any], found: dict[str, str]) -> dict[str, str]:
    """Complaint, history, diagnosis and the neutral parts."""
    person = "man" if record.gender == "M" else "woman"
    return plain_sections(record, entry["problem"], found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {_worded(record, entry['history'])}",
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }


def _worded(record: Record, text: str) -> str:
    pronoun, possessive = ("he", "his") if record.gender == "M" else ("she", "her")
    return text.format(pronoun=pronoun, Pronoun=pronoun.capitalize(), possessive=possessive)
