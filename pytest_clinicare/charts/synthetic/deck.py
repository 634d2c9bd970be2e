"""Dealing without repeats: what thirty cases of a scenario draw from a short list comes as evenly as it can."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Deck(Generic[T]):
    """Deals its items in random order and shuffles again once all are dealt, never the same twice in a row.

    Raises ValueError for an empty deck.
    """

    def __init__(self, rng: random.Random, items: Iterable[T]) -> None:
        self._rng = rng
        self._items = tuple(items)
        self._left: list[T] = []
        self._last: T | None = None
        if not self._items:
            raise ValueError("a deck needs at least one item")

    def deal(self) -> T:
        if not self._left:
            self._left = self._rng.sample(self._items, len(self._items))
            if self._left[-1] == self._last:
                self._left.reverse()
        self._last = self._left.pop()
        return self._last
