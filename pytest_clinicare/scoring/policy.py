"""Policy grounding by rule (paper, section 5.4): do citations resolve, and are they the documents that govern."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_clinicare.environment import policy_citations

if TYPE_CHECKING:
    from pytest_clinicare.environment import Corpus, PolicyCitation, Report


class PolicyScores(NamedTuple):
    """``p_doc`` is None without a cited corpus document; ``r_doc`` is 0 then."""

    cited: int
    resolved: int
    unresolved: tuple[str, ...]
    p_doc: float | None
    r_doc: float | None


def policy_scores(report: Report | None, governing: tuple[str, ...], corpus: Corpus) -> PolicyScores:
    """Distinct citations of a report; no report cites nothing."""
    citations = policy_citations(report) if report else []
    unresolved = tuple(_told(c) for c in citations if not _resolves(c, corpus))
    documents = {c.document for c in citations if c.document in corpus.documents}
    right = len(documents & set(governing))
    return PolicyScores(
        len(citations),
        len(citations) - len(unresolved),
        unresolved,
        right / len(documents) if documents else None,
        right / len(governing) if governing else None,
    )


def _resolves(citation: PolicyCitation, corpus: Corpus) -> bool:
    """A document of the corpus and a valid line span in it; a citation without lines has no span."""
    return citation.start is not None and corpus.resolve(citation)


def _told(citation: PolicyCitation) -> str:
    if citation.start is None:
        return citation.document
    return f"{citation.document} L{citation.start}-L{citation.end or citation.start}"
