"""The report under construction: claims grouped by the finding that they establish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pytest_clinicare.environment import Claim
from pytest_clinicare.suite import Verdict


@dataclass
class Draft:
    """``lean`` is the answer that the evidence leans to where the verdict is an abstention."""

    verdict: Verdict = Verdict.LACK
    confidence: float = 0.95
    lean: Verdict = Verdict.NO
    why: str = ""
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
        for finding, claims in sorted(self.findings.items()):
            parts.append(f"### {finding}\n" + "\n".join(f"- {claim.text} {_cites(claim)}".rstrip() for claim in claims))
        return "\n\n".join(parts)

    def arguments(self) -> dict[str, Any]:
        """Arguments of ``submit_report``."""
        return {
            "verdict": self.verdict.value,
            "confidence": self.confidence,
            "rationale": self.rationale(),
            "claims": [claim.model_dump(mode="json", exclude_none=True) for claim in self.claims],
        }


def _cites(claim: Claim) -> str:
    records = [f"[call: {ref[5:]}]" if ref.startswith("call:") else f"[record: {ref}]" for ref in claim.evidence]
    return " ".join([*records, *(f"[policy: {span}]" for span in claim.policy)])
