"""Arguments that tools share, and how an agent's times are read."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?", re.ASCII)


def _iso(text: str) -> str:
    found = _TIME.fullmatch(text.strip())
    if not found:
        raise ValueError("write times as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS")
    day, clock, seconds = found.groups()
    time = day if clock is None else f"{day} {clock}{seconds or ':00'}"
    try:
        datetime.fromisoformat(time)
    except ValueError as error:
        raise ValueError(f"no such date or time: {error}") from error
    return time


Time = Annotated[str, AfterValidator(_iso)]
Item = Annotated[str, Field(min_length=1, max_length=200)] | int


class Arguments(BaseModel):
    """Base of every tool's arguments; an unknown argument is an error, so that a typo never widens a query."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Page(Arguments):
    limit: int | None = Field(default=None, ge=1, description="Most rows to return (never more than the run's limit).")
    cursor: str | None = Field(default=None, description="next_cursor of the previous page, to go on from there.")


class InAdmission(Page):
    hadm_id: int | None = Field(
        default=None, description="Only rows that carry this admission's id; omit for all rows."
    )


class InWindow(InAdmission):
    start: Time | None = Field(default=None, description="Earliest time, included: YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.")
    end: Time | None = Field(default=None, description="Latest time, included; a bare date reaches to its last second.")
