"""The report under construction: claims grouped by the finding that they establish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_clinicare.environment import Claim
from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value

_SURE, _LIMITED = 0.95, 0.8


def number(count: int, noun: str, plural: str = "") -> str:
    """``1 order``, ``2 orders``."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


@dataclass
class Draft:
    """``lean`` is the answer that the evidence leans to where the verdict is an abstention.

    ``titles`` name the findings for a reader. ``missing`` are sources that the chart does not have at all, each a
    sentence; a definitive verdict without them is given with less confidence, unless ``confidence`` is stated.
    ``reopens`` says what would change the verdict.
    """

    verdict: Verdict = Verdict.LACK
    confidence: float | None = None
    lean: Verdict = Verdict.NO
    why: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    reopens: str = ""
    findings: dict[str, list[Claim]] = field(default_factory=dict)

    def add(
        self,
        finding: str,
        kind: str,
        text: str,
        *,
        name: str | None = None,
        value: float | str | None = None,
        unit: str | None = None,
        time: str | None = None,
        evidence: Iterable[str] = (),
        policy: Iterable[str] = (),
    ) -> None:
        """Add one claim under a finding (``F1``)."""
        claim = Claim(
            text=text,
            kind=kind,
            name=name,
            value=value,
            unit=unit,
            time=time,
            evidence=tuple(dict.fromkeys(evidence)),
            policy=tuple(dict.fromkeys(policy)),
        )
        self.findings.setdefault(finding, []).append(claim)

    def finding(self, finding: str, *policy: str) -> Finding:
        """A writer of claims under one finding, each with these policy passages."""
        return Finding(self, finding, policy)

    def conclude(self, verdict: Verdict, why: str, lean: Verdict | None = None) -> None:
        """Set the verdict and the sentence that carries it."""
        self.verdict, self.why = verdict, why
        self.lean = lean or (verdict if verdict.definitive else self.lean)

    @property
    def claims(self) -> list[Claim]:
        return [claim for _, claims in sorted(self.findings.items()) for claim in claims]

    def rationale(self) -> str:
        """Markdown with inline citations, one section a finding."""
        parts = [f"**Verdict: {self.verdict.label}.** {self.why}"]
        if self.missing:
            parts.append(f"**Not in this chart.** {' '.join(self.missing)}")
        if self.reopens:
            parts.append(f"**What would change the verdict.** {self.reopens}")
        for finding, claims in sorted(self.findings.items()):
            heading = f"### {finding} {self.titles.get(finding, '')}".rstrip()
            parts.append(f"{heading}\n" + "\n".join(f"- {claim.text} {_cites(claim)}".rstrip() for claim in claims))
        return "\n\n".join(parts)

    def arguments(self) -> dict[str, Any]:
        """Arguments of ``submit_report``."""
        derived = _LIMITED if self.missing and self.verdict.definitive else _SURE
        return {
            "verdict": self.verdict.value,
            "confidence": derived if self.confidence is None else self.confidence,
            "rationale": self.rationale(),
            "claims": [claim.model_dump(mode="json", exclude_none=True) for claim in self.claims],
        }


@dataclass(frozen=True)
class Finding:
    """Writes the claims of one finding: ``F1.measurement("Glucose 182 mg/dL.", [ref], name="glucose", value=182)``."""

    draft: Draft
    id: str
    policy: tuple[str, ...] = ()

    def claim(self, kind: str, text: str, evidence: Iterable[str] = (), *policy: str, **stated: Any) -> None:
        """One claim of any kind; ``stated`` are ``name``, ``value``, ``unit`` and ``time``."""
        self.draft.add(self.id, kind, text, evidence=evidence, policy=(*self.policy, *policy), **stated)

    def measurement(self, text: str, value: Value, name: str, unit: str, *policy: str) -> None:
        """A laboratory value with its time and row."""
        self.claim(
            "measurement",
            text,
            [value.ref],
            *policy,
            name=name,
            value=float(value.value),
            unit=unit,
            time=iso(value.time),
        )

    def status(self, text: str, evidence: Iterable[str], name: str, value: float | str, *policy: str) -> None:
        """What is the case, such as ``dialysis``: ``none``."""
        self.claim("status", text, evidence, *policy, name=name, value=value)

    def absence(self, text: str, evidence: Iterable[str], name: str, *policy: str) -> None:
        """What was looked for and is not there; ``evidence`` are the rows looked through or the empty call."""
        self.claim("absence", text, evidence, *policy, name=name, value="none")


def _cites(claim: Claim) -> str:
    records = [f"[call: {ref[5:]}]" if ref.startswith("call:") else f"[record: {ref}]" for ref in claim.evidence]
    return " ".join([*records, *(f"[policy: {span}]" for span in claim.policy)])
