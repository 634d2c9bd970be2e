"""The discharge summary of an anticoag-reversal case."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.wording import plain_sections

_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Anticoagulation:", "# Coagulopathy:", "# Atrial fibrillation:", "# Reversal:")
_NO_LIST = "The Preadmission Medication list could not be obtained."


def summary(
    record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any], phrases: dict[str, Any]
) -> dict[str, str]:
    """Sections of the summary; the recipe's sentences stand in the history and in an issue of their own."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = recipe["presentation"]
    issues = [f"# {entry['problem']}:\n{entry['courses'][course].format(**words)}"]
    issues.append(f"{record.rng.choice(_HEADINGS)}\n{' '.join(recipe['summary'])}")
    issues += [phrases["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    past = [*record.person.history, "Atrial fibrillation"]
    record.rng.shuffle(past)
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    drug = recipe["anticoagulant"][0]
    leaving = [line for line in record.person.home_drugs if not line.lower().startswith(drug)]
    sections = plain_sections(record, entry["problem"], found)
    if drug == "unnamed":
        sections["Medications on Admission"] = _NO_LIST
        leaving = ["Acetaminophen 650 mg PO Q6H:PRN pain", "LevETIRAcetam 500 mg PO BID"]
    return sections | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": (
            f"___ year old {person} {entry['histories'][history].format(**words)} {recipe['history']}"
        ),
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Discharge Medications": drug_list(leaving),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
