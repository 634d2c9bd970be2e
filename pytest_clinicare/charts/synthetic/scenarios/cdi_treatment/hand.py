"""What all cases of a form of cdi-treatment are dealt from."""

from __future__ import annotations

import random

from pytest_clinicare.charts.synthetic.hand import PatientHand

PHRASES = "phrases/cdi-treatment"


class Hand(PatientHand):
    """Deals from the bank of the scenario."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, PHRASES)
