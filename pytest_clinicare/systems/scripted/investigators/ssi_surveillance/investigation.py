"""Surgical-site infection, decided in the order of IP-012 section 6."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, time

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance import findings
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.criteria import Event, events
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.operation import Operation
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.site import Said, Site, read_site
from pytest_clinicare.systems.scripted.session import Row

_ELSEWHERE = re.compile(
    r"\b(?:outside|another|other|different) (?:\w+ )?(?:facility|hospital|clinic|center)|\belsewhere\b|\bOSH\b",
    re.IGNORECASE,
)
_WOUND = re.compile(r"\bwound\b|incision|surgical site|collection|abscess", re.IGNORECASE)
_TREATED = re.compile(r"treated|antibiotic|infect", re.IGNORECASE)


@dataclass
class Reading:
    """``events`` are candidates with the later operation or entry that takes them, where one does."""

    chart: Chart
    sites: list[Site] = field(default_factory=list)
    events: list[tuple[Event, Row | None]] = field(default_factory=list)
    outside: Said | None = None

    @property
    def index(self) -> Operation | None:
        return self.chart.operation

    def counting(self, status: str) -> list[Event]:
        """Candidates of the status that lie in their period and belong to the index operation."""
        index = self.index
        if index is None:
            return []
        return [e for e, taken in self.events if e.status == status and taken is None and e.inside(index)]


def look(chart: Chart) -> Reading:
    reading = Reading(chart)
    index = chart.operation
    if index is None:
        return reading
    reading.sites = [read_site(spot, index) for spot in chart.spots]
    for site in reading.sites:
        reading.events += [(event, _taken(chart, event)) for event in events(site, index)]
    reading.outside = _outside(chart)
    return reading


def _taken(chart: Chart, event: Event) -> Row | None:
    """A later operation at the site before the event takes it away from the index operation (4.7)."""
    before = [row for when, row in chart.later_operations if when.date() < event.on]
    return before[-1] if before else None


def _outside(chart: Chart) -> Said | None:
    """Treatment of the wound as infected elsewhere, without date or finding, in a summary after the operation."""
    first = chart.window[0]
    for note in chart.discharge.items:
        written = parse_time(note.charttime)
        if written is None or written < datetime.combine(first.date(), time()):
            continue
        for sentence in sentences(note.text, frozenset({"family history", "discharge instructions"})):
            text = sentence.text
            if asserted(_WOUND, text) and _ELSEWHERE.search(text) and _TREATED.search(text):
                return Said(text, note.span(sentence.start, sentence.end))
    return None


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    index = reading.index
    if index is None:
        draft.reopens = "The operation with its date, from a code, a summary or an operative note."
        return draft.conclude(
            Verdict.LACK, "No operation of an NHSN category with a date is on record in this admission.", Verdict.YES
        )
    met = reading.counting("met")
    if met:
        event = met[0]
        return draft.conclude(
            Verdict.YES,
            f"{event.level.capitalize()} infection on day {index.day_of(event.on)} of {event.allowed(index)}: "
            f"{event.element}.",
        )
    if reading.outside:
        draft.reopens = "The record of the outside facility: date, finding or culture."
        return draft.conclude(
            Verdict.LACK,
            "A later summary says that the wound was treated as infected elsewhere, without date, finding or culture.",
            Verdict.NO,
        )
    disputed = reading.counting("disputed")
    if disputed:
        event = disputed[0]
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"The only candidate, on day {index.day_of(event.on)}, rests on a description: {event.element}.",
            Verdict.YES,
        )
    return draft.conclude(Verdict.NO, _why_not(reading, index))


def _why_not(reading: Reading, index: Operation) -> str:
    for event, taken in reading.events:
        day = index.day_of(event.on)
        if event.status == "met" and taken is not None:
            return f"The {event.level} infection of day {day} belongs to the later operation of {taken['chartdate']}."
        if event.status == "met":
            return f"The {event.level} infection of day {day} lies after day {event.allowed(index)}."
    if reading.events:
        event = reading.events[0][0]
        return f"The candidate of day {index.day_of(event.on)} meets no criterion: {event.element}."
    return "The whole period was searched and there is no event at the site."


investigate = Investigation(findings.TITLES, gather, look, decide, findings.write)
