"""Decks of precipitants and sentences that all cases of a form of dka-resolution are dealt from."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck

PHRASES = "phrases/dka-resolution"


class Hand:
    """``sentence`` deals from a named list of the bank; ``illness`` a precipitant and its wordings."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._phrases = bank(PHRASES)
        self._decks: dict[str, Deck[Any]] = {}

    def _deal(self, name: str, items: list[Any]) -> Any:
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()

    def illness(self) -> list[Any]:
        """[name, wording of the history, wording of the course]."""
        entries = self._phrases["presentations"]
        name, history = self._deal("illness", [(p["name"], n) for p in entries for n in range(len(p["histories"]))])
        return [name, history, self._deal(f"course of {name}", [0, 1])]

    def type_two(self, name: str) -> bool:
        """Whether the precipitant belongs to type 2 diabetes alone."""
        return any(p["name"] == name and p.get("type2", False) for p in self._phrases["presentations"])

    def sentence(self, part: str, name: str, pronoun: str) -> str:
        text: str = self._deal(f"{part} {name}", self._phrases[part][name])
        return text.format(pronoun=pronoun, Pronoun=pronoun.capitalize())

    def issues(self) -> list[int]:
        numbers = list(range(len(self._phrases["other_issues"]["texts"])))
        first = self._deal("issues", numbers)
        return [first, self._deal("issues", [n for n in numbers if n != first])]
