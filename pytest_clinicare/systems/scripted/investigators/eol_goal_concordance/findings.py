"""The findings F1 to F9 of a goals-of-care report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, Finding
from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance.chart import HOUR, NAMES, Chart, Spell

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance.investigation import Reading

LOCAL = "refhosp-goals-of-care-concordance"
AMA = "ama-eol-opinions"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "End of the admission",
    "F2": "Code-status orders",
    "F3": "Charted code status",
    "F4": "Goals in the summary",
    "F5": "Level in force",
    "F6": "Intubation and ventilation",
    "F7": "Vasopressors and inotropes",
    "F8": "Renal replacement and resuscitation",
    "F9": "Intervals",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart = reading.chart
    if not chart.summary.items:
        draft.missing.append("There is no discharge summary of the admission.")
    policy = chart.session.policy
    _end(chart, draft.finding("F1", policy(LOCAL, "1 Scope")))
    _rows(chart, draft.finding("F2", policy(LOCAL, "3.1 Sources")), ordered=True)
    _rows(chart, draft.finding("F3", policy(LOCAL, "3.1 Sources")), ordered=False)
    _summary(chart, draft.finding("F4", policy(LOCAL, "6 Conflicting"), policy(AUDIT, "2.5 Notes")))
    _force(chart, draft.finding("F5", policy(LOCAL, "2 Goal levels"), policy(LOCAL, "3.2 Time"), policy(AMA, "4.1")))
    starts = policy(LOCAL, "4.2 What counts as a start")
    tube = ("intubation", "extubation", "invasive ventilation", "non-invasive ventilation")
    _spells(chart, draft.finding("F6", starts), [s for s in chart.spells if s.kind in tube], "ventilation")
    drips = [s for s in chart.spells if s.kind.startswith("infusion")]
    _spells(chart, draft.finding("F7", starts), drips, "vasopressor or inotrope")
    others = [*(s for s in chart.spells if s.kind == "renal replacement"), *chart.resuscitations]
    out = draft.finding("F8", policy(LOCAL, "4.1 What counts as given"))
    _spells(chart, out, others, "renal replacement or resuscitation")
    _intervals(reading, draft, draft.finding("F9", policy(LOCAL, "4.3 Continuation"), policy(LOCAL, "7 Result")))


def _end(chart: Chart, out: Finding) -> None:
    how = "death" if chart.died else "discharge to hospice" if chart.hospice else "another discharge"
    out.claim(
        "encounter", f"The admission ended in {how} at {iso(chart.end)}.", [str(chart.admission["ref"])],
        name="end of admission", value=how, time=iso(chart.end),
    )  # fmt: skip


def _rows(chart: Chart, out: Finding, *, ordered: bool) -> None:
    """Orders, or charted values: the first row of each run of one level."""
    goals = [g for g in chart.goals if g.ordered is ordered]
    what = "code-status order" if ordered else "charted code status"
    if not goals:
        out.absence(f"No {what} is recorded in the admission.", chart.codes.evidence[:4], what)
        return
    for number, goal in enumerate(goals):
        level = NAMES.get(goal.level, "no value")
        if ordered:
            later = goals[number + 1] if number + 1 < len(goals) else None
            ended = (
                f"ended by the {later.transaction} row of {iso(later.time)}" if later else "not ended by a later row"
            )
            out.claim(
                "order", f"Code-status order ({goal.transaction}) at {iso(goal.time)}: {level}; {ended}.", [goal.ref],
                name="code status order", value=level, time=iso(goal.time),
            )  # fmt: skip
        elif number == 0 or goals[number - 1].level != goal.level:
            out.status(f"Charted from {iso(goal.time)}: {level}.", [goal.ref], "charted code status", level)


def _summary(chart: Chart, out: Finding) -> None:
    if not chart.summary.items:
        out.absence("There is no discharge summary to speak of goals.", chart.summary.evidence, "summary on goals")
        return
    for told in chart.told:
        out.status(f'The summary: "{told.text}"', [told.ref], "summary on goals", NAMES[told.level])
    for found, what in ((chart.wavering, "disagreement"), (chart.reasons, "reason for delay")):
        for sentence, ref in found:
            out.status(f'{what.capitalize()} in the summary: "{sentence.text}"', [ref], what, "stated")
    if not chart.told and not chart.wavering and not chart.reasons:
        out.absence(
            "The discharge summary was read; it states no goal, reversal, delay or disagreement.",
            [n.ref for n in chart.summary.items], "summary on goals",
        )  # fmt: skip
    elif not chart.wavering and not chart.reasons:
        out.absence(
            "The summary states no delay and no disagreement.", [n.ref for n in chart.summary.items], "disagreement"
        )


def _force(chart: Chart, out: Finding) -> None:
    known = [g for g in chart.goals if g.level]
    if not known:
        if chart.told:
            out.status(
                f"Level from text only: {NAMES[chart.told[0].level]}, no clock time.", [chart.told[0].ref],
                "goal level", NAMES[chart.told[0].level],
            )  # fmt: skip
        else:
            out.absence(
                "No goal is documented: no order, no charted code status and no statement.",
                [*chart.codes.evidence[:2], *(n.ref for n in chart.summary.items)], "goal level",
            )  # fmt: skip
        return
    before = ""
    for goal in known:
        level, source = chart.level_at(goal.time + HOUR / 3600)
        if source is goal and level != before:
            out.claim(
                "status", f"Level in force from {iso(goal.time)}: {NAMES[level]}.", [goal.ref], name="goal level",
                value=NAMES[level], time=iso(goal.time),
            )  # fmt: skip
            before = level
    if before == "L0" and all(g.level == "L0" for g in known):
        out.status("No limit was in force at any time.", [known[0].ref], "goal level", "no limit")


def _spells(chart: Chart, out: Finding, spells: list[Spell], what: str) -> None:
    if not spells:
        looked = [*chart.procedures.evidence[:3], *chart.infusions.evidence[:3]]
        out.absence(f"No {what} is recorded in the admission.", looked, what)
        return
    for spell in spells:
        level, goal = chart.level_at(spell.start)
        since = f", {(spell.start - goal.time) / HOUR:+.1f} h from the goal time" if goal and level != "L0" else ""
        out.claim(
            "measurement", f"Start of {spell.kind} at {iso(spell.start)}, until {iso(spell.stop)}, under "
            f"{NAMES[level]}{since}.", [spell.rows[0], *spell.rows[-1:]], name=f"start of {spell.kind}",
            value=iso(spell.start), time=iso(spell.start),
        )  # fmt: skip


def _intervals(reading: Reading, draft: Draft, out: Finding) -> None:
    chart, comfort = reading.chart, reading.chart.comfort
    admission = str(chart.admission["ref"])
    if comfort:
        running = [
            s
            for s in chart.spells
            if s.start < comfort.time < s.stop and s.kind not in ("intubation", "extubation", "arrest")
        ]
        for spell in running:
            out.claim(
                "comparison", f"{spell.kind.capitalize()} ended {(spell.stop - comfort.time) / HOUR:.2f} h after the "
                f"goal time of comfort measures only (limit 12 h).", [comfort.ref, spell.rows[-1]],
                name="interval to end of treatment", value=round((spell.stop - comfort.time) / HOUR, 2), unit="h",
            )  # fmt: skip
        out.claim(
            "comparison", f"The end came {(chart.end - comfort.time) / HOUR:.2f} h after the goal time.",
            [comfort.ref, admission], name="interval to the end", value=round((chart.end - comfort.time) / HOUR, 2),
            unit="h",
        )  # fmt: skip
    events = [*reading.discordant, *reading.running, *(e for e, _ in reading.covered), *reading.unread]
    for event in events:
        out.claim(
            "comparison", f"Decisive event: {event.spell.kind} at {iso(event.spell.start)}, "
            f"{(event.spell.start - event.goal.time) / HOUR:+.2f} h from the goal time of {NAMES[event.level]}.",
            [event.goal.ref, *event.spell.rows[:2]], name="decisive event", value=event.spell.kind,
            time=iso(event.spell.start),
        )  # fmt: skip
    for event, conflict in reading.covered:
        out.claim(
            "conflict", "A goal less limiting than the order in force within the 12 h before.", conflict,
            name="conflicting goal", value=event.spell.kind,
        )  # fmt: skip
    if not events:
        known = any(g.level for g in chart.goals)
        level = chart.level_at(chart.end)[0]
        told = (
            "no goal with a clock time exists" if not known
            else "no limit was in force" if level == "L0"
            else "no restricted treatment was found after the goal time"
        )  # fmt: skip
        out.absence(f"No interval decides: {told}.", [admission, *chart.codes.evidence[:2]], "interval")
    out.claim("comparison", draft.why, [admission], name="result", value=draft.verdict.value)
