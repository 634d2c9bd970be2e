"""What a run used, from its trace: the turns of the model, or what a harness says of the whole where it does (5.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.environment import ModelTurn, Usage
from pytest_clinicare.scoring.record import Resources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_clinicare.environment import TraceEvent

_TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def resources_of(trace: Sequence[TraceEvent]) -> Resources:
    """Tokens, retries and money; tokens of which any turn says nothing are None, as a part is no total."""
    turns, usage = _turns(trace), _usage(trace)
    tokens = {name: getattr(usage, name) if usage else None for name in _TOKENS}
    for name, told in tokens.items():
        if told is None:
            tokens[name] = _total([getattr(turn, name) for turn in turns])
    return Resources(
        **tokens,
        retries=sum(turn.retries for turn in turns),
        usd=usage.usd if usage else None,
        usd_source=usage.usd_source if usage else "",
    )


def turns_of(trace: Sequence[TraceEvent]) -> int:
    """The number of the model's turns."""
    usage = _usage(trace)
    return usage.turns if usage and usage.turns is not None else len(_turns(trace))


def _turns(trace: Sequence[TraceEvent]) -> list[ModelTurn]:
    return [event for event in trace if isinstance(event, ModelTurn)]


def _usage(trace: Sequence[TraceEvent]) -> Usage | None:
    return next((event for event in reversed(trace) if isinstance(event, Usage)), None)


def _total(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
