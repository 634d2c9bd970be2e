"""Decks of presentations and sentences that all cases of a form of pneumonia-curb65 are dealt from."""

from __future__ import annotations

import random
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck

PHRASES = "phrases/pneumonia-curb65"
HIP = -1


class Hand:
    """Deals without repeats: illnesses by their number, and sentences of the bank."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._phrases = bank(PHRASES)
        self._decks: dict[str, Deck[Any]] = {}
        shown = self._phrases["presentations"]
        self._frail = rng.sample([n for n, p in enumerate(shown) if p.get("frail")], 5)
        self._sound = rng.sample([n for n, p in enumerate(shown) if not p.get("frail")], len(shown) - 5)
        self._earlier = rng.sample(range(len(self._phrases["earlier"])), len(self._phrases["earlier"]))

    def presentation(self, *, frail: bool) -> int:
        """``frail`` is one that can be told of a patient with dementia. Each is dealt once while there are any."""
        hands = (self._frail, self._sound) if frail else (self._sound, self._frail)
        for hand in hands:
            if hand:
                return hand.pop()
        return self._rng.randrange(len(self._phrases["presentations"]))

    def earlier(self) -> int | None:
        """An earlier stay, each told once."""
        return self._earlier.pop() if self._earlier else None

    def sentence(self, part: str, name: str) -> str:
        text: str = self._deal(f"{part} {name}", self._phrases[part][name])
        return text

    def film(self, finding: str, presentation: int) -> int:
        """Number of a wording whose side is that of the chest examination."""
        lungs = "" if presentation == HIP else self._phrases["presentations"][presentation]["lungs"].lower()
        sides = {side for side in ("right", "left") if side in lungs}
        told = [" ".join(texts).lower() for texts in self._phrases["films"][finding]]
        numbers = list(range(len(told)))
        if finding == "consolidation" and len(sides) == 1:
            (side,) = sides
            other = "left" if side == "right" else "right"
            numbers = [n for n in numbers if side in told[n] and other not in told[n]]
        elif finding == "consolidation":
            numbers = [n for n in numbers if "multifocal" in told[n]]
        number: int = self._deal(f"film {finding} {sorted(sides)}", numbers)
        return number

    def issues(self) -> list[int]:
        numbers = list(range(len(self._phrases["other_issues"]["texts"])))
        first = self._deal("issues", numbers)
        return [first, self._deal("issues", [n for n in numbers if n != first])]

    def _deal(self, name: str, items: list[Any]) -> Any:
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()
