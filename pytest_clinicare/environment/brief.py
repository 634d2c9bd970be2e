"""All that a system gets. A type of its own, so that leaking the reference is a type error."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """Bounds of one run: tool calls (count), wall time (seconds), one result (rows, bytes); of a model's loop also
    turns, tokens (prompt and completion of all turns, what is cached included) and money (USD)."""

    model_config = ConfigDict(frozen=True)

    calls: int = Field(default=200, ge=0, le=10**9)
    seconds: float = Field(default=1800.0, ge=0)
    rows: int = Field(default=200, ge=1, le=10**6)
    bytes: int = Field(default=60_000, ge=1, le=10**9)
    turns: int = Field(default=200, ge=0, le=10**9)
    tokens: int | None = Field(default=None, ge=0)
    usd: float | None = Field(default=None, ge=0)


class ToolSpec(BaseModel):
    """A tool as a model sees it; ``parameters`` is a JSON schema."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, object]


class Brief(BaseModel):
    """The filled query, the identifiers, tools and limits; never the reference verdict, criteria, rubric or recipe."""

    model_config = ConfigDict(frozen=True)

    scenario: str
    query: str
    subject_id: int
    hadm_id: int | None = None
    stay_id: int | None = None
    tools: tuple[ToolSpec, ...] = ()
    limits: Limits = Limits()
