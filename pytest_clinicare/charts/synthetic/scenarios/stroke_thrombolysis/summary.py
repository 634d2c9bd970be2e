"""The discharge summary of a stroke-thrombolysis case."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.stroke_thrombolysis.plan import PHRASES
from pytest_clinicare.charts.synthetic.wording import plain_sections

ANTICOAGULANTS = {"warfarin": "Warfarin 5 mg PO DAILY", "apixaban": "Apixaban 5 mg PO BID"}


def clock(recipe: dict[str, Any], minutes: float) -> str:
    """``HH:MM`` of a time that the recipe counts from arrival."""
    at = round(recipe["clock"] + minutes) % 1440
    return f"{at // 60:02d}:{at % 60:02d}"


def filled(record: Record, recipe: dict[str, Any], entry: dict[str, Any], text: str) -> str:
    """A sentence of the recipe with its blanks filled."""
    pronoun, them = ("he", "him") if record.gender == "M" else ("she", "her")
    known = isinstance(recipe["lkw"], int)
    agent = recipe["anticoagulant"]
    return text.format(
        pronoun=pronoun, Pronoun=pronoun.capitalize(), object=them, signs=entry["signs"], nihss=recipe["nihss"],
        lkw=clock(recipe, recipe["lkw"]) if known else "", found=clock(recipe, recipe["found"]),
        hours=f"{-recipe['lkw'] / 60:g}" if known else "",
        dose=clock(recipe, -60 * agent[1] - 7) if agent != "none" else "",
    )  # fmt: skip


def summary(record: Record, entry: dict[str, Any], recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary; the recipe's sentences stand in the history and in an issue of their own."""
    person = "man" if record.gender == "M" else "woman"
    phrases, rng = bank(PHRASES), record.rng
    _, history, course = recipe["presentation"]

    def tell(text: str) -> str:
        return filled(record, recipe, entry, text)

    ward = " ".join(rng.sample(phrases["ward"]["texts"], 3))
    others = bank("phrases/illnesses")["other_issues"]["texts"]
    issues = [
        f"{rng.choice(phrases['heading']['texts'])}\n{tell(recipe['decision'])} {tell(entry['courses'][course])} "
        f"{tell(ward)}",
        *(others[number] for number in recipe["other_issues"]),
    ]
    told = tell(f"{entry['histories'][history]} {recipe['lkw_told']} {recipe['severity']}")
    past = [*record.person.history, *recipe["history"]]
    rng.shuffle(past)
    general = rng.choice(phrases["general"]["texts"])
    plain = plain_sections(record, entry["problem"], {"general": general, "neuro": entry["neuro"]})
    lines = plain["Physical Exam"].rsplit(": ", 1)
    plain["Physical Exam"] = f"{lines[0]}: {entry['later']}"
    lead, _, _ = plain["Medications on Admission"].partition("\n")
    agent = recipe["anticoagulant"]
    home = [*record.person.home_drugs, *([] if agent == "none" else [ANTICOAGULANTS[agent[0]]])]
    leaving = [*record.person.home_drugs, "Aspirin 81 mg PO DAILY"]
    return plain | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {told}",
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Medications on Admission": f"{lead}\n{drug_list(home)}",
        "Discharge Medications": drug_list(leaving),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
