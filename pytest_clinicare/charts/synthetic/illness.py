"""Why a patient is in hospital: complaint, codes and the neutral part of the summary."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record


def pick(record: Record, kind: str = "admission", problem: str | None = None) -> dict[str, Any]:
    """An entry of ``fixtures/phrases/illnesses.toml``; ``problem`` names one."""
    entries = bank("phrases/illnesses")[kind]
    if problem is not None:
        entries = [entry for entry in entries if entry["problem"] == problem]
    entry: dict[str, Any] = record.rng.choice(entries)
    return entry


def code(record: Record, enc: Encounter, entry: dict[str, Any], extra: list[str]) -> None:
    """Diagnosis codes: the illness first, then ``extra`` (dotted or not) and comorbidities."""
    comorbid = record.rng.sample(bank("phrases/notes")["comorbid_codes"], 3)
    for value in (*entry["codes"], *extra, *comorbid):
        record.diagnosis(enc, value.replace(".", ""))


def sections(
    record: Record,
    enc: Encounter,
    entry: dict[str, Any],
    *,
    history: list[str] | None = None,
    issues: list[str] | None = None,
) -> dict[str, str]:
    """Summary sections; ``history`` joins the past medical history, ``issues`` the hospital course."""
    person, pronoun = ("man", "he") if record.gender == "M" else ("woman", "she")
    words = {"pronoun": pronoun, "Pronoun": pronoun.capitalize()}
    critical = bank("phrases/illnesses")["critical"] if enc.icu else {"history": "", "course": ""}
    past = record.rng.sample(bank("phrases/notes")["history"], 3) + (history or [])
    record.rng.shuffle(past)
    told = f"___ year old {person} {entry['history'].format(**words)} {critical['history'].format(**words)}".strip()
    course = [f"# {entry['problem']}:\n{entry['course'].format(**words)} {critical['course']}".strip(), *(issues or [])]
    return {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": told,
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *course]),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
