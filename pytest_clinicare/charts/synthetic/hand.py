"""``Hand``: the decks of one phrase bank that all cases of a form are dealt from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck


class Hand:
    """Deals wordings of a bank of ``fixtures`` (``phrases/cdi-treatment``) so that they come evenly over a plan."""

    def __init__(self, rng: random.Random, phrases: str) -> None:
        self._rng = rng
        self.phrases = bank(phrases)
        self._decks: dict[str, Deck[Any]] = {}

    def deal(self, name: str, items: Sequence[Any]) -> Any:
        """The next of ``items``; every call with this name deals from the deck of the first."""
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()

    def sentence(self, part: str, name: str = "texts", **words: Any) -> str:
        """A wording of ``[part] name``, with its blanks filled."""
        text: str = self.deal(f"{part} {name}", self.phrases[part][name])
        return text.format(**words)

    def entry(self, entries: Sequence[dict[str, Any]], deck: str) -> list[Any]:
        """[name, wording of the history, wording of the course] of one of ``entries``."""
        pairs = [(entry["name"], n) for entry in entries for n in range(len(entry["histories"]))]
        name, history = self.deal(deck, pairs)
        courses = next(len(entry["courses"]) for entry in entries if entry["name"] == name)
        return [name, history, self.deal(f"{deck}, course of {name}", range(courses))]

    def two(self, part: str, name: str = "texts") -> list[int]:
        """Two different places of a list of the bank."""
        numbers = range(len(self.phrases[part][name]))
        first = self.deal(f"{part} {name}", numbers)
        return [first, self.deal(f"{part} {name}", [n for n in numbers if n != first])]


class PatientHand(Hand):
    """A hand of a bank with ``[[presentations]]``, of which some may belong to a ``group``, and ``[other_issues]``."""

    def presentation(self, group: str = "") -> list[Any]:
        """[name, wording of the history, wording of the course]."""
        entries = [entry for entry in self.phrases["presentations"] if entry.get("group", "") == group]
        return self.entry(entries, f"presentations {group}")

    def issues(self) -> list[int]:
        """Numbers of two further problems of the stay."""
        return self.two("other_issues")
