"""Sentences on goals that all cases of a plan are dealt from."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck

PHRASES = "phrases/eol-goal-concordance"


class Hand:
    """``say`` deals a wording of a named sentence; pronouns follow the sex."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._decks: dict[str, Deck[str]] = {}

    def say(self, name: str, sex: str, **words: Any) -> str:
        deck = self._decks.setdefault(name, Deck(self._rng, bank(PHRASES)["goals"][name]))
        return deck.deal().format(**pronouns(sex), **words)


def pronouns(sex: str) -> dict[str, str]:
    if sex == "M":
        return {"pronoun": "he", "Pronoun": "He", "object": "him", "him": "him", "his": "his"}
    return {"pronoun": "she", "Pronoun": "She", "object": "her", "him": "her", "his": "her"}
