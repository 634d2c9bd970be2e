"""A scenario: one clinical question as a specification (paper, section 4.2)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from pytest_clinicare.suite.verdict import Verdict


class Frozen(BaseModel):
    """Base of everything that is read from a file once and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Criteria(Frozen):
    yes: str
    no: str
    lack: str
    ambiguous: str


class ProcedureStep(Frozen):
    when: str
    verdict: Verdict


class Rule(Frozen):
    text: str
    provenance: Literal["guideline", "clinical-knowledge", "benchmark"]
    source: str | None = None


class Source(Frozen):
    """A required record source; ``table`` is ``module.table`` (``hosp.labevents``)."""

    table: str
    scope: Literal["patient", "encounter", "window"]
    window: str | None = None
    items: str | None = None


class Evidence(Frozen):
    sources: tuple[Source, ...]
    governing: tuple[str, ...]


class Finding(Frozen):
    id: str
    text: str


class Variant(Frozen):
    """One line of the case plan: decisive facts, trap, count and the procedure step (1-based) that must fire."""

    name: str
    verdict: Verdict
    count: int
    facts: str
    trap: str
    step: int


class MimicPlan(Frozen):
    cohort: str
    strata: dict[str, str]
    items: dict[str, str]


class Scenario(Frozen):
    """``query`` is all of this that a system ever sees."""

    id: str
    title: str
    specialty: str
    skills: tuple[str, ...]
    anchor: Literal["subject", "hadm", "stay"]
    query: str
    criteria: Criteria
    procedure: tuple[ProcedureStep, ...]
    rules: tuple[Rule, ...]
    evidence: Evidence
    findings: tuple[Finding, ...]
    variants: tuple[Variant, ...]
    recipe: dict[str, str]
    mimic: MimicPlan

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The identifiers that a case of this anchor has."""
        return {
            "subject": ("subject_id",),
            "hadm": ("subject_id", "hadm_id"),
            "stay": ("subject_id", "hadm_id", "stay_id"),
        }[self.anchor]
