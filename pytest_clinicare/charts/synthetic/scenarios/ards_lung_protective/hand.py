"""Decks of presentations, sentences and films that all cases of a form of ards-lung-protective are dealt from."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.hand import Hand as Phrases
from pytest_clinicare.charts.synthetic.illness import BANK

PHRASES = "phrases/ards-lung-protective"


class Hand(Phrases):
    """``sentence`` deals from a named list of the bank; ``presentation`` an illness and its wordings."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, PHRASES)

    def presentation(self, group: str = "") -> list[Any]:
        """[name, wording of the history, wording of the course]."""
        entries = [p for p in self.phrases["presentations"] if p.get("group", "") == group]
        pairs = [(p["name"], n) for n in range(2) for p in entries]
        name, history = self.deal(f"presentations {group}", pairs)
        return [name, history, history]

    def film(self, name: str) -> list[str]:
        """[findings, impression]."""
        findings, impression = self.deal(f"film {name}", self.phrases["film"][name])
        return [findings, impression]

    def issues(self) -> list[int]:
        """Numbers of two further problems."""
        return self._two("issues", self.phrases["other_issues"]["texts"])

    def advice(self) -> list[int]:
        """Numbers of two pieces of advice to the patient."""
        return self._two("advice", bank(BANK)["advice"]["texts"])

    def _two(self, name: str, texts: list[str]) -> list[int]:
        numbers = list(range(len(texts)))
        first, second = self.deal(name, numbers), self.deal(name, numbers)
        return [first, second if second != first else (first + 1) % len(numbers)]
