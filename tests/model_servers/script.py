"""What a scripted model says, turn by turn, and what goes wrong before it does; the same for every protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

End = Literal["", "length", "refusal", "filter", "context"]
"""Why a turn ended, where not of itself: cut at its greatest length, refused by the model or by its provider's filter,
out of context in the middle of the answer (which Messages alone has; elsewhere it is cut)."""


@dataclass(frozen=True)
class Call:
    """``arguments`` that are a text are sent as they are, so that they can be no JSON, or no object."""

    tool: str
    arguments: dict[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True)
class Tokens:
    """As trace.ModelTurn counts: ``prompt`` includes what was ``cached`` and ``written`` to the cache, ``completion``
    includes ``reasoning``. The protocols split them in their own ways."""

    prompt: int
    cached: int = 0
    written: int = 0
    completion: int = 20
    reasoning: int = 5


@dataclass(frozen=True)
class Status:
    """An error of HTTP; ``message`` and ``code`` in the protocol's shape."""

    status: int
    message: str = "the server says no"
    code: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True)
class Overflow:
    """The prompt does not fit, in the provider's words."""


@dataclass(frozen=True)
class Stall:
    """Nothing for so many seconds, then the connection is closed; ends early when the server does."""

    seconds: float = 30.0


@dataclass(frozen=True)
class Drop:
    """The answer begins, and the connection breaks in the middle of it."""


@dataclass(frozen=True)
class Garbage:
    """A page where an answer should be, with status 200, as a proxy in between gives it."""


Fault = Status | Overflow | Stall | Drop | Garbage


@dataclass(frozen=True)
class Turn:
    """One answer. The first requests for it meet ``faults``, one each; ``always`` is a fault that never ends."""

    calls: tuple[Call, ...] = ()
    text: str = ""
    thinking: str = ""
    end: End = ""
    tokens: Tokens | None = None
    faults: tuple[Fault, ...] = ()
    always: Fault | None = None

    def fault(self, attempt: int) -> Fault | None:
        """What the ``attempt``-th request (from 0) for this turn meets."""
        return self.faults[attempt] if attempt < len(self.faults) else self.always


@dataclass(frozen=True)
class Script:
    """The turns of one conversation; after the last one the model says ``after``, or the last again (``endless``)."""

    turns: tuple[Turn, ...]
    after: str = "The report is filed."
    endless: bool = False

    @staticmethod
    def of(*turns: Turn | Call | str, after: str = "The report is filed.", endless: bool = False) -> Script:
        """A call or a text stands for the turn that is nothing else."""
        made = [
            turn if isinstance(turn, Turn) else Turn(text=turn) if isinstance(turn, str) else Turn(calls=(turn,))
            for turn in turns
        ]
        return Script(tuple(made), after, endless)

    def turn(self, position: int) -> Turn:
        if position < len(self.turns):
            return self.turns[position]
        return self.turns[-1] if self.endless else Turn(text=self.after)

    def tokens(self, position: int) -> Tokens:
        """Of the turn; where it tells none, numbers that grow as a conversation does."""
        cached = 1000 + 100 * (position - 1) if position else 0
        return self.turn(position).tokens or Tokens(prompt=1000 + 100 * position, cached=cached)
