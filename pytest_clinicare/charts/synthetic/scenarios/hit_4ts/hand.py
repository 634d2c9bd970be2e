"""What all cases of a form of hit-4ts are dealt from."""

from __future__ import annotations

import random

from pytest_clinicare.charts.synthetic.hand import PatientHand

PHRASES = "phrases/hit-4ts"


class Hand(PatientHand):
    """Deals from the bank of the scenario."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, PHRASES)

    def operated(self, name: str) -> bool:
        """Whether the illness of that name comes with an operation."""
        return any(entry["name"] == name and "operation" in entry for entry in self.phrases["presentations"])
