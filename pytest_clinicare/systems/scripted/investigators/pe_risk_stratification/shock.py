"""High-risk status: persistent hypotension, vasopressor, and the cause that the record gives (TH-09 section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, find_asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign, readings
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.chart import Chart
from pytest_clinicare.systems.scripted.session import Row

_ITEMS = (221906, 221289, 222315, 221749, 221662)
_PRESSOR = re.compile(r"norepinephrine|epinephrine|phenylephrine|vasopressin|dopamine", re.IGNORECASE)
_SHOCK = re.compile(r"\bshock\b|hypotens|low pressure|vasopressor", re.IGNORECASE)
_EMBOLIC = re.compile(r"obstructive|pulmonary embol|\bPE\b|embolus|right heart failure", re.IGNORECASE)
_OTHER = re.compile(
    r"sepsis|septic|h[a]?emorrhag|bleed|hypovol|sedati|arrhythm|fibrillation|infarct|cardiogenic", re.IGNORECASE
)
_ARREST = re.compile(r"cardiac arrest|cardiopulmonary resuscitation|\bCPR\b|\bROSC\b", re.IGNORECASE)


@dataclass
class Shock:
    """``cause`` is embolism, other, undecided or not stated; ``onset`` is None where no criterion is met."""

    pressures: list[Sign]
    run: list[Sign] = field(default_factory=list)
    pressors: list[tuple[datetime, Row]] = field(default_factory=list)
    onset: datetime | None = None
    cause: str = "not stated"
    said: list[str] = field(default_factory=list)
    arrest: list[str] = field(default_factory=list)

    @property
    def criterion(self) -> bool:
        return self.onset is not None

    @property
    def high(self) -> bool:
        return self.criterion and self.cause != "other"

    @property
    def evidence(self) -> list[str]:
        return [*(s.ref for s in self.run), *(str(row["ref"]) for _, row in self.pressors)]


def judge(chart: Chart) -> Shock:
    """Readings of all sources from T_CT - 12 h to T_CT + 24 h."""
    since, until = chart.ct_hours(-12, 24)
    out = Shock(readings("systolic pressure", chart.ed_stay, chart.vitals.rows, since, until))
    out.run = _persistent(out.pressures)
    out.pressors = [(t, row) for t, row in _infusions(chart) if since <= t <= until]
    times = [*(s.time for s in out.run[:1]), *(t for t, _ in out.pressors)]
    for note in chart.mine:
        found = find_asserted(_ARREST, note.text, history=False, skip=BACKGROUND)
        if found:
            out.arrest.append(note.span(found.start, found.end))
    if out.arrest:
        times.append(chart.t_ct)
    out.onset = min(times, default=None)
    _attribute(chart, out)
    return out


def _persistent(pressures: list[Sign]) -> list[Sign]:
    """The first run of readings below 90, none of 90 or more between, that spans more than 15 min."""
    run: list[Sign] = []
    for sign in pressures:
        if sign.value < 90:
            run.append(sign)
            continue
        if run and run[-1].time - run[0].time > timedelta(minutes=15):
            return run
        run = []
    return run if run and run[-1].time - run[0].time > timedelta(minutes=15) else []


def _infusions(chart: Chart) -> list[tuple[datetime, Row]]:
    out = []
    for row in chart.given.rows:
        time = parse_time(row.get("charttime"))
        if time is None:
            continue
        if row.get("source") == "inputevents":
            if row.get("itemid") in _ITEMS and (row.get("rate") or 0) > 0:
                out.append((time, row))
        elif _PRESSOR.match(str(row.get("drug") or "")) and is_given(row.get("event_txt")):
            order = chart.dispensed.get(row.get("pharmacy_id"), {})
            if "DRIP" in str(order.get("route") or row.get("route") or "").upper():
                out.append((time, row))
    return sorted(out, key=lambda found: found[0])


def _attribute(chart: Chart, out: Shock) -> None:
    embolic = other = False
    for note in chart.mine:
        for sentence in sentences(note.text, BACKGROUND):
            if _SHOCK.search(sentence.text) and not re.match(r"(?:no|denied)\b", sentence.text, re.IGNORECASE):
                names = bool(_EMBOLIC.search(sentence.text)), bool(_OTHER.search(sentence.text))
                if any(names):
                    out.said.append(note.span(sentence.start, sentence.end))
                embolic, other = embolic or names[0], other or names[1]
    if embolic and other:
        out.cause = "undecided"
    elif embolic:
        out.cause = "embolism"
    elif other:
        out.cause = "other"
