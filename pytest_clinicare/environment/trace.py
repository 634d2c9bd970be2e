"""The ordered log of one run: one JSON line an event, each with the digest of the line before it as ``prev``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_clinicare.environment.brief import Limits

TRACE_VERSION = 3


class Event(BaseModel):
    model_config = ConfigDict(frozen=True)


class TraceHeader(Event):
    """First line of a trace file: what a replay needs. ``chart`` is the path as it was given, None where it was not."""

    event: Literal["header"] = "header"
    version: int = TRACE_VERSION
    case: str | None = None
    subject_id: int
    hadm_id: int | None = None
    stay_id: int | None = None
    limits: Limits = Limits()
    chart: str | None = None


class ToolCall(Event):
    event: Literal["call"] = "call"
    n: int
    tool: str
    arguments: dict[str, Any]


class ToolResult(Event):
    """``tables`` are ``module.table`` names really read; ``scope`` the limits applied (subject_id, hadm_id, stay_id,
    start, end, items); ``refs`` the rows returned; ``content`` what the agent got; ``ms`` elapsed milliseconds."""

    event: Literal["result"] = "result"
    n: int
    ok: bool
    tables: tuple[str, ...] = ()
    scope: dict[str, Any] = {}
    refs: tuple[str, ...] = ()
    rows: int = 0
    truncated: bool = False
    bytes: int = 0
    ms: float = 0.0
    content: dict[str, Any] = {}


class ModelTurn(Event):
    """One answer of a model. ``prompt_tokens`` include the cached, ``completion_tokens`` those of reasoning; None where
    the provider reports none. ``stop`` is why it ended, in the provider's word; ``model`` what says it has answered;
    ``retries`` the requests before the one that was answered."""

    event: Literal["turn"] = "turn"
    n: int
    text: str = ""
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    stop: str = ""
    model: str = ""
    retries: int = 0
    ms: float = 0.0


class Usage(Event):
    """What a harness says of a whole run at its end, in place of the sum of its turns; ``usd_source`` says whether it
    reports the money (``reported``) or it was computed from a dated price table (``computed 2026-11-30``)."""

    event: Literal["usage"] = "usage"
    turns: int | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    usd: float | None = None
    usd_source: str = ""


class Remark(Event):
    """What the harness told the model beyond the prompt, or met: a limit that is near, an answer that was cut."""

    event: Literal["remark"] = "remark"
    text: str


class ReportFiled(Event):
    event: Literal["report"] = "report"
    raw: str


class Refused(Event):
    """A request that reached the tools' door and was turned away there, such as one with a foreign token."""

    event: Literal["refused"] = "refused"
    reason: str


Told = ModelTurn | Usage | Remark
"""What a system adds to the log of its run."""
TraceEvent = Annotated[
    ToolCall | ToolResult | ModelTurn | Usage | Remark | ReportFiled | Refused, Field(discriminator="event")
]
