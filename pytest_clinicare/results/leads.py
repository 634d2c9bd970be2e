"""Where to look next: what went wrong in the runs of a report, the commonest first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_clinicare.results.report_rows import Criteria, Row

_LISTED = 8


@dataclass(frozen=True)
class Sign:
    """Something that went wrong in runs of one scenario, and the search that finds these runs."""

    scenario: str
    what: str
    search: str
    text: str = ""


@dataclass(frozen=True)
class Lead:
    """A sign with the number of runs that show it, and one of them."""

    sign: Sign
    count: int
    case: str


@dataclass(frozen=True)
class Group:
    """Leads of one kind; ``more`` is how many are not listed."""

    title: str
    leads: tuple[Lead, ...]
    more: int


def groups(rows: Sequence[Row], criteria: Criteria) -> list[Group]:
    """The groups that hold something."""
    found = {
        "Ended in an error": ((row, sign) for row in rows for sign in _errors(row)),
        "Defects": ((row, sign) for row in rows for sign in _defects(row, criteria)),
        "Wrong verdicts": ((row, sign) for row in rows for sign in _wrong(row)),
        "No readable verdict": ((row, sign) for row in rows for sign in _unread(row)),
        "Must-dos not done": ((row, sign) for row in rows for sign in _unmet(row, criteria)),
        "Sources not read": ((row, sign) for row in rows for sign in _not_read(row)),
    }
    made = [_group(title, signs) for title, signs in found.items()]
    return [group for group in made if group.leads]


def _errors(row: Row) -> Iterator[Sign]:
    record = row.record
    if row.state == "error":
        yield Sign(record.scenario, record.outcome, f"{record.scenario} verdict:{record.outcome}", record.error or "")


def _defects(row: Row, criteria: Criteria) -> Iterator[Sign]:
    scenario = row.record.scenario
    for grade in row.defects:
        text = criteria.text(scenario, grade.criterion)
        yield Sign(scenario, grade.criterion, f"{scenario}/{grade.criterion}", text)


def _wrong(row: Row) -> Iterator[Sign]:
    record = row.record
    if row.state == "wrong":
        search = f"{record.scenario} reference:{record.reference} verdict:{record.verdict}"
        yield Sign(record.scenario, f"{record.reference} answered {record.verdict}", search)


def _unread(row: Row) -> Iterator[Sign]:
    record = row.record
    if row.state == "unread":
        yield Sign(record.scenario, record.ended.text, f"{record.scenario} verdict:{record.outcome}")


def _unmet(row: Row, criteria: Criteria) -> Iterator[Sign]:
    scenario = row.record.scenario
    for grade in row.unmet:
        text = criteria.text(scenario, grade.criterion)
        yield Sign(scenario, grade.criterion, f"{scenario}/{grade.criterion}-", text)


def _not_read(row: Row) -> Iterator[Sign]:
    scenario = row.record.scenario
    for name in row.not_read:
        yield Sign(scenario, name, f"{scenario}:{name}")


def _group(title: str, found: Iterable[tuple[Row, Sign]]) -> Group:
    cases: dict[Sign, list[str]] = defaultdict(list)
    for row, sign in found:
        cases[sign].append(row.record.case)
    leads = [Lead(sign, len(held), held[0]) for sign, held in cases.items()]
    leads.sort(key=lambda lead: (-lead.count, lead.sign.scenario, lead.sign.what))
    return Group(title, tuple(leads[:_LISTED]), len(leads[_LISTED:]))
