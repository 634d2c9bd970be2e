"""The discharge summaries of an hf-gdmt chart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.wording import plain_sections

PHRASES = "phrases/hf-gdmt"
_EXAMINED = ("general", "heent", "cardiac", "lungs", "extremities", "neuro")


def pronouns(sex: str) -> dict[str, str]:
    """Words for the patient in a sentence of the bank."""
    he, him = ("he", "him") if sex == "M" else ("she", "her")
    return {"pronoun": he, "Pronoun": he.capitalize(), "object": him}


def entry_of(name: str) -> dict[str, Any]:
    """A presentation of the bank as an illness."""
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == name)
    return {**entry, "codes": entry.get("codes", ["I5023"]), "avoid": ["Metoprolol Tartrate"]}


def summary(
    record: Record,
    presentation: Sequence[Any],
    told: Sequence[str],
    *,
    home: Sequence[str],
    leaving: Sequence[str],
    stopped: Sequence[str],
    past: str,
    allergies: str,
    other_issues: Sequence[int],
    vitals: Sequence[int] | None = None,
) -> dict[str, str]:
    """Sections; ``told`` is what the course says of the heart, ``vitals`` pressure and rate at discharge."""
    phrases, rng = bank(PHRASES), record.rng
    name, history, course = presentation
    entry, words = entry_of(name), pronouns(record.gender)
    person = "man" if record.gender == "M" else "woman"
    issues = [f"# {entry['problem']}:\n{entry['courses'][course].format(**words)}"]
    issues.append(f"{rng.choice(phrases['headings']['texts'])}\n{' '.join(told)}")
    issues += [phrases["other_issues"]["texts"][number] for number in other_issues]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    plain = plain_sections(record, entry["problem"], found)
    title = rng.choice(phrases["stopped"]["title"])
    diuretic = rng.choice(phrases["diuretics"]["lines"])
    own = record.person.home_drugs
    preadmission = plain["Medications on Admission"].split("\n")[0]
    return plain | {
        "Allergies": allergies,
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person} {entry['histories'][history].format(**words)}",
        "Past Medical History": "\n".join(f"- {line}" for line in [past, *record.person.history]),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Physical Exam": _with_vitals(plain["Physical Exam"], vitals),
        "Medications on Admission": f"{preadmission}\n{drug_list([*home, diuretic, *own])}",
        "Discharge Medications": _list([*leaving, diuretic, *own], title, stopped),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }


def _list(leaving: Sequence[str], title: str, stopped: Sequence[str]) -> str:
    crossed = "\n".join(f"- {line}" for line in stopped)
    return f"{drug_list(leaving)}\n\n{title}\n{crossed}"


def _with_vitals(exam: str, vitals: Sequence[int] | None) -> str:
    """The examination at discharge with this systolic pressure and heart rate."""
    if vitals is None:
        return exam
    pressure, rate = vitals
    diastolic = max(50, round(pressure * 0.6))
    exam = re.sub(r"BP \d+/\d+", f"BP {pressure}/{diastolic}", exam)
    return re.sub(r"HR \d+", f"HR {rate}", exam)


def statements(recipe: Mapping[str, Any]) -> list[str]:
    """What the summary of the admission says of the heart: ejection fraction first."""
    own = [text.format(ef=ef) for days, ef, source, text in recipe["lvef"] if source == "summary"]
    return [*own, *recipe["reasons"]]
