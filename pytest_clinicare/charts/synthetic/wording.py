"""Neutral parts of a discharge summary in many wordings, so that two summaries share few sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

_SYSTEMS = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")


@apart("problem")
def plain_sections(record: Record, problem: str, arrival: Mapping[str, str] | None = None) -> dict[str, str]:
    """Social and Family History, Physical Exam, Medications on Admission, Discharge Condition and both Instructions.

    ``problem`` is the diagnosis as the letter to the patient names it; ``arrival`` what was found on arrival by system
    (general, heent, cardiac, lungs, abdomen, extremities, neuro). Pass the result to ``discharge_summary`` with the
    scenario's own sections on top.
    """
    rng, phrases = record.rng, bank("phrases/wording")
    letter = phrases["instructions"]
    told = [rng.choice(letter[part]).format(problem=problem.lower()) for part in ("pleasure", "reason", "done")]
    told += rng.sample(letter["home"], 2) + rng.sample(letter["back"], 1)
    home = drug_list(record.person.home_drugs)
    greeting, closing = rng.choice(letter["greeting"]), rng.choice(letter["closing"])
    return {
        "Social History": rng.choice(phrases["social"]["texts"]),
        "Family History": rng.choice(phrases["family"]["texts"]),
        "Physical Exam": exam(record, arrival or {}),
        "Medications on Admission": f"{rng.choice(phrases['preadmission']['texts'])}\n{home}",
        "Discharge Condition": rng.choice(phrases["condition"]["texts"]),
        "Discharge Instructions": f"{greeting}\n\n{' '.join(told)}\n\n{closing}",
        "Followup Instructions": rng.choice(phrases["follow_up"]["texts"]),
    }


@apart()
def exam(record: Record, arrival: Mapping[str, str]) -> str:
    """Examination on arrival, with what ``arrival`` says was found, and at discharge."""
    rng, phrases = record.rng, bank("phrases/wording")
    labels = rng.choice(phrases["labels"])
    healthy = [dict(zip(_SYSTEMS, (rng.choice(phrases["exam"][s]) for s in _SYSTEMS), strict=True)) for _ in range(2)]
    first = {**healthy[0], "general": rng.choice(phrases["exam"]["unwell"]), **arrival}
    vitals = (
        f"T {rng.uniform(97.6, 98.8):.1f} BP {rng.randrange(108, 142)}/{rng.randrange(58, 84)} "
        f"HR {rng.randrange(64, 92)} RR {rng.choice((16, 18))} O2 {rng.randrange(95, 99)}% RA"
    )

    def lines(found: Mapping[str, str]) -> str:
        return "\n".join(f"{label}: {found[system]}" for label, system in zip(labels, _SYSTEMS, strict=True))

    before, after = rng.choice((("ADMISSION PHYSICAL EXAM", "DISCHARGE PHYSICAL EXAM"), ("ON ARRIVAL", "AT DISCHARGE")))
    return f"{before}\n{lines(first)}\n\n{after}\nVITALS: {vitals}\n{lines(healthy[1])}"
