"""Decks of presentations and sentences that all cases of a form of hit-4ts are dealt from."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck

PHRASES = "phrases/hit-4ts"


class Hand:
    """``sentence`` deals from a named list of the bank; ``presentation`` an illness and its wordings."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._phrases = bank(PHRASES)
        self._decks: dict[str, Deck[Any]] = {}

    def _deal(self, name: str, items: list[Any]) -> Any:
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()

    def presentation(self, group: str = "") -> list[Any]:
        """[name, wording of the history, wording of the course]."""
        entries = [p for p in self._phrases["presentations"] if p.get("group", "") == group]
        pairs = [(p["name"], n) for p in entries for n in range(len(p["histories"]))]
        name, history = self._deal(f"presentations {group}", pairs)
        return [name, history, self._deal(f"course of {name}", [0, 1])]

    def operated(self, name: str) -> bool:
        """Whether the illness of that name comes with an operation."""
        return any(p["name"] == name and "operation" in p for p in self._phrases["presentations"])

    def sentence(self, part: str, name: str = "texts", **words: Any) -> str:
        text: str = self._deal(f"{part} {name}", self._phrases[part][name])
        return text.format(**words)

    def issues(self) -> list[int]:
        numbers = list(range(len(self._phrases["other_issues"]["texts"])))
        first = self._deal("issues", numbers)
        return [first, self._deal("issues", [n for n in numbers if n != first])]
