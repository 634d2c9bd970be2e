"""All that a system gets. A type of its own, so that leaking the reference is a type error."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Limits(BaseModel):
    """Bounds of one run: tool calls (count), wall time (seconds), one result (rows, bytes); of a model's loop also
    turns, tokens (prompt and completion of all turns, what is cached included) and money (USD)."""

    model_config = ConfigDict(frozen=True)

    calls: int = 200
    seconds: float = 1800.0
    rows: int = 200
    bytes: int = 60_000
    turns: int = 200
    tokens: int | None = None
    usd: float | None = None


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
