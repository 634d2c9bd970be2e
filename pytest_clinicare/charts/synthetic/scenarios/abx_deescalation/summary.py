"""The discharge summary of an abx-deescalation case."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic import notes
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.wording import plain_sections

_EXAMINED = ("lungs", "abdomen", "extremities", "neuro")


def summary(
    record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any], leaving: list[str]
) -> dict[str, str]:
    """Sections of the summary; ``leaving`` are the lines of antibiotics on the discharge list."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = recipe["presentation"]
    told = entry["histories"][history].format(**words)
    happened = entry["courses"][course].format(**words)
    phrases = bank("phrases/abx-deescalation")
    issues = [phrases["other_issues"]["texts"][n] for n in recipe["other_issues"]]
    problem = entry["problem"]
    infection = f"# {problem}:\n{happened} {' '.join(recipe['summary'])}"
    sections = plain_sections(record, problem, {part: str(entry[part]) for part in _EXAMINED if part in entry})
    sections |= {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {told}",
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", infection, *issues]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Medications": notes.drug_list([*record.person.home_drugs, *leaving]),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{problem}",
    }
    if enc.died:
        sections["Discharge Medications"] = "None, the patient expired."
        sections["Discharge Instructions"] = "___"
        sections["Followup Instructions"] = "___"
        sections["Discharge Condition"] = "Expired"
        sections["Physical Exam"] = sections["Physical Exam"].split("\n\n")[0]
    return sections
