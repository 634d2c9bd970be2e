"""The record of one run: one JSON line, complete on disk before it is counted."""

from __future__ import annotations

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_clinicare.judging import Grade
from pytest_clinicare.scoring.outcome import OUTCOMES, Outcome
from pytest_clinicare.scoring.scores import Scores
from pytest_clinicare.suite import Verdict

RECORD_SCHEMA: Literal[1] = 1


class RecordError(ValueError):
    """A line that is no run record: torn, of an unknown schema version, or not valid."""


class Resources(BaseModel):
    """What a run used: wall time in seconds, CPU in milliseconds of this process; tokens are None where the provider
    reports none (``prompt_tokens`` include the cached ones, ``completion_tokens`` those of reasoning).

    ``usd`` is as the harness reports it or computed from the tokens and a dated price table, as ``usd_source`` says
    (``reported``, ``computed 2026-11-30``); both are empty where neither is known.
    """

    model_config = ConfigDict(frozen=True)

    seconds: float = 0.0
    cpu_ms: float = 0.0
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    retries: int = 0
    usd: float | None = None
    usd_source: str = ""

    @property
    def work_tokens(self) -> int | None:
        """Prompt tokens not served from cache plus completion tokens (section 5.8)."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens - (self.cached_tokens or 0) + self.completion_tokens


class RunRecord(BaseModel):
    """One execution of one system on one case.

    ``pair_of`` is the case whose twin this case is.
    ``reference`` is None for an unlabelled case; ``verdict`` is None where none could be read. ``digest`` stands for
    all that decides whether the record may be reused (case, chart, system, judge, limits); ``trace`` is relative to the
    run directory and ``trace_tip`` the digest of its last line; ``at`` is when it was written (UTC, ISO), set by the
    store.
    """

    model_config = ConfigDict(frozen=True)

    schema_version: Literal[1] = RECORD_SCHEMA
    case: str
    scenario: str
    variant: str | None = None
    holdout: bool = False
    pair_of: str | None = None
    attempt: int = 1
    system: str
    judge: str
    reference: Verdict | None
    verdict: Verdict | None = None
    confidence: float | None = None
    outcome: str = "answered"
    error: str | None = None
    scores: Scores | None = None
    grades: tuple[Grade, ...] = ()
    resources: Resources = Resources()
    trace: str | None = None
    trace_tip: str = ""
    digest: str = ""
    at: str = ""

    @property
    def ended(self) -> Outcome:
        """The row of the table of outcomes; an outcome that the table does not know is infrastructure."""
        return OUTCOMES.get(self.outcome, OUTCOMES["system_error"])

    @property
    def finished(self) -> bool:
        """The run need not be repeated."""
        return not self.ended.retried

    @property
    def correct(self) -> bool | None:
        """Exact four-class match; None for an unlabelled case; no verdict is wrong."""
        return None if self.reference is None else self.verdict == self.reference

    @property
    def defects(self) -> tuple[str, ...]:
        """Ids of the must-not criteria that were met."""
        return self.scores.defects if self.scores else ()

    @property
    def passed(self) -> bool:
        """Verdict right (where there is a reference) and no defect."""
        return self.finished and self.verdict is not None and self.correct is not False and not self.defects

    def to_line(self) -> str:
        """The record as one JSON line, without the line end."""
        text = json.dumps(self.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
        # An error may quote text with lone surrogates, which no file can hold.
        return text.encode("utf-8", "replace").decode("utf-8")

    @classmethod
    def from_line(cls, line: str) -> RunRecord:
        """Raises RecordError for a torn or invalid line and for a schema version that this package does not know."""
        try:
            data = json.loads(line)
        except ValueError as error:
            raise RecordError("not a complete JSON line") from error
        version = data.get("schema_version") if isinstance(data, dict) else None
        if version != RECORD_SCHEMA:
            raise RecordError(
                f"schema_version {version!r} of the record is not {RECORD_SCHEMA}, the one this version reads"
            )
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise RecordError(str(error)) from error
