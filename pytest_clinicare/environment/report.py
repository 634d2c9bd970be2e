"""What a system returns, parsed leniently and kept verbatim."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_clinicare.suite.verdict import Verdict

ClaimKind = Literal[
    "encounter", "index_event", "index_time", "order_time", "window", "baseline", "measurement", "peak", "comparison",
    "status", "absence", "medication", "difference", "intent", "duration", "imaging", "order", "attribution",
    "computation", "trend", "conflict", "policy", "other",
]  # fmt: skip


class Claim(BaseModel):
    """One atomic claim. ``evidence`` holds record refs (``labevents:93831``, or ``note ref@start-end`` character spans)
    and ``call:N`` for an empty result; ``policy`` holds ``doc-id L12-L18``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    kind: ClaimKind = "other"
    name: str | None = Field(default=None, description="what the claim is about: an analyte, drug, study or status")
    value: float | str | None = None
    unit: str | None = None
    time: str | None = None
    evidence: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()


class PolicyCitation(BaseModel):
    model_config = ConfigDict(frozen=True)

    document: str
    start: int | None = None
    end: int | None = None


class Report(BaseModel):
    """``verdict`` None means that a report exists and its verdict could not be read. ``confidence`` lies in [0, 1]."""

    model_config = ConfigDict(frozen=True)

    verdict: Verdict | None
    confidence: float | None = None
    rationale: str = ""
    claims: tuple[Claim, ...] = ()
    raw: str = ""
