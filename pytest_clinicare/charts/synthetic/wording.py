"""Neutral parts of a discharge summary in many wordings, so that two summaries share few sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

_SYSTEMS = ("general", "heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_SLOTS = (
    *("pleasure", "reason", "done", "home", "also", "back", "greeting", "closing", "social", "family", "preadmission"),
    *("condition", "follow_up", "unwell", *_SYSTEMS, *(f"{system} after" for system in _SYSTEMS)),
)
_CASES = 30


@apart("problem")
def plain_sections(record: Record, problem: str, arrival: Mapping[str, str] | None = None) -> dict[str, str]:
    """Social and Family History, Physical Exam, Medications on Admission, Discharge Condition and both Instructions.

    ``problem`` is the diagnosis as the letter to the patient names it; ``arrival`` what was found on arrival by system
    (general, heent, cardiac, lungs, abdomen, extremities, neuro). Pass the result to ``discharge_summary`` with the
    scenario's own sections on top.
    """
    phrases = bank("phrases/wording")
    letter = phrases["instructions"]

    def say(slot: str, texts: Sequence[str]) -> str:
        return dealt(record, slot, texts)

    told = [say(part, letter[part]).format(problem=problem.lower()) for part in ("pleasure", "reason", "done")]
    half = len(letter["home"]) // 2
    told += [say("home", letter["home"][:half]), say("also", letter["home"][half:]), say("back", letter["back"])]
    home = drug_list(record.person.home_drugs)
    greeting, closing = say("greeting", letter["greeting"]), say("closing", letter["closing"])
    return {
        "Social History": say("social", phrases["social"]["texts"]),
        "Family History": say("family", phrases["family"]["texts"]),
        "Physical Exam": exam(record, arrival or {}),
        "Medications on Admission": f"{say('preadmission', phrases['preadmission']['texts'])}\n{home}",
        "Discharge Condition": say("condition", phrases["condition"]["texts"]),
        "Discharge Instructions": f"{greeting}\n\n{' '.join(told)}\n\n{closing}",
        "Followup Instructions": say("follow_up", phrases["follow_up"]["texts"]),
    }


def dealt(record: Record, slot: str, texts: Sequence[str]) -> str:
    """The wording of a slot by the number of the case, so that no chance lets two summaries of a scenario fall alike.

    Cases take the texts of a slot in turn; after each round the turn is moved on, in every slot by another step, so
    that two cases which share the text of one slot differ in nearly all others. A twin is worded as its case is.
    """
    case = record.case
    number = int(re.sub(r"\D", "", case.id.rsplit("-", 1)[-1]) or 0) + _CASES * len(record.rows.get("discharge", ()))
    order = random.Random(f"{case.scenario}/{slot}").sample(range(len(texts)), len(texts))
    cycle, place = divmod(number, len(texts))
    return texts[order[(place + cycle * (1 + _SLOTS.index(slot))) % len(texts)]]


@apart()
def exam(record: Record, arrival: Mapping[str, str]) -> str:
    """Examination on arrival, with what ``arrival`` says was found, and at discharge."""
    rng, phrases = record.rng, bank("phrases/wording")
    labels = rng.choice(phrases["labels"])
    healthy = [{s: dealt(record, f"{s}{when}", phrases["exam"][s]) for s in _SYSTEMS} for when in ("", " after")]
    first = {**healthy[0], "general": dealt(record, "unwell", phrases["exam"]["unwell"]), **arrival}
    vitals = (
        f"T {rng.uniform(97.6, 98.8):.1f} BP {rng.randrange(108, 142)}/{rng.randrange(58, 84)} "
        f"HR {rng.randrange(64, 92)} RR {rng.choice((16, 18))} O2 {rng.randrange(95, 99)}% RA"
    )

    def lines(found: Mapping[str, str]) -> str:
        return "\n".join(f"{label}: {found[system]}" for label, system in zip(labels, _SYSTEMS, strict=True))

    before, after = rng.choice((("ADMISSION PHYSICAL EXAM", "DISCHARGE PHYSICAL EXAM"), ("ON ARRIVAL", "AT DISCHARGE")))
    return f"{before}\n{lines(first)}\n\n{after}\nVITALS: {vitals}\n{lines(healthy[1])}"
