"""The vocabulary of checks: three-valued, declared in rubric files, parsed once.

True, False, or None for *undecided*: what only a reader can tell, such as what a report without typed claims states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_clinicare.judging.citing import Cited
from pytest_clinicare.judging.facts import Facts
from pytest_clinicare.judging.reads import Reads

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_clinicare.environment import PolicyCitation
    from pytest_clinicare.judging.citing import Said
    from pytest_clinicare.judging.protocol import JudgedRun


class CheckError(ValueError):
    """A rubric entry that is no check; the message says which and why."""


class Found(NamedTuple):
    """What a check found; ``why`` is a short phrase, ``refs`` the rows that it rests on."""

    met: bool | None
    why: str = ""
    refs: tuple[str, ...] = ()


class Evidence:
    """What checks look at: the report, what was read, and the facts of the chart.

    ``credit`` says whose favour a check that holds is in. In the system's favour (a must-do, a must-not that is denied)
    only citations of what this run retrieved count, as otherwise a made-up ref would earn what a real one earns;
    against it everything that the report cites.
    """

    def __init__(self, run: JudgedRun) -> None:
        self.report = run.report
        self.chart = run.chart
        self.case = run.case
        self.reads = Reads(run.trace)
        self.facts = Facts(run.chart, run.case, run.rubric)
        self.citations = Cited(run.report, self.reads)
        self.credit = True

    @property
    def turned(self) -> Evidence:
        """The same with the opposite ``credit``."""
        other = copy(self)
        other.credit = not self.credit
        return other

    @property
    def cited(self) -> tuple[str, ...]:
        """Distinct rows that the report cites."""
        return self.citations.grounded_refs if self.credit else self.citations.refs

    @property
    def policies(self) -> tuple[PolicyCitation, ...]:
        return self.citations.grounded_policies if self.credit else self.citations.policies

    @property
    def claims(self) -> tuple[Said, ...]:
        """Typed claims; for credit those that rest on something this run got."""
        return self.citations.grounded_claims if self.credit else self.citations.claims

    @property
    def typed(self) -> bool:
        """Whether the report has typed claims, without which what it states is for a reader to tell."""
        return bool(self.report.claims)


class Check(BaseModel, ABC):
    """One check. A subclass is one word of the vocabulary; its fields are its parameters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str] = ""

    @property
    def fact_names(self) -> tuple[str, ...]:
        """Facts that the check refers to."""
        return ()

    @abstractmethod
    def find(self, evidence: Evidence) -> Found:
        """What the check finds in one run."""


CHECKS: dict[str, type[Check]] = {}
"""The vocabulary by name."""


def word(kind: type[Check]) -> type[Check]:
    """Class decorator: add a check to the vocabulary."""
    CHECKS[kind.name] = kind
    return kind


class Both(NamedTuple):
    """All of the parts must hold."""

    parts: tuple[Part, ...]


class Either(NamedTuple):
    """One of the parts must hold."""

    parts: tuple[Part, ...]


class Opposite(NamedTuple):
    """The part must not hold."""

    part: Part


Part = Check | Both | Either | Opposite


def parse(entry: Mapping[str, Any]) -> Part:
    """A rubric entry as a check. Raises CheckError."""
    if set(entry) == {"any"}:
        return Either(_parse_list(entry["any"], "any"))
    if set(entry) == {"all"}:
        return Both(_parse_list(entry["all"], "all"))
    if set(entry) == {"not"}:
        return Opposite(parse(_table(entry["not"], "not")))
    name = entry.get("check")
    kind = CHECKS.get(name) if isinstance(name, str) else None
    if kind is None:
        from difflib import get_close_matches

        near = get_close_matches(str(name), CHECKS, n=1)
        hint = f"; do you mean {near[0]!r}?" if near else f"; there are: {', '.join(sorted(CHECKS))}"
        raise CheckError(f"no check {name!r}{hint}")
    try:
        return kind.model_validate({key: value for key, value in entry.items() if key != "check"})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CheckError(f"check {name!r}: {where}: {first['msg']}") from error


def parse_all(entries: Iterable[Mapping[str, Any]]) -> Both:
    """Entries that are ANDed. Raises CheckError."""
    return Both(tuple(parse(entry) for entry in entries))


def decide(part: Part, evidence: Evidence) -> Found:
    """Kleene logic over the parts: False wins in ``Both``, True in ``Either``, else undecided wins."""
    if isinstance(part, Check):
        return part.find(evidence)
    if isinstance(part, Opposite):
        found = decide(part.part, evidence.turned)
        return Found(None if found.met is None else not found.met, f"not: {found.why}", found.refs)
    wins = isinstance(part, Either)
    found_all = []
    for inner in part.parts:
        found = decide(inner, evidence)
        if found.met is wins:
            return found
        found_all.append(found)
    undecided = [found for found in found_all if found.met is None]
    shown = undecided or found_all
    refs = dict.fromkeys(ref for found in shown for ref in found.refs)
    return Found(None if undecided else not wins, "; ".join(f.why for f in shown if f.why), tuple(refs))


def facts_of(part: Part) -> set[str]:
    """Every fact that a check or its parts refer to."""
    if isinstance(part, Check):
        return set(part.fact_names)
    inner = (part.part,) if isinstance(part, Opposite) else part.parts
    return {name for each in inner for name in facts_of(each)}


def _parse_list(value: Any, key: str) -> tuple[Part, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise CheckError(f"'{key}' must be a list of checks")
    return tuple(parse(_table(entry, key)) for entry in value)


def _table(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise CheckError(
            f'\'{key}\' must hold checks, each a table such as {{check = "verdict_in", verdicts = ["yes"]}}'
        )
    return value
