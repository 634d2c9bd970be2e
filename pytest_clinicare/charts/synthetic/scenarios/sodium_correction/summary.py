"""The discharge summary of a sodium-correction case."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections

PHRASES = "phrases/sodium-correction"
_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Hyponatremia:", "# Sodium:", "# Low sodium:", "# Electrolytes:")


@apart("enc")
def summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; each statement on a risk factor stands in the section that the recipe names."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = recipe["illness"]
    said: dict[str, list[str]] = {part: [] for part in ("course", "history", "social", "family", "code")}
    for where, text in recipe["risk_statements"]:
        said[where].append(text)
    onset = [] if recipe["onset_statement"] == "none" else [recipe["onset_statement"]]
    issues = [f"{record.rng.choice(_HEADINGS)}\n{' '.join([recipe['told'], *onset])}"]
    issues.append(f"# {entry['problem']}:\n{' '.join([entry['courses'][course].format(**words), *said['course']])}")
    issues += [bank(PHRASES)["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    plain = plain_sections(record, "low sodium", found)
    social = record.rng.choice(bank(PHRASES)["social"]["texts"])
    told = f"___ year old {person} {entry['histories'][history].format(**words)}"
    return plain | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": " ".join([told, *said["history"]]),
        "Past Medical History": "\n".join(f"- {line}" for line in record.person.history),
        "Social History": " ".join([social, *said["social"]]),
        "Family History": " ".join([*said["family"], plain["Family History"]]),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": "None",
        "Discharge Medications": drug_list(record.person.home_drugs),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\nHyponatremia\n\nSECONDARY DIAGNOSIS\n{entry['problem']}",
    }
