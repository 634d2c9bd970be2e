"""Random numbers of their own for each part of a chart, so that a fact that is changed leaves the rest as it was."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

P = ParamSpec("P")
R = TypeVar("R")


class Streams:
    """``current`` is what a chart draws from now; it is that of the chart itself outside the parts set ``apart``."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._opened: Counter[str] = Counter()
        self.current = random.Random(seed)

    def open(self, key: str) -> random.Random:
        """The stream of ``key``: the same for the same seed, key, and number of times that it was opened before."""
        self._opened[key] += 1
        return random.Random(f"{self._seed}/{key}/{self._opened[key]}")


def apart(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A part of a chart that draws from a stream of its own, found by its name and the arguments of these names.

    The first argument of the part is the record. Two calls with equal arguments get different numbers, in order.
    """

    def decorate(part: Callable[P, R]) -> Callable[P, R]:
        parameters = list(signature(part).parameters.values())
        wanted = [(name, [p.name for p in parameters].index(name)) for name in names]
        missing = {p.name: p.default for p in parameters}

        @wraps(part)
        def drawn(*args: P.args, **kwargs: P.kwargs) -> R:
            record: Record = args[0]  # type: ignore[assignment]
            key = part.__qualname__
            for name, place in wanted:
                key += f"/{_told(args[place] if place < len(args) else kwargs.get(name, missing[name]))}"
            streams = record.streams
            before, streams.current = streams.current, streams.open(key)
            try:
                return part(*args, **kwargs)
            finally:
                streams.current = before

        return drawn

    return decorate


def _told(value: Any) -> str:
    """An encounter or a stay by when it began: that is told by no recipe's other facts, as its id would be."""
    began = getattr(value, "start", None) or getattr(value, "intime", None)
    return str(began if began is not None else value)
