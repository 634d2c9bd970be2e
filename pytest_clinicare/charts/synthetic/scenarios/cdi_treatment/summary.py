"""The discharge summary of a cdi-treatment case, and of an earlier stay."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.hand import PHRASES
from pytest_clinicare.charts.synthetic.wording import plain_sections

_EXAMINED = ("heent", "cardiac", "lungs", "extremities", "neuro")
_HEADINGS = ("# C. difficile:", "# Stool study:", "# C. diff:", "# Gastrointestinal:")


def summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; sentences on stool and its treatment stand in an issue of their own."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = recipe["presentation"]
    issues = [f"# {entry['problem']}:\n{entry['courses'][course].format(**words)}"]
    if recipe["summary"]:
        issues.append(f"{record.rng.choice(_HEADINGS)}\n{' '.join(recipe['summary'])}")
    issues += [bank(PHRASES)["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    past = [*record.person.history, *([recipe["past"]] if recipe["past"] != "none" else [])]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    return plain_sections(record, entry["problem"], found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][history].format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Medications": drug_list([*record.person.home_drugs, *recipe["exit"][1]]),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
