"""Why a patient is in hospital: complaint, codes and the neutral part of the summary."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic import notes
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart

_EXAMINED = ("lungs", "abdomen", "extremities", "neuro")


def pick(record: Record, kind: str = "admission", problem: str | None = None) -> dict[str, Any]:
    """An entry of ``fixtures/phrases/illnesses.toml``; ``problem`` names one."""
    entries = bank("phrases/illnesses")[kind]
    if problem is not None:
        entries = [entry for entry in entries if entry["problem"] == problem]
    entry: dict[str, Any] = record.rng.choice(entries)
    return entry


def code(record: Record, enc: Encounter, entry: dict[str, Any], extra: list[str]) -> None:
    """Diagnosis codes, the illness first, then ``extra`` and comorbidities; call before any results."""
    enc.illness = {key: entry[key] for key in ("labs", "film", "avoid") if key in entry}
    for value in (*entry["codes"], *extra, *record.person.codes(extra)):
        record.diagnosis(enc, value.replace(".", ""))


@apart("enc")
def sections(
    record: Record,
    enc: Encounter,
    entry: dict[str, Any],
    *,
    history: list[str] | None = None,
    issues: list[str] | None = None,
    home: list[str] | None = None,
    leaving: list[str] | None = None,
) -> dict[str, str]:
    """Summary sections; ``history`` joins the past medical history, ``issues`` the hospital course.

    ``home`` and ``leaving`` are drugs on the lists of admission and discharge besides those of long standing.
    """
    person, pronoun = ("man", "he") if record.gender == "M" else ("woman", "she")
    words = {"pronoun": pronoun, "Pronoun": pronoun.capitalize()}
    critical = bank("phrases/illnesses")["critical"] if enc.icu else {"history": "", "course": ""}
    past = record.person.history + (history or [])
    record.rng.shuffle(past)
    told = f"___ year old {person} {entry['history'].format(**words)} {critical['history'].format(**words)}".strip()
    course = [f"# {entry['problem']}:\n{entry['course'].format(**words)} {critical['course']}".strip(), *(issues or [])]
    on_arrival = {str(part): str(entry[part]) for part in _EXAMINED if part in entry}
    before, after = (notes.drug_list([*record.person.home_drugs, *(more or [])]) for more in (home, leaving))
    return {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": told,
        "Past Medical History": "\n".join(f"- {line}" for line in past),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *course]),
        "Major Surgical or Invasive Procedure": entry.get("operation", "None"),
        "Physical Exam": notes.physical_exam(record, on_arrival),
        "Medications on Admission": f"The Preadmission Medication list is accurate and complete.\n{before}",
        "Discharge Medications": after,
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }
