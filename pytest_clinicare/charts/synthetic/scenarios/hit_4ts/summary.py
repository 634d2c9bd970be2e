"""The discharge summary of a hit-4ts case, and of an earlier stay."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.hand import PHRASES
from pytest_clinicare.charts.synthetic.wording import plain_sections

_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Platelets:", "# Thrombocytopenia:", "# Hematology:", "# Low platelet count:")


def summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; the recipe's sentences stand in an issue of their own."""
    told = f"{record.rng.choice(_HEADINGS)}\n{' '.join(recipe['summary'])}"
    others = [bank(PHRASES)["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    sections = _sections(record, entry, recipe["presentation"], [told, *others], recipe["past"])
    if enc.died:
        sections |= {"Discharge Condition": "Expired.", "Discharge Instructions": "___"}
    return sections


def earlier_summary(record: Record, entry: dict[str, Any], presentation: list[Any]) -> dict[str, str]:
    issue = record.rng.choice(bank(PHRASES)["other_issues"]["texts"])
    return _sections(record, entry, presentation, [issue], "none")


def _sections(
    record: Record, entry: dict[str, Any], presentation: list[Any], issues: list[str], line: str
) -> dict[str, str]:
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    _, history, course = presentation
    past = [*record.person.history, *([line] if line != "none" else [])]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    first = f"# {entry['problem']}:\n{entry['courses'][course].format(**words)}"
    return plain_sections(record, entry["problem"], found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][history].format(**words)}",
        "Past Medical History": "\n".join(f"- {text}" for text in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", first, *issues]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
