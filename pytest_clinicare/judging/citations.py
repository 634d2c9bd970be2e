"""Citations of a report: inline in the rationale and typed on claims, read the same way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_clinicare.environment import Claim, Report

_INLINE = re.compile(r"\[(record|call|policy):\s*([^\]]+)\]", re.IGNORECASE)
_POLICY = re.compile(r"^\s*([A-Za-z0-9][\w.\-]*)\s*(?:[,:#\s]\s*L?(\d+)(?:\s*[-\u2013]\s*L?(\d+))?)?\s*$")
_SPAN = re.compile(r"@\d+(?:-\d+)?$")
_CALL = re.compile(r"^(?:call:\s*)?(\d+)$")


class PolicyRef(NamedTuple):
    """A policy citation; ``start`` and ``end`` are None where it names no lines. Both ends are inclusive."""

    document: str
    start: int | None
    end: int | None


def row_ref(text: str) -> str:
    """The row that a record citation names: ``discharge:1-DS-2@10-20`` is the row ``discharge:1-DS-2``."""
    return _SPAN.sub("", text.strip())


def policy_ref(text: str) -> PolicyRef:
    """``kdigo-aki-2012 L41-L48``; what cannot be read keeps its text as the document and so resolves to nothing."""
    match = _POLICY.match(text)
    if match is None:
        return PolicyRef(text.strip(), None, None)
    document, start, end = match.groups()
    first = int(start) if start else None
    return PolicyRef(document, first, int(end) if end else first)


def _inline(rationale: str, kind: str) -> Iterator[str]:
    for match in _INLINE.finditer(rationale):
        if match.group(1).lower() == kind:
            yield from (part.strip() for part in match.group(2).split(";") if part.strip())


def claim_refs(claim: Claim) -> tuple[str, ...]:
    """Row refs that one claim cites, character spans removed, calls left out."""
    return tuple(row_ref(e) for e in claim.evidence if not e.strip().lower().startswith("call:"))


def claim_calls(claim: Claim) -> tuple[int, ...]:
    """Numbers of the calls that one claim cites as evidence of absence."""
    found = (_CALL.match(e.strip().lower()) for e in claim.evidence if e.strip().lower().startswith("call:"))
    return tuple(int(m.group(1)) for m in found if m)


def record_refs(report: Report) -> tuple[str, ...]:
    """Distinct row refs cited anywhere in the report, in order of first citation."""
    refs = [row_ref(r) for r in _inline(report.rationale, "record")]
    for claim in report.claims:
        refs.extend(claim_refs(claim))
    return tuple(dict.fromkeys(refs))


def call_refs(report: Report) -> tuple[int, ...]:
    """Distinct numbers of tool calls cited anywhere in the report."""
    calls = [int(m.group(1)) for c in _inline(report.rationale, "call") if (m := _CALL.match(c.lower()))]
    for claim in report.claims:
        calls.extend(claim_calls(claim))
    return tuple(dict.fromkeys(calls))


def policy_refs(report: Report) -> tuple[PolicyRef, ...]:
    """Distinct policy citations of the report, in order of first citation."""
    refs = [policy_ref(p) for p in _inline(report.rationale, "policy")]
    for claim in report.claims:
        refs.extend(policy_ref(p) for p in claim.policy)
    return tuple(dict.fromkeys(refs))
