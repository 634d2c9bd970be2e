"""The ordered log of one run: one JSON line an event, each with the digest of the line before it as ``prev``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_clinicare.environment.brief import Limits

TRACE_VERSION = 2


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
    """Tokens are None where the provider reports none."""

    event: Literal["turn"] = "turn"
    n: int
    text: str = ""
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None


class ReportFiled(Event):
    event: Literal["report"] = "report"
    raw: str


class Refused(Event):
    """A request that reached the tools' door and was turned away there, such as one with a foreign token."""

    event: Literal["refused"] = "refused"
    reason: str


TraceEvent = Annotated[ToolCall | ToolResult | ModelTurn | ReportFiled | Refused, Field(discriminator="event")]
