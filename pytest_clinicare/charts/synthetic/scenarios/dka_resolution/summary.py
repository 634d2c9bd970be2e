"""The discharge summary of a dka-resolution case."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import plain_sections

PHRASES = "phrases/dka-resolution"
_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Ketoacidosis:", "# DKA:", "# Diabetes:", "# Metabolic:")


@apart("enc")
def summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; ketoacidosis and what brought it on are issues of their own."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = recipe["illness"]
    claim = [] if recipe["summary_claim"] == "none" else [recipe["summary_claim"]]
    issues = [f"{record.rng.choice(_HEADINGS)}\n{' '.join([*recipe['told'], *claim])}"]
    issues.append(f"# {entry['problem']}:\n{entry['courses'][course].format(**words)}")
    issues += [bank(PHRASES)["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    kind = f"Type {recipe['patient'][2]} diabetes mellitus"
    known = [] if entry["name"] == "new diabetes" else [kind]
    past = [*known, *record.person.history, *([recipe["past"]] if recipe["past"] != "none" else [])]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    home = [line for line in record.person.home_drugs if "Glargine" not in line and "mpagl" not in line]
    units = recipe["sc_insulin"][0][1] if recipe["sc_insulin"][0][0] == "glargine" else 20
    leaving = [*(line for line in home if "Lispro" not in line), f"Glargine {units} Units Bedtime"]
    return plain_sections(record, "ketoacidosis", found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][history].format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": "None",
        "Discharge Medications": drug_list([*leaving, "Insulin Lispro 6 Units With Meals"]),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\nDiabetic ketoacidosis\n\nSECONDARY DIAGNOSIS\n{entry['problem']}",
    }
