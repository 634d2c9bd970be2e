"""Concordance of care at the end of life with documented goals, as EPC-003 directs."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance import findings
from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance.chart import (
    HOUR,
    NAMES,
    Chart,
    Goal,
    Spell,
    gather,
)

LIMIT = 12 * HOUR


@dataclass(frozen=True)
class Event:
    """A treatment that the level in force restricts, and that level."""

    spell: Spell
    level: str
    goal: Goal


@dataclass
class Reading:
    """Restricted starts and long continuations; those that a conflict or an unread purpose covers stand apart."""

    chart: Chart
    discordant: list[Event] = field(default_factory=list)
    running: list[Event] = field(default_factory=list)
    covered: list[tuple[Event, list[str]]] = field(default_factory=list)
    unread: list[Event] = field(default_factory=list)
    unordered: list[tuple[Spell, str]] = field(default_factory=list)


def restricted(spell: Spell, level: str) -> bool:
    """Whether a level restricts the start of a treatment (section 4)."""
    if spell.kind in ("resuscitation", "defibrillation"):
        return level in ("L1", "L2", "L3")
    if spell.kind == "intubation":
        return level in ("L2", "L3", "DNI")
    return level == "L3" and (spell.kind.startswith("infusion") or spell.kind == "renal replacement")


def read(chart: Chart) -> Reading:
    reading = Reading(chart)
    starts = [*(s for s in chart.spells if s.kind not in ("arrest", "defibrillation")), *chart.resuscitations]
    if not any(g.level for g in chart.goals):
        for told in chart.told:
            for spell in starts:
                _by_text(reading, spell, told.level, told.day)
        return reading
    for spell in starts:
        level, goal = chart.level_at(spell.start)
        if goal is None:
            continue
        event = Event(spell, level, goal)
        if spell.kind == "non-invasive ventilation" and level == "L3" and not chart.mask_purpose:
            reading.unread.append(event)
        elif restricted(spell, level):
            conflict = chart.conflict(spell.start)
            if conflict:
                reading.covered.append((event, conflict))
            else:
                reading.discordant.append(event)
    comfort = chart.comfort
    if comfort is not None and not chart.reasons:
        for spell in chart.spells:
            sustained = spell.kind.startswith("infusion") or spell.kind in ("invasive ventilation", "renal replacement")
            if sustained and spell.start < comfort.time and spell.stop - comfort.time > LIMIT:
                reading.running.append(Event(spell, "L3", comfort))
    return reading


def _by_text(reading: Reading, spell: Spell, level: str, day: object) -> None:
    """A goal that the summary alone gives: the order in time is known only on different dates."""
    if not restricted(spell, level):
        return
    when = getattr(day, "date", lambda: None)()
    if when is None or spell.start.date() == when:
        reading.unordered.append((spell, level))
    elif spell.start.date() > when:
        reading.discordant.append(Event(spell, level, Goal(spell.start, level, False, "", spell.rows[0])))


def decide(reading: Reading, draft: Draft) -> None:
    """Steps 1 to 8 of EPC-003 section 7."""
    chart = reading.chart
    if not chart.died and not chart.hospice:
        return draft.conclude(Verdict.LACK, "The admission ended neither in death nor in discharge to hospice.")
    if not any(g.level for g in chart.goals) and not chart.told:
        draft.reopens = "A code-status order with its value, a charted code status, or a statement of goals."
        return draft.conclude(Verdict.LACK, "No goal is documented in any source; a code is none.")
    if reading.discordant:
        event = reading.discordant[0]
        hours = (event.spell.start - event.goal.time) / HOUR
        return draft.conclude(
            Verdict.NO,
            f"{event.spell.kind.capitalize()} at {iso(event.spell.start)} under {NAMES[event.level]}, in force since "
            f"{iso(event.goal.time)} ({hours:.1f} h before), without reversal or conflict.",
        )
    if reading.running:
        event = reading.running[0]
        hours = (event.spell.stop - event.goal.time) / HOUR
        return draft.conclude(
            Verdict.NO,
            f"{event.spell.kind.capitalize()} ran {hours:.1f} h after comfort measures only, and no reason is stated.",
        )
    if chart.withheld and chart.level_at(chart.end)[0] == "L0":
        return draft.conclude(Verdict.NO, "An indicated treatment was withheld with full treatment in force.")
    if reading.unordered:
        spell, level = reading.unordered[0]
        draft.reopens = "A clock time of the goal."
        return draft.conclude(
            Verdict.LACK,
            f"{NAMES[level]} is known from the summary alone, without a clock time, and {spell.kind} came on the same "
            f"date ({iso(spell.start)}): which was first cannot be told.",
            Verdict.YES,
        )
    if reading.covered:
        event, _ = reading.covered[0]
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"{event.spell.kind.capitalize()} at {iso(event.spell.start)} under {NAMES[event.level]} falls under "
            f"conflicting goal evidence of the 12 h before.",
            Verdict.NO,
        )
    if reading.unread:
        return draft.conclude(
            Verdict.AMBIGUOUS,
            "Non-invasive ventilation was started under comfort measures only, and no purpose is stated.",
            Verdict.NO,
        )
    return draft.conclude(
        Verdict.YES, "No restricted treatment was started under a limit, and none ran on beyond the limit of 12 h."
    )


investigate = Investigation(findings.TITLES, gather, read, decide, findings.write)
