"""The tools: governed, logged access to one chart and the policy corpus."""

from pytest_clinicare.environment.brief import Brief, Limits, ToolSpec
from pytest_clinicare.environment.citations import (
    call_citations,
    parse_policy,
    policy_citations,
    record_citations,
    span_of,
    strip_span,
)
from pytest_clinicare.environment.corpus import Corpus, CorpusError, Document
from pytest_clinicare.environment.environment import Environment, tool_specs
from pytest_clinicare.environment.parsing import parse_confidence, parse_report, parse_verdict
from pytest_clinicare.environment.replay import Difference, replay
from pytest_clinicare.environment.report import Claim, ClaimKind, PolicyCitation, Report
from pytest_clinicare.environment.sandbox import (
    Analysis,
    Bubblewrap,
    Sandbox,
    SandboxError,
    ShellLimits,
    prove_sandbox,
)
from pytest_clinicare.environment.trace import (
    TRACE_VERSION,
    ModelTurn,
    Refused,
    Remark,
    ReportFiled,
    Told,
    ToolCall,
    ToolResult,
    TraceEvent,
    TraceHeader,
    Usage,
)
from pytest_clinicare.environment.trace_file import Trace, TraceError, read_trace

__all__ = [
    "TRACE_VERSION",
    "Analysis",
    "Brief",
    "Bubblewrap",
    "Claim",
    "ClaimKind",
    "Corpus",
    "CorpusError",
    "Difference",
    "Document",
    "Environment",
    "Limits",
    "ModelTurn",
    "PolicyCitation",
    "Refused",
    "Remark",
    "Report",
    "ReportFiled",
    "Sandbox",
    "SandboxError",
    "ShellLimits",
    "Told",
    "ToolCall",
    "ToolResult",
    "ToolSpec",
    "Trace",
    "TraceError",
    "TraceEvent",
    "TraceHeader",
    "Usage",
    "call_citations",
    "parse_confidence",
    "parse_policy",
    "parse_report",
    "parse_verdict",
    "policy_citations",
    "prove_sandbox",
    "read_trace",
    "record_citations",
    "replay",
    "span_of",
    "strip_span",
    "tool_specs",
]
