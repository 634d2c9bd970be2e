"""Filing the report."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ConfigDict, Field

from pytest_clinicare.environment.parsing import parse_report
from pytest_clinicare.environment.report import Claim
from pytest_clinicare.environment.tools.arguments import Arguments
from pytest_clinicare.environment.tools.context import Context, Reading, Tool, ToolError
from pytest_clinicare.suite import Verdict


class ReportedClaim(Claim):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SubmitReport(Arguments):
    verdict: str = Field(
        max_length=1000,
        description="yes, no, lack (Indeterminate: Lack of Data) or ambiguous (Indeterminate: Medically Ambiguous).",
        json_schema_extra={"enum": [verdict.value for verdict in Verdict]},
    )
    confidence: float | str | None = Field(
        default=None, description="Probability that the verdict is right, from 0 to 1."
    )
    rationale: str = Field(
        default="",
        description="Markdown with inline citations: [record: labevents:93831], [record: discharge:1-DS-2@120-310], "
        "[call: 7] for an empty result, [policy: kdigo-aki-2012 L41-L48].",
    )
    claims: list[ReportedClaim] = Field(
        default_factory=list, description="The claims that the verdict rests on, each with its evidence; optional."
    )


def submit_report(context: Context, arguments: SubmitReport) -> Reading:
    given: dict[str, Any] = arguments.model_dump(mode="json")
    report = parse_report(given)
    if report is None or report.verdict is None:
        allowed = ", ".join(verdict.value for verdict in Verdict)
        raise ToolError(f"verdict {arguments.verdict!r} is not a verdict; nothing was filed", f"allowed: {allowed}")
    filed = report.model_copy(update={"raw": json.dumps(given, ensure_ascii=False)})
    content = {
        "filed": True,
        "verdict": report.verdict.value,
        "confidence": report.confidence,
        "claims": len(report.claims),
    }
    return Reading(content, report=filed)


TOOLS = (
    Tool(
        "submit_report",
        "File the final report. It is filed once and ends the investigation.",
        SubmitReport,
        submit_report,
    ),
)
