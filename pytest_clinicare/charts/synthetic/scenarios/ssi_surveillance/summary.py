"""Discharge summaries of a ssi-surveillance chart: of the operation, of the return, and of other stays."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.antibiotics import listed
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.words import PHRASES, operation
from pytest_clinicare.charts.synthetic.wording import plain_sections

Recipe = dict[str, Any]
_EXAMINED = ("heent", "cardiac", "lungs", "extremities", "neuro")
_TABLETS = "cephalexin"
_HEADINGS = ("# Postoperative course:", "# Course after surgery:", "# Surgery:", "# After the operation:")


def index_summary(
    record: Record, enc: Encounter, entry: dict[str, Any], recipe: Recipe, inside: bool
) -> dict[str, str]:
    """``inside``: the event lies in this stay."""
    _, history, course = recipe["presentation"]
    told = f"{entry['courses'][course].format(**pronouns(record.gender))} {' '.join(recipe['index_summary'])}"
    issues = [f"# {entry['problem']}:\n{told}"]
    if inside:
        issues.append(f"{record.rng.choice(_HEADINGS)}\n{' '.join(recipe['summary'])}")
    drugs = [d for d in recipe["antibiotics"] if inside]
    found = {"abdomen": entry["abdomen"]} if "abdomen" in entry else {}
    return _sections(record, entry["problem"], issues, recipe["other_issues"][0], drugs, recipe["index"][1], found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": _told(record, entry["histories"][history]),
        "Major Surgical or Invasive Procedure": f"{entry['title']} ___",
    }


def readmission_summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: Recipe) -> dict[str, str]:
    day, stay, _, history, title, _ = recipe["readmission"]
    done = operation(recipe["presentation"][0])
    surgery = f"status post {done['title'][0].lower()}{done['title'][1:]} on ___,"
    if recipe["operation"] == "none":
        surgery = "after abdominal surgery,"
    issues = [f"# {title}:\n{' '.join(recipe['summary'])}"]
    found = {} if recipe["arrival_exam"] == "none" else {"abdomen": recipe["arrival_exam"]}
    procedure = "None"
    codes = {code for _, code, _ in recipe["procedures"]}
    if "0W9J30Z" in codes:
        procedure = "Percutaneous drainage ___"
    elif "0DN80ZZ" in codes:
        procedure = "Exploration and lysis of adhesions ___"
    elif "0J980ZZ" in codes:
        procedure = "Wound exploration ___"
    return _sections(record, title, issues, recipe["other_issues"][1], recipe["antibiotics"], day + stay, found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"{_person(record)}, {surgery} {entry['histories'][history]}",
        "Major Surgical or Invasive Procedure": procedure,
    }


def unrelated_summary(
    record: Record, enc: Encounter, entry: dict[str, Any], recipe: Recipe, other: list[Any]
) -> dict[str, str]:
    """An admission for something else; after the operation its history names it."""
    day, _, history, course = other
    ward = " ".join(record.rng.sample(bank(PHRASES)["ward"]["texts"], 3)).format(**pronouns(record.gender))
    issues = [f"# {entry['problem']}:\n{entry['courses'][course].format(**pronouns(record.gender))} {ward}"]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    past = list(record.person.history)
    if day > 0:
        past.append(f"{operation(recipe['presentation'][0])['past']} ___, {recipe['past']}")
    issue = record.rng.randrange(len(bank(PHRASES)["other_issues"]["texts"]))
    return _sections(record, entry["problem"], issues, issue, [], 0, found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": _told(record, entry["histories"][history]),
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
    }


def _told(record: Record, history: str) -> str:
    return f"{_person(record)} {history.format(**pronouns(record.gender))}"


def _person(record: Record) -> str:
    return f"___ year old {'man' if record.gender == 'M' else 'woman'}"


def _sections(
    record: Record,
    problem: str,
    issues: list[str],
    issue: int,
    drugs: list[list[Any]],
    leaving: int,
    found: dict[str, str] | None = None,
) -> dict[str, str]:
    """What all three kinds share; tablets that run to the last day go home with the patient."""
    others = bank(PHRASES)["other_issues"]["texts"]
    pair = [issue, (issue + record.rng.randrange(1, len(others))) % len(others)]
    course = [*issues, *(others[number].format(**pronouns(record.gender)) for number in pair)]
    lines = [listed(agent) for agent, _, last in drugs if last >= leaving and agent == _TABLETS]
    return plain_sections(record, problem, found or {}) | {
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *course]),
        "Discharge Medications": drug_list([*record.person.home_drugs, *lines]),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{problem}",
    }
