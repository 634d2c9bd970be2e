"""Documented reasons to continue broad therapy (ASC-11 section 6), and what the discharge list says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.antibiotics import agents_in
from pytest_clinicare.systems.scripted.clinical.notes import find_asserted, section
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.chart import HOUR, NEUTROPHILS, Chart

_MIXED = re.compile(
    r"mixed (?:\w+ )?(?:flora|organisms|infection)|polymicrobial|necroti[sz]ing (?:soft|fasc)|empyema", re.IGNORECASE
)
_SECOND = re.compile(
    r"second (?:source|focus|infection)|concomitant (?:\w+ )?pneumonia|uncultured source", re.IGNORECASE
)
_OVER = re.compile(
    r"antibiotics? (?:\w+ ){0,3}(?:stopped|discontinued|complete)|(?:no further|off) antibiotics|"
    r"completed (?:\w+ ){0,3}(?:antibiotic|course)",
    re.IGNORECASE,
)
_LOW = Decimal("0.5")


@dataclass(frozen=True)
class Reason:
    text: str
    evidence: tuple[str, ...]


def neutrophils(chart: Chart) -> list[Value]:
    """Absolute counts (K/uL) within 24 h of T_final, reported, else white cells times neutrophils and bands."""
    if chart.final is None:
        return []
    final = chart.final

    def near(item: int, unit: str) -> list[Value]:
        return [v for v in valid_values(chart.labs.rows, item, unit, high=500) if abs(v.time - final) <= 24 * HOUR]

    reported, white, share, bands = (
        near(item, unit) for item, unit in zip(NEUTROPHILS, ("k/ul", "k/ul", "%", "%"), strict=True)
    )
    if reported:
        return reported
    out = []
    for cells in white:
        at = {v.time: v.value for v in share}
        if cells.time in at:
            extra = sum((v.value for v in bands if v.time == cells.time), Decimal(0))
            out.append(Value(cells.ref, cells.time, cells.value * (at[cells.time] + extra) / 100))
    return out


def reason(chart: Chart) -> Reason | None:
    """The first documented reason, in the protocol's order."""
    low = [v for v in neutrophils(chart) if v.value < _LOW]
    if low:
        return Reason(f"the neutrophil count is {low[0].value} K/uL, below 0.5, within 24 h of T_final", (low[0].ref,))
    for pattern, what in ((_MIXED, "mixed infection that needs the spectrum"), (_SECOND, "a second source")):
        for note in chart.notes.items:
            if found := find_asserted(pattern, note.text):
                return Reason(
                    f'the discharge summary names {what}: "{found.text}"', (note.span(found.start, found.end),)
                )
    return None


def discharge_agents(chart: Chart) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Antibacterials of the discharge list, and the passage of the list."""
    for note in chart.notes.items:
        listed = section(note.text, "discharge medications")
        if listed and not listed.masked:
            return agents_in(listed.text), (note.span(listed.start, listed.end),)
    return (), chart.notes.evidence


def therapy_over(chart: Chart) -> tuple[str, ...]:
    """The sentence that antibiotics are complete or stopped."""
    for note in chart.notes.items:
        if found := find_asserted(_OVER, note.text):
            return (note.span(found.start, found.end),)
    return ()
