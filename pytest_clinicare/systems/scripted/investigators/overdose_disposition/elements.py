"""The four elements E1 to E4 (RH-TOX-01 sections 4 to 7)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.chart import (
    ALT,
    HOUR,
    INR,
    Antidote,
    Chart,
    antidote,
)
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.story import Story
from pytest_clinicare.systems.scripted.session import Row

MET, BREACHED, CONTESTED, OPEN = "met", "breached", "contested", "not evaluable"
_PRESSOR = re.compile(r"norepinephrine|epinephrine|vasopressin|phenylephrine|dopamine", re.IGNORECASE)
_AIRWAY = (224385, 225792)
_DIALYSIS = (225441, 225802, 225803, 225809)


@dataclass(frozen=True)
class Element:
    state: str
    why: str


@dataclass
class Liver:
    """Stopping values of acetylcysteine; ``preceding`` is the ALT before."""

    level: tuple[datetime, Decimal, str] | None = None
    inr: Value | None = None
    alt: Value | None = None
    preceding: Value | None = None


@dataclass
class Plot:
    """A level at its hours since ingestion; ``line`` is None where it cannot be plotted."""

    time: datetime
    value: Decimal
    hours: Decimal | None
    line: float | None
    ref: str


@dataclass
class Treated:
    """E3 with what it rests on."""

    element: Element
    plots: list[Plot] = field(default_factory=list)
    indicated: str = ""
    given: Antidote | None = None
    liver: Liver | None = None


def line(hours: Decimal) -> float:
    """The treatment line in mcg/mL."""
    return float(150.0 * 2.0 ** (-(float(hours) - 4.0) / 4.0))


def observation(chart: Chart, story: Story) -> tuple[Element, int]:
    """E1 and the minimum in hours."""
    stayed = chart.release - chart.arrival
    if not story.agents:
        if stayed >= 24 * HOUR:
            return Element(MET, "the agent is unknown and 24 h were observed"), 24
        return Element(OPEN, "the agent is unknown and fewer than 24 h were observed"), 24
    least = 24 if story.long else 6
    told = f"{stayed / HOUR:.2f} h from {iso(chart.arrival)} to {iso(chart.release)} against {least} h"
    return Element(MET if stayed >= least * HOUR else BREACHED, told), least


def triggers(chart: Chart) -> list[tuple[datetime, str, Row]]:
    """Intubation, vasopressor, continuous naloxone, dialysis, in order of time."""
    out = []
    for row in chart.procedures.rows:
        time = parse_time(row.get("starttime") or row.get("time"))
        if row.get("itemid") in (*_AIRWAY, *_DIALYSIS) and time:
            out.append((time, "intubation" if row["itemid"] in _AIRWAY else "dialysis", row))
    for row in chart.given.rows:
        drug, time = str(row.get("drug") or ""), parse_time(row.get("charttime"))
        if time is None:
            continue
        running = bool(row.get("rate")) or str(row.get("event_txt") or "").lower().startswith("started")
        if "naloxone" in drug.lower() and running:
            out.append((time, "naloxone infusion", row))
        elif row.get("source") == "inputevents" and row.get("rate") and _PRESSOR.search(drug):
            out.append((time, "vasopressor", row))
    return sorted(out, key=lambda found: found[0])


def level_of_care(chart: Chart, found: list[tuple[datetime, str, Row]]) -> Element:
    """E2."""
    if not found:
        return Element(MET, "no trigger of intensive care")
    first = found[0][0]
    for stay in chart.icu.rows:
        begin, end = parse_time(stay.get("intime")), parse_time(stay.get("outtime"))
        if begin and begin <= first + 6 * HOUR and (end is None or end > first):
            return Element(MET, f"{found[0][1]} at {iso(first)} and an ICU stay from {iso(begin)}")
    return Element(BREACHED, f"{found[0][1]} at {iso(first)} and no ICU stay within 6 h of it")


def self_harm(chart: Chart, story: Story) -> Element:
    """E4."""
    state = story.self_harm
    if state == "absent":
        return Element(MET, "self-harm is not present")
    if story.evaluated:
        lenient = "PSYCH" not in chart.destination
        if story.recommended == "inpatient" and lenient and not story.changed:
            return Element(BREACHED, f"inpatient care was recommended and the destination is {chart.destination}")
        return Element(MET, f"evaluated by psychiatry ({story.recommended}), destination {chart.destination}")
    if not chart.mine:
        return Element(OPEN, "self-harm is present and there is no discharge summary")
    if state == "contested":
        return Element(
            CONTESTED, "intent is stated both ways, unexplained, and no psychiatric evaluation is documented"
        )
    return Element(BREACHED, "self-harm is present and the summary documents no psychiatric evaluation")


def acetaminophen(chart: Chart, story: Story) -> Treated:
    """E3."""
    out = Treated(Element(MET, "acetaminophen was not ingested and no level reached 10 mcg/mL"))
    high = [level for level in chart.levels if level.value >= 10]
    out.given = antidote(chart)
    out.plots = _plots(chart, story)
    if not story.acetaminophen and not high:
        return out
    above = [p for p in out.plots if p.line is not None and float(p.value) >= p.line]
    contested = len(set(story.hours)) > 1 and _straddles(out.plots)
    if contested:
        if out.given is None:
            out.element = Element(CONTESTED, "the range of times puts the level on both sides of the line")
            return out
    elif above:
        out.indicated = f"{above[0].value} mcg/mL at {above[0].hours} h, line {above[0].line:.1f}"
    out.indicated = out.indicated or _otherwise(chart, story, out)
    if out.indicated == "open":
        out.indicated = ""
        out.element = Element(OPEN, "a level was drawn in another hospital and no figure is recorded")
        return out
    if not out.indicated:
        out.element = Element(MET, "acetylcysteine was not indicated")
        return out
    _treatment(chart, out)
    return out


def _plots(chart: Chart, story: Story) -> list[Plot]:
    """Every level, at each of the ends that the time of ingestion has."""
    out = []
    for level in chart.levels:
        ends: list[Decimal | None] = [*sorted(set(story.hours))] or [None]
        for before in ends:
            if before is None or story.spread:
                out.append(Plot(level.time, level.value, None, None, level.ref))
                continue
            since = (level.time - chart.arrival) / timedelta(minutes=1)
            hours = (before * 60 + Decimal(round(since))) / 60
            at = line(hours) if 4 <= hours <= 24 else None
            out.append(Plot(level.time, level.value, round(hours, 2), at, level.ref))
    for value, hours, ref in story.quoted:
        out.append(Plot(chart.arrival, value, hours, line(hours) if 4 <= hours <= 24 else None, ref))
    return out


def _straddles(plots: list[Plot]) -> bool:
    """A level at or above the line at one end of the time and below it at the other."""
    by_level: dict[str, set[bool]] = {}
    for plot in plots:
        if plot.line is not None:
            by_level.setdefault(plot.ref, set()).add(float(plot.value) >= plot.line)
    return any(len(sides) == 2 for sides in by_level.values())


def _otherwise(chart: Chart, story: Story, out: Treated) -> str:
    """Points 2 and 3 of 6.2; ``open`` where the level of another hospital has no figure."""
    injured = any(v.value > 50 for v in chart.values(ALT))
    present = any(level.value >= 10 for level in chart.levels)
    late = any(p.hours is not None and p.hours > 24 and p.value >= 10 for p in out.plots)
    if (not story.hours or story.spread) and (present or injured):
        return "the time is unknown or spread, with a level of 10 or more or an ALT above 50"
    if late:
        return "the level was drawn more than 24 h after the ingestion"
    usable = [p for p in out.plots if p.hours is None or p.hours >= 4]
    if story.acetaminophen and not usable:
        return "open" if story.outside else "no level was drawn 4 h or more after the ingestion"
    return ""


def _treatment(chart: Chart, out: Treated) -> None:
    if not any(r.get("source") == "emar" or r.get("drug") for r in chart.given.rows):
        out.element = Element(OPEN, "there is no administration record of any drug")
    elif out.given is None:
        out.element = Element(BREACHED, f"acetylcysteine was indicated ({out.indicated}) and never given")
    elif out.given.end is None:
        out.element = Element(OPEN, "the end of acetylcysteine is not recorded")
    else:
        out.liver = _liver(chart, out.given.end)
        faults = _faults(out.given, out.liver)
        told = "; ".join(faults) or "acetylcysteine ended by criteria"
        out.element = Element(BREACHED if faults else MET, told)


def _liver(chart: Chart, end: datetime) -> Liver:
    """Latest values of the 12 h before the end; one drawn after it where those 12 h hold none."""
    out = Liver()
    levels = [(level.time, level.value, level.ref) for level in chart.levels]
    times = [time for time, _, _ in levels]
    if (at := _chosen(times, end)) is not None:
        out.level = levels[at]
    inr, alt = chart.values(INR), chart.values(ALT)
    if (at := _chosen([v.time for v in inr], end)) is not None:
        out.inr = inr[at]
    if (at := _chosen([v.time for v in alt], end)) is not None:
        out.alt, out.preceding = alt[at], alt[at - 1] if at else None
    return out


def _chosen(times: list[datetime], end: datetime) -> int | None:
    before = [n for n, time in enumerate(times) if end - 12 * HOUR <= time <= end]
    after = [n for n, time in enumerate(times) if time > end]
    return before[-1] if before else after[-1] if after else None


def _faults(given: Antidote, liver: Liver) -> list[str]:
    assert given.end
    out = []
    if given.end - given.first < 20 * HOUR:
        out.append(f"acetylcysteine ended {(given.end - given.first) / HOUR:.2f} h after the first dose")
    if liver.level is None or liver.inr is None or liver.alt is None:
        return [*out, "acetaminophen, INR or ALT was not drawn from 12 h before the end"]
    if liver.level[1] >= 10:
        out.append(f"acetaminophen {liver.level[1]} mcg/mL at the end")
    if liver.inr.value >= 2:
        out.append(f"INR {liver.inr.value} at the end")
    falling = liver.preceding is not None and liver.alt.value < liver.preceding.value
    if liver.alt.value > 50 and not falling:
        out.append(f"ALT {liver.alt.value} U/L at the end, above 50 and not falling")
    return out
