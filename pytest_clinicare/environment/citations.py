"""Citations of a report, inline in its text and typed on its claims."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_clinicare.environment.report import PolicyCitation, Report

_INLINE = re.compile(r"\[\s*(record|call|policy)s?\s*:([^\[\]\n]+)\]", re.IGNORECASE)
_PREFIX = re.compile(r"^\[?\s*(record|policy)s?\s*:\s*", re.IGNORECASE)
# Keys hold no commas, but a separator must be followed by another ref, so that one in a key does no harm.
_BETWEEN_REFS = re.compile(r"[;,]\s*(?=[A-Za-z_.]+:)")
_CALL = re.compile(r"(?:call\s*:?\s*)?#?(\d{1,9})", re.IGNORECASE | re.ASCII)
_SPAN = re.compile(r"@(\d{1,9})(?:\s*[-\u2013]\s*(\d{1,9}))?$", re.ASCII)
_LINE = r"(?:L|lines?)?[_ ]?(\d{1,9})"
_POLICY = re.compile(
    rf"([A-Za-z0-9][\w.\-]*?)(?:\.md)?(?:[\s,:#]+{_LINE}(?:\s*(?:--?|[\u2013\u2014])\s*{_LINE})?)?",
    re.IGNORECASE | re.ASCII,
)


def record_citations(report: Report) -> list[str]:
    """Distinct record refs in order of citation, spans kept (``discharge:1-DS-2@120-310``)."""
    found: list[str] = []
    for text in [*_inline(report, "record"), *_evidence(report)]:
        found.extend(ref.strip() for ref in _BETWEEN_REFS.split(text) if ref.strip() and not _is_call(ref))
    return list(dict.fromkeys(found))


def call_citations(report: Report) -> list[int]:
    """Distinct numbers of tool calls cited as evidence of absence."""
    texts = [part for text in _inline(report, "call") for part in re.split(r"[;,]", text)]
    texts += [part for text in _evidence(report) for part in _BETWEEN_REFS.split(text) if _is_call(part)]
    found = [match.group(1) for text in texts if (match := _CALL.fullmatch(text.strip()))]
    return [int(number) for number in dict.fromkeys(found)]


def policy_citations(report: Report) -> list[PolicyCitation]:
    """Distinct policy citations. What cannot be read keeps its text as the document, and so resolves to nothing."""
    texts = [part for text in _inline(report, "policy") for part in text.split(";")]
    texts += [_PREFIX.sub("", text).rstrip("]") for claim in report.claims for text in claim.policy]
    return list(dict.fromkeys(parse_policy(text) for text in texts if text.strip()))


def parse_policy(text: str) -> PolicyCitation:
    """``kdigo-aki-2012 L41-L48``, also ``L41--L48``, ``L_41--L_48``, with an en dash, or of a single line."""
    match = _POLICY.fullmatch(text.strip())
    if match is None:
        return PolicyCitation(document=text.strip())
    document, start, end = match.groups()
    first = int(start) if start else None
    return PolicyCitation(document=document, start=first, end=int(end) if end else first)


def strip_span(ref: str) -> str:
    """The row that a ref names, without the character span."""
    return _SPAN.sub("", ref.strip())


def span_of(ref: str) -> tuple[int, int] | None:
    """The character span of a note ref, or None."""
    match = _SPAN.search(ref.strip())
    return (int(match.group(1)), int(match.group(2) or match.group(1))) if match else None


def _inline(report: Report, kind: str) -> Iterator[str]:
    for text in (report.rationale, *(claim.text for claim in report.claims)):
        for match in _INLINE.finditer(text):
            if match.group(1).lower() == kind:
                yield match.group(2).strip()


def _evidence(report: Report) -> Iterator[str]:
    for claim in report.claims:
        for text in claim.evidence:
            yield _PREFIX.sub("", text.strip()).strip("[]")


def _is_call(text: str) -> bool:
    return text.strip().lower().startswith("call")
