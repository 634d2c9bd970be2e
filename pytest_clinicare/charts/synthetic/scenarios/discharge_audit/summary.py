"""The audited discharge summary and that of the other admission."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.discharge_audit.words import PHRASES, illness_of
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import exam, plain_sections

Recipe = dict[str, Any]
_EXAMINED = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")


def _person(record: Record) -> str:
    return f"___ year old {'man' if record.gender == 'M' else 'woman'}"


@apart()
def audited(record: Record, recipe: Recipe) -> dict[str, str]:
    """Sections as the recipe has them; only the examination on arrival is printed."""
    name, history, course = recipe["presentation"]
    entry, words = illness_of(name), pronouns(record.gender)
    rng, letter = record.rng, bank("phrases/wording")["instructions"]
    plain = plain_sections(record, entry["problem"])
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    told = " ".join([str(entry["courses"][course]).format(**words), *recipe["course"]])
    blocks = [f"# {entry['problem']}:\n{told}"]
    if recipe["transitional"]:
        blocks.append("\n".join(["TRANSITIONAL ISSUES", *(f"- {line}" for line in recipe["transitional"])]))
    chronic = bank(PHRASES)["chronic"].get(recipe["chronic"])
    mine = [chronic[6]] if chronic else []
    home = drug_list([*record.person.home_drugs, *mine])
    lead, _, _ = plain["Medications on Admission"].partition("\n")
    leaving = [*record.person.home_drugs, *mine, *(line for *_, line in recipe["drugs"] if line)]
    written = f"{rng.choice(letter['greeting'])}\n\n{' '.join(recipe['letter'])}\n\n{rng.choice(letter['closing'])}"
    past = [*record.person.history, *([chronic[8]] if chronic else [])]
    died = recipe["location"] == "DIED"
    return {
        "Social History": record.person.social,
        "Family History": record.person.family,
        "Physical Exam": exam(record, found).partition("\n\n")[0],
        "Chief Complaint": entry["complaint"],
        "Major Surgical or Invasive Procedure": recipe["procedure_line"],
        "History of Present Illness": f"{_person(record)} {str(entry['histories'][history]).format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(blocks),
        "Medications on Admission": f"{lead}\n{home}",
        "Discharge Medications": "" if died else drug_list(leaving),
        "Discharge Disposition": recipe["disposition"],
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{recipe['diagnosis']}" if recipe["diagnosis"] else "",
        "Discharge Condition": recipe["condition"],
        "Discharge Instructions": written if recipe["letter"] else "",
        "Followup Instructions": recipe["follow_up"],
    }


def of_the_other(record: Record, recipe: Recipe, entry: dict[str, Any]) -> dict[str, str]:
    """Another admission; one that follows recounts the audited stay."""
    day, _, history, course = recipe["other"]
    words, mine = pronouns(record.gender), illness_of(recipe["presentation"][0])
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    chronic = bank(PHRASES)["chronic"].get(recipe["chronic"])
    past = [*record.person.history, *([chronic[8]] if chronic else [])]
    home = drug_list([*record.person.home_drugs, *([chronic[6]] if chronic else [])])
    plain = plain_sections(record, entry["problem"], found)
    lead, _, _ = plain["Medications on Admission"].partition("\n")
    if day > 0:
        told = str(mine["courses"][recipe["presentation"][2]]).format(**words)
        past.append(f"{mine['problem']}, in hospital ___. {told}")
    return plain | {
        "Social History": record.person.social,
        "Family History": record.person.family,
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"{_person(record)} {entry['histories'][history].format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": f"ACUTE ISSUES:\n\n# {entry['problem']}:\n{entry['courses'][course].format(**words)}",
        "Medications on Admission": f"{lead}\n{home}",
        "Discharge Medications": home,
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
    }
