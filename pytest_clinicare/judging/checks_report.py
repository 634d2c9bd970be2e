"""Checks of what a report concludes, states and cites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from pytest_clinicare.charts import TABLES
from pytest_clinicare.judging.checks import Check, Evidence, Found, word
from pytest_clinicare.suite import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_clinicare.environment import Claim
    from pytest_clinicare.judging.citing import Said

Names = str | tuple[str, ...]


def _names(value: Names | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else value


def _table_of(ref: str) -> str:
    return ref.partition(":")[0].rpartition(".")[2]


@word
class VerdictIn(Check):
    """The verdict is one of these. A report without a readable verdict has none of them."""

    name: ClassVar[str] = "verdict_in"

    verdicts: tuple[Verdict, ...] = Field(min_length=1)

    def find(self, evidence: Evidence) -> Found:
        verdict = evidence.report.verdict
        return Found(verdict in self.verdicts, f"verdict {verdict.value if verdict else 'none'}")


@word
class PolicyCited(Check):
    """Each of these policy documents is cited by a span of lines that were read; with ``every = false`` one of them."""

    name: ClassVar[str] = "policy_cited"

    documents: tuple[str, ...] = Field(min_length=1)
    every: bool = True

    def find(self, evidence: Evidence) -> Found:
        by_line = {c.document for c in evidence.policies if c.start is not None and 1 <= c.start <= (c.end or c.start)}
        missing = [document for document in self.documents if document not in by_line]
        met = not missing if self.every else len(missing) < len(self.documents)
        return Found(met, f"not cited by line: {', '.join(missing)}" if missing else "cited by line")


class _Rows(Check):
    """Rows picked out by table, fact, item and time.

    ``within`` and ``outside`` are a pair of facts, both ends included unless ``open_start``; an end that the chart does
    not have is no bound; ``rows`` and ``not_rows`` are facts with refs.
    """

    table: Names | None = None
    rows: str | None = None
    not_rows: str | None = None
    items: tuple[int, ...] = ()
    within: tuple[str, str] | None = None
    outside: tuple[str, str] | None = None
    open_start: bool = False

    @property
    def fact_names(self) -> tuple[str, ...]:
        return tuple(n for n in (*(self.within or ()), *(self.outside or ()), self.rows, self.not_rows) if n)

    @property
    def picks(self) -> bool:
        return bool(self.table or self.rows or self.not_rows or self.items or self.within or self.outside)

    def pick(self, evidence: Evidence, refs: Iterable[str]) -> tuple[str, ...]:
        """Those of ``refs`` that fit."""
        return tuple(ref for ref in refs if self._fits(evidence, ref))

    def _fits(self, evidence: Evidence, ref: str) -> bool:
        tables = _names(self.table)
        if tables and _table_of(ref) not in tables:
            return False
        if self.rows and ref not in evidence.facts.values(self.rows):
            return False
        if self.not_rows and ref in evidence.facts.values(self.not_rows):
            return False
        if not (self.items or self.within or self.outside):
            return True
        row = evidence.chart.row(ref)
        if row is None or (self.items and ("itemid" not in row.keys() or row["itemid"] not in self.items)):  # noqa: SIM118
            return False
        moment = TABLES[_table_of(ref)].moment(dict(row))
        if self.within and not self._between(evidence, moment, self.within):
            return False
        return not (self.outside and self._between(evidence, moment, self.outside))

    def _between(self, evidence: Evidence, moment: Any, bounds: Sequence[str]) -> bool:
        if moment is None:
            return False
        start, end = (evidence.facts.value(name) for name in bounds)
        after = start is None or (str(moment) > str(start) if self.open_start else str(moment) >= str(start))
        return after and (end is None or str(moment) <= str(end))


@word
class Cites(_Rows):
    """The report cites such a row anywhere, inline or on a claim; ``every`` wants all rows of the fact ``rows``."""

    name: ClassVar[str] = "cites"

    at_least: int = Field(default=1, ge=1)
    every: bool = False

    def find(self, evidence: Evidence) -> Found:
        picked = self.pick(evidence, evidence.cited)
        if self.every and self.rows:
            left = tuple(str(ref) for ref in evidence.facts.values(self.rows) if ref not in picked)
            return Found(not left, f"{len(left)} of the {self.rows} are not cited", left[:10])
        what = " or ".join(_names(self.table)) or self.rows or "record"
        if len(picked) >= self.at_least:
            return Found(True, f"cites {len(picked)} {what} row(s)", picked[:10])
        return Found(False, f"cites {len(picked)} {what} row(s) of the kind, {self.at_least} wanted")


@word
class Stated(_Rows):
    """A typed claim states it: of a ``kind``, ``about`` something (part of its name or text) and ``not_about`` another,
    ``named`` so (part of its name), with a ``value`` (its beginning), and citing such rows (``rows_at_least`` of them,
    ``only`` such rows), or ``empty``: a call that found none, in the table that ``empty`` names.

    ``at`` and ``not_at`` are facts with times or values: the claim's value or time is among them, or is not. ``per`` is
    a fact: a claim that speaks of each of its values. A report without typed claims leaves it undecided.
    """

    name: ClassVar[str] = "claim"

    kind: Names | None = None
    about: Names | None = None
    not_about: Names | None = None
    named: Names | None = None
    value: Names | None = None
    numeric: bool = False
    empty: bool | str = False
    at: str | None = None
    not_at: str | None = None
    per: str | None = None
    at_least: int = Field(default=1, ge=1)
    rows_at_least: int = Field(default=1, ge=1)
    only: bool = False

    @property
    def fact_names(self) -> tuple[str, ...]:
        return (*super().fact_names, *(name for name in (self.at, self.not_at, self.per) if name))

    def find(self, evidence: Evidence) -> Found:
        if not evidence.typed:
            return Found(None, "the report has no typed claims")
        times = tuple(None if name is None else _texts(evidence, name) for name in (self.at, self.not_at))
        found = [(said, self._cited(evidence, said)) for said in evidence.claims if self._is(said, *times)]
        held = [(claim, refs) for claim, refs in found if refs is not None]
        refs = tuple(dict.fromkeys(ref for _, cited in held for ref in cited or ()))
        if self.per is not None:
            names = [str(value) for value in evidence.facts.values(self.per)]
            lacking = [name for name in names if not any(name.lower() in said.words for said, _ in held)]
            return Found(
                not lacking, f"{self._what()}: none for {', '.join(lacking)}" if lacking else self._what(), refs
            )
        if len(held) >= self.at_least:
            return Found(True, f"claims: {held[0][0].claim.text[:120]}", refs[:10])
        return Found(False, f"no claim of {self._what()}")

    def _what(self) -> str:
        parts = (*_names(self.kind), *_names(self.about), *_names(self.named), *_names(self.value))
        return " / ".join(parts) or "the kind"

    def _is(self, said: Said, at: frozenset[str] | None, not_at: frozenset[str] | None) -> bool:
        claim = said.claim
        if self.kind and claim.kind not in _names(self.kind):
            return False
        if self.about and not _has(said.words, self.about):
            return False
        if self.not_about and _has(said.words, self.not_about):
            return False
        if self.named and not _has((claim.name or "").lower(), self.named):
            return False
        if self.numeric and not _number(claim.value):
            return False
        if self.value and not str(claim.value or "").lower().startswith(tuple(v.lower() for v in _names(self.value))):
            return False
        given = _stated(said) if at is not None or not_at is not None else set[str]()
        return (at is None or bool(given & at)) and not (not_at and given & not_at)

    def _cited(self, evidence: Evidence, said: Said) -> tuple[str, ...] | None:
        """Rows that make the claim fit; None where it does not cite as it should."""
        if self.empty and not self._cites_nothing(evidence, said):
            return None
        refs = said.refs
        if not self.picks:
            return refs
        picked = self.pick(evidence, refs)
        # For credit, what is not retrieved does not count; ``only`` looks at all that is cited.
        counted = tuple(ref for ref in picked if ref in evidence.reads.refs) if evidence.credit else picked
        if len(counted) < self.rows_at_least or (self.only and len(picked) < len(refs)):
            return None
        return counted

    def _cites_nothing(self, evidence: Evidence, said: Said) -> bool:
        table = self.empty if isinstance(self.empty, str) else None
        return any(not evidence.credit or evidence.reads.empty(n, table) for n in said.calls)


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?", re.ASCII)


def _stated(said: Said) -> set[str]:
    """Value and time of a claim; the times in its words where these hold none."""
    fields = [str(value) for value in (said.claim.value, said.claim.time) if value is not None]
    times = [found for text in fields for found in _MOMENT.findall(text)] or _MOMENT.findall(said.words.upper())
    return {*fields, *(f"{time.replace('T', ' ')}:00"[:19] for time in times)}


def _texts(evidence: Evidence, fact: str) -> frozenset[str]:
    return frozenset(str(value) for value in evidence.facts.values(fact))


def _has(words: str, parts: Names) -> bool:
    return any(part.lower() in words for part in _names(parts))


_SENTENCE = re.compile(r"(?<=[.;:!?])\s+|\n\s*\n|\n\s*(?=[-*\d])")


@word
class Explained(Check):
    """Each difference that the report claims is a decision which a note records.

    A sentence of one of ``notes`` (a fact with note ids) names the drug and has one of ``words``. False without such
    claims, undecided without typed claims.
    """

    name: ClassVar[str] = "explained"

    kind: Names = "difference"
    value: Names | None = None
    notes: str
    words: tuple[str, ...] = Field(min_length=1)

    @property
    def fact_names(self) -> tuple[str, ...]:
        return (self.notes,)

    def find(self, evidence: Evidence) -> Found:
        if not evidence.typed:
            return Found(None, "the report has no typed claims")
        starts = tuple(value.lower() for value in _names(self.value))
        claims = [
            claim
            for claim in evidence.report.claims
            if claim.kind in _names(self.kind) and str(claim.value or "").lower().startswith(starts or ("",))
        ]
        sentences = [part.lower() for text in self._texts(evidence) for part in _SENTENCE.split(text)]
        decided = [part for part in sentences if any(found in part for found in self.words)]
        open_ = [claim for claim in claims if not any(_drug(claim) in part for part in decided)]
        if not claims or open_:
            return Found(
                False, f"no decision is recorded for {_drug(open_[0])}" if open_ else "no difference is claimed"
            )
        return Found(True, f"the discharge summary records the decision on {', '.join(map(_drug, claims))}")

    def _texts(self, evidence: Evidence) -> list[str]:
        refs = (f"discharge:{note_id}" for note_id in evidence.facts.values(self.notes))
        return [str(row["text"]) for ref in refs if (row := evidence.chart.row(ref)) is not None]


def _drug(claim: Claim) -> str:
    """First word of what the claim is about."""
    words = (claim.name or claim.text).lower().split()
    return words[0] if words else ""


def _number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True
