"""What stays the same about a patient from one admission to the next: conditions, their drugs, habits, allergies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_clinicare.charts.synthetic.banks import Row, bank

_HYPERTENSION = "I10"


@dataclass(frozen=True)
class Person:
    """Drawn once a record, so that two summaries of one patient do not contradict each other or the codes."""

    conditions: tuple[Row, ...]
    home_drugs: tuple[str, ...]
    allergies: str
    social: str
    family: str

    @property
    def history(self) -> list[str]:
        """Lines of a past medical history."""
        return [str(condition["text"]) for condition in self.conditions]

    def codes(self, others: Sequence[str]) -> list[str]:
        """ICD-10 codes of the conditions; hypertension is coded with the kidney disease that ``others`` name."""
        stages = {code.replace(".", "")[:4] for code in others if code.startswith("N18")}
        combined = "I120" if stages & {"N185", "N186"} else "I129"
        codes = [str(condition["code"]) for condition in self.conditions]
        return [combined if code == _HYPERTENSION and stages else code for code in codes]

    def takes(self, drug: str) -> bool:
        """Whether the home list names the drug (by its first word)."""
        return any(line.split()[0] == drug.split()[0] for line in self.home_drugs)


def draw(rng: random.Random) -> Person:
    """A patient of ``fixtures/phrases/notes.toml``."""
    phrases = bank("phrases/notes")
    conditions = rng.sample(phrases["conditions"], 6)
    drugs = [condition["drug"] for condition in conditions if "drug" in condition]
    drugs += rng.sample(phrases["other_home_drugs"], 3)
    return Person(
        conditions=tuple(conditions),
        home_drugs=tuple(drugs),
        allergies=rng.choice(phrases["allergies"]),
        social=rng.choice(phrases["social"]),
        family=rng.choice(phrases["family"]),
    )
