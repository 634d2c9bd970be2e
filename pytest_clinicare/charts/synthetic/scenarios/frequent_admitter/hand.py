"""What the cases of a form of frequent-admitter are dealt from, and a patient's admissions as they are put together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.deck import Deck
from pytest_clinicare.charts.synthetic.illness import BANK

PHRASES = "phrases/frequent-admitter"
DAY = 1440


def minutes(clock: str) -> int:
    """Minutes since midnight of ``HH:MM``."""
    return int(clock[:2]) * 60 + int(clock[3:])


def clock(minute: int) -> str:
    """``HH:MM`` of minutes since midnight."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def at(row: Sequence[Any]) -> int:
    """Minutes from midnight of day 0 to an admission's admittime."""
    return int(row[0]) * DAY + minutes(row[1])


class Hand:
    """Deals wordings of a condition so that two tellings of it share at most one of their parts as late as possible."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._phrases = bank(PHRASES)
        self._decks: dict[str, Deck[Any]] = {}
        self._told: Counter[str] = Counter()

    def deal(self, name: str, items: list[Any]) -> Any:
        return self._decks.setdefault(name, Deck(self._rng, items)).deal()

    def telling(self, condition: str, pronoun: str) -> tuple[str, str, list[int]]:
        """Primary diagnosis, reason sentence and the numbers of the four parts of a telling."""
        entry = self._phrases["conditions"][condition]
        turn, count = self._told[condition], len(entry["openings"])
        self._told[condition] += 1
        again = turn // count
        parts = [(turn + step * again) % count for step in range(5)]
        reason: str = entry["reasons"][parts[4]]
        return entry["problems"][parts[2]], reason.format(Pronoun=pronoun), parts[:4]

    def two(self, name: str) -> list[int]:
        """Two different texts of a list, by number."""
        texts = (self._phrases if name in self._phrases else bank(BANK))[name]["texts"]
        numbers = list(range(len(texts)))
        first, second = self.deal(name, numbers), self.deal(name, numbers)
        return [first, second if second != first else (first + 1) % len(numbers)]


class Stays:
    """The admissions and summaries of one patient, in the order in which they were added until ``sorted``."""

    def __init__(self, hand: Hand, rng: random.Random, sex: str, diseases: Sequence[str]) -> None:
        self._hand, self._rng = hand, rng
        self._pronoun = "He" if sex == "M" else "She"
        self._diseases = bank(PHRASES)["diseases"]
        self._names = diseases
        self._stays: list[tuple[list[Any], list[Any]]] = []

    def add(
        self,
        condition: str,
        day: int,
        kind: str = "EW EMER.",
        *,
        time: str = "",
        nights: tuple[int, int] = (2, 6),
        length: int = 0,
        code: str = "",
        certainty: str = "placed",
        more: Sequence[str] = (),
    ) -> list[Any]:
        """One admission; ``length`` in minutes, else so many nights and out in the afternoon. Gives its row."""
        entry = bank(PHRASES)["conditions"][condition]
        first = code or entry["code"]
        scheduled = kind in ("ELECTIVE", "SURGICAL SAME DAY ADMISSION")
        start = time or clock(self._rng.randrange(*((360, 560) if scheduled else (180, 1430))))
        leaves = self._rng.randint(*nights) * DAY + self._rng.randrange(660, 1080) - minutes(start)
        known = [c for name in self._names for c in self._diseases[name]["codes"] if c[:3] != first[:3]]
        row = [day, start, kind, length or leaves, condition, first, [*known, *more]]
        problem, reason, parts = self._hand.telling(condition, self._pronoun)
        told = [
            0,
            certainty,
            problem,
            reason,
            *parts,
            *self._hand.two("other_issues"),
            *self._hand.two("advice"),
            *self._hand.two("days"),
            *self._hand.two("days")[:1],
        ]
        if certainty == "absent":
            row[5], row[6] = "none", []
        self._stays.append((row, told))
        return row

    @property
    def rows(self) -> list[list[Any]]:
        """All admissions by time."""
        return [row for row, _ in sorted(self._stays, key=lambda stay: at(stay[0]))]

    @property
    def summaries(self) -> list[list[Any]]:
        """Their summaries, each with the number of its admission."""
        ordered = sorted(self._stays, key=lambda stay: at(stay[0]))
        return [[number, *told[1:]] for number, (_, told) in enumerate(ordered)]

    def free(self, day: int, margin: int = 9) -> bool:
        """Whether no admission lies within so many days."""
        return all(abs(row[0] - day) > margin and not row[0] <= day <= row[0] + 9 for row, _ in self._stays)
