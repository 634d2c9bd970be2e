"""A system as data: harness, model, effort, endpoint, the name of its credential, and a dated price table."""

from __future__ import annotations

from datetime import date
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

Harness = Literal["native", "claude-code", "codex", "gemini-cli", "opencode", "command", "http"]
Api = Literal["openai-responses", "openai-chat", "anthropic-messages"]
OF_MODELS = frozenset({"native", "claude-code", "codex", "gemini-cli", "opencode"})
"""Harnesses that need a model; ``command`` and ``http`` bring their own."""


class Price(BaseModel):
    """USD per million tokens on a date; ``cached`` is for prompt tokens served from cache (None: as the others)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    date: date
    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)

    def usd(self, prompt: int, cached: int, completion: int) -> float:
        """Cost of so many tokens, ``prompt`` including ``cached``."""
        of_cache = self.prompt if self.cached is None else self.cached
        return ((prompt - cached) * self.prompt + cached * of_cache + completion * self.completion) / 1e6


class Declaration(BaseModel):
    """What a TOML table says of a system.

    ``model`` is the name that the system is known by, ``id`` what the interface takes (by default the same); ``key``
    the name of the variable that holds the credential (None: none is needed). ``context`` (tokens) is the size of the
    context window, where a loop of ours should act before the provider does; ``output`` (tokens) the longest answer.
    ``effort`` is passed on as it is (``low``, ``high``); ``extra`` are further fields of each request. ``command`` and
    ``url`` are for the harnesses of these names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    harness: Harness
    model: str = ""
    id: str = ""
    family: str = ""
    api: Api | None = None
    endpoint: str | None = None
    key: str | None = None
    effort: str | None = None
    context: int | None = Field(default=None, gt=0)
    output: int = Field(default=32_000, gt=0)
    price: Price | None = None
    extra: dict[str, object] = {}
    command: tuple[str, ...] = ()
    url: str | None = None
    version: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Declaration:
        if self.harness in OF_MODELS and not self.model:
            raise ValueError(f"harness {self.harness} needs a model")
        if self.harness == "native" and not (self.api and self.endpoint):
            raise ValueError(f"model {self.model!r} is not in the roster: say its api and endpoint")
        if self.harness == "command" and not self.command:
            raise ValueError('harness command needs the command, such as ["my-agent", "--audit"]')
        if self.harness == "http" and not self.url:
            raise ValueError("harness http needs a url")
        return self

    @property
    def model_id(self) -> str:
        return self.id or self.model

    @property
    def remote(self) -> bool:
        """Whether it sends cases to another machine; a command of the user's may, so that it counts as such."""
        address = self.url or self.endpoint
        return address is None or not _loopback(address)

    @property
    def settings(self) -> dict[str, str]:
        """What decides comparability, for the manifest; never a credential."""
        told = self.model_dump(mode="json", exclude={"key", "price"}, exclude_none=True, exclude_defaults=True)
        return {name: value if isinstance(value, str) else str(value) for name, value in sorted(told.items())}


def _loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
