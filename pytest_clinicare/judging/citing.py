"""What a report cites, claim by claim, and what of it this run retrieved."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pytest_clinicare.charts import parse_ref
from pytest_clinicare.environment import Report, call_citations, policy_citations, record_citations, strip_span

if TYPE_CHECKING:
    from pytest_clinicare.environment import Claim, PolicyCitation
    from pytest_clinicare.judging.reads import Reads


# A claim, and a report, that cites more rows than this points at none of them.
_MOST_OF_CLAIM, _MOST_OF_REPORT = 60, 300
# What such claims state stands in a row; the answer of a call or a policy may carry the others.
_OF_ROWS = frozenset(
    ("encounter", "index_event", "index_time", "order_time", "measurement", "peak", "medication", "difference",
     "duration", "imaging", "order", "computation", "trend")
)  # fmt: skip


class Said(NamedTuple):
    """A claim: ``words`` are its name, time and text in lower case; ``refs`` and ``calls`` what it cites."""

    claim: Claim
    words: str
    refs: tuple[str, ...]
    calls: tuple[int, ...]
    policies: tuple[PolicyCitation, ...]


class Cited:
    """The citations of one report. ``grounded_refs`` and the like are those that this run retrieved."""

    def __init__(self, report: Report, reads: Reads) -> None:
        self._report = report
        self._reads = reads

    @cached_property
    def refs(self) -> tuple[str, ...]:
        """Distinct rows, as ``table:key``."""
        return _refs(self._report)

    @cached_property
    def grounded_refs(self) -> tuple[str, ...]:
        if len(self.refs) > _MOST_OF_REPORT:
            return ()
        return tuple(ref for ref in self.refs if ref in self._reads.refs)

    @cached_property
    def claims(self) -> tuple[Said, ...]:
        return tuple(_said(claim) for claim in self._report.claims)

    @cached_property
    def grounded_claims(self) -> tuple[Said, ...]:
        return tuple(said for said in self.claims if self._grounded(said))

    @cached_property
    def policies(self) -> tuple[PolicyCitation, ...]:
        return tuple(policy_citations(self._report))

    @cached_property
    def grounded_policies(self) -> tuple[PolicyCitation, ...]:
        """Spans of lines that were read."""
        return tuple(c for c in self.policies if self._was_read(c))

    def _grounded(self, said: Said) -> bool:
        """Whether the claim rests on something that this run got: a row, the answer of a call, lines of a policy."""
        if len(said.refs) > _MOST_OF_CLAIM:
            return False
        if any(ref in self._reads.refs for ref in said.refs):
            return True
        return said.claim.kind not in _OF_ROWS and (
            any(n in self._reads.answered for n in said.calls)
            or any(self._was_read(citation) for citation in said.policies)
        )

    def _was_read(self, citation: PolicyCitation) -> bool:
        return self._reads.has_lines(citation.document, citation.start, citation.end)


def canonical(ref: str) -> str:
    """``hosp.labevents:1`` and ``labevents:1@0-9`` are one row; what is no ref stays as it is and so is never found."""
    bare = strip_span(ref)
    try:
        table, _, _ = parse_ref(bare)
    except ValueError:
        return bare
    return f"{table}:{bare.partition(':')[2].strip()}"


def _said(claim: Claim) -> Said:
    # Inline citations in a claim's text are its evidence as well.
    alone = Report(verdict=None, claims=(claim,))
    words = f"{claim.name or ''} {claim.time or ''} {claim.text}".lower()
    return Said(claim, words, _refs(alone), tuple(call_citations(alone)), tuple(policy_citations(alone)))


def _refs(report: Report) -> tuple[str, ...]:
    return tuple(dict.fromkeys(canonical(ref) for ref in record_citations(report)))
