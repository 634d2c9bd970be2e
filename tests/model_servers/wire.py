"""What the four protocols have in common for a server: a request read, an answer to be written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from .script import Overflow, Status, Tokens, Turn


@dataclass(frozen=True)
class Asked:
    """``offered`` are the tools as (namespace, name); ``said`` the texts of the user, ``conversation`` all of it."""

    model: str
    offered: tuple[tuple[str, str], ...]
    said: str
    conversation: Any
    stream: bool


@dataclass(frozen=True)
class Named:
    """A tool call as this request's tools name it; ``raw`` is its arguments as text."""

    id: str
    namespace: str
    name: str
    raw: str

    @property
    def value(self) -> Any:
        """The arguments where a protocol has them as a value; a text that is no JSON stays one."""
        try:
            return json.loads(self.raw)
        except ValueError:
            return self.raw


@dataclass(frozen=True)
class Answer:
    """``position`` of the turn makes the ids, so that the same conversation has the same ids again."""

    asked: Asked
    position: int
    turn: Turn
    calls: tuple[Named, ...]
    tokens: Tokens


class Wire(Protocol):
    """One protocol; ``plain`` is the answer as one object, ``stream`` the same as events."""

    def read(self, path: str, body: dict[str, Any]) -> Asked: ...

    def plain(self, answer: Answer) -> dict[str, Any]: ...

    def stream(self, answer: Answer) -> Iterator[str]: ...

    def error(self, fault: Status) -> dict[str, Any]: ...

    def overflow(self, fault: Overflow) -> Status: ...


def event(data: Any, name: str = "") -> str:
    """One server-sent event."""
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"


def texts(content: Any) -> Iterator[str]:
    """The texts in a message's content, whatever its shape: a text, or parts of which some hold one."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, str):
                yield part
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"]
