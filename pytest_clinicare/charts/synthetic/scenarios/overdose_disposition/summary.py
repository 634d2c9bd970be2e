"""The discharge summary of an overdose-disposition case, and of an earlier stay."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.wording import dealt, plain_sections

PHRASES = "phrases/overdose-disposition"
_TERMS = ("Ingestion", "Poisoning", "Toxic ingestion", "Drug overdose", "Overdose")
_HEADINGS = ("# Main problem:", "# Ingestion:", "# Toxicology:", "# Acute problem:")


@apart("enc")
def summary(record: Record, enc: Encounter, recipe: dict[str, Any]) -> dict[str, str]:
    """Sections of the summary: history and course as the recipe tells them."""
    kind, number = recipe["frame"]
    person = "man" if record.gender == "M" else "woman"
    frame = bank(PHRASES)["frames"][kind][number]
    bleeding = kind == "bleeding"
    problem = "Gastrointestinal bleeding" if bleeding else "Ingestion"
    heading = "# Bleeding:" if bleeding else record.rng.choice(_HEADINGS)
    issues = [f"{heading}\n{' '.join(recipe['course'])}"]
    issues += [bank(PHRASES)["other_issues"]["texts"][n] for n in recipe["other_issues"]]
    past = [*record.person.history, *([recipe["past"]] if recipe["past"] != "none" else [])]
    return plain_sections(record, problem) | {
        "Chief Complaint": "Melena" if bleeding else dealt(record, "closing", _TERMS),
        "History of Present Illness": " ".join([f"___ year old {person} {frame}", *recipe["history"]]),
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": "None",
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{problem if bleeding else dealt(record, 'greeting', _TERMS)}",
    }


@apart("enc")
def earlier_summary(record: Record, enc: Encounter) -> dict[str, str]:
    """A stay of years before, with an attempt and its evaluation."""
    text = record.rng.choice(bank(PHRASES)["earlier"]["texts"])
    person = "man" if record.gender == "M" else "woman"
    frame = record.rng.choice(bank(PHRASES)["frames"]["harm"])
    other = record.rng.choice(bank(PHRASES)["other_issues"]["texts"])
    return plain_sections(record, "Ingestion") | {
        "Chief Complaint": dealt(record, "closing", _TERMS),
        "History of Present Illness": f"___ year old {person} {frame}",
        "Brief Hospital Course": f"ACUTE ISSUES:\n\n# Ingestion:\n{text}\n\n{other}",
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{dealt(record, 'greeting', _TERMS)}",
    }
