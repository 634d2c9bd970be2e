"""The discharge summary of a sepsis-sep1 case."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.sepsis_sep1.plan import PHRASES
from pytest_clinicare.charts.synthetic.wording import plain_sections

_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Sepsis:", "# Severe sepsis:", "# Critical care:", "# Infection:")


def summary(record: Record, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; the recipe's sentences stand in an issue of their own."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = recipe["presentation"]
    others = bank(PHRASES)["other_issues"]["texts"]
    told = recipe["summary"]
    ward = " ".join(record.rng.sample(bank(PHRASES)["ward"]["texts"], 3)).format(**words)
    issues = [
        f"{record.rng.choice(_HEADINGS)}\n{' '.join(told)}",
        f"# {entry['problem']}:\n{entry['courses'][course].format(**words)} {ward}",
        *(others[number] for number in recipe["other_issues"]),
    ]
    died = recipe["leaves"][1] == "died"
    if died:
        issues[0] = f"{issues[0].splitlines()[0]}\n{' '.join(told[:2])} {words['Pronoun']} died with family present."
        ends = bank(PHRASES)["end"]["texts"]
        issues[1] = f"# {entry['problem']}:\n{ends[recipe['other_issues'][0] % len(ends)]}"
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    plain = plain_sections(record, entry["problem"], found)
    if died:
        arrival = plain["Physical Exam"].split("\n\n")[0]
        plain |= {"Physical Exam": arrival, "Discharge Condition": "Expired", "Discharge Instructions": "___"}
        plain |= {"Followup Instructions": "___"}
    return plain | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][history].format(**words)}",
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Medications": "None" if died else drug_list(record.person.home_drugs),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
