"""Antibiotic de-escalation, decided in the order of ASC-11 section 8."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.abx_deescalation import findings
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.course import Course, current, read
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.need import INDEX_AGENTS
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.reasons import (
    Reason,
    discharge_agents,
    reason,
    therapy_over,
)


@dataclass
class Reading:
    """``course`` is None without a result that starts the clock; ``excuse`` is a documented reason to go on."""

    chart: Chart
    course: Course | None
    excuse: Reason | None


def look(chart: Chart) -> Reading:
    return Reading(chart, read(chart) if chart.index and chart.final else None, reason(chart))


def write(reading: Reading, draft: Draft) -> None:
    """All findings, the last of which is the verdict."""
    chart, course = reading.chart, reading.course
    if not chart.notes.items:
        draft.missing.append("There is no discharge summary.")
    findings.index(chart, draft)
    findings.panel(chart, draft, course)
    findings.agents(chart, draft, course)
    findings.window(chart, draft, course)
    findings.reasons(chart, draft, reading.excuse)
    findings.observed(chart, draft, course)
    done = {Verdict.YES: "yes", Verdict.NO: "no"}.get(draft.verdict, "not settled")
    findings.verdict(chart, draft, done, draft.why)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, course, excuse = reading.chart, reading.course, reading.excuse
    if course is None:
        draft.reopens = "A clinical isolate with a final susceptibility panel."
        return draft.conclude(Verdict.LACK, "No index culture with a final susceptibility result.", Verdict.NO)
    if not _observed_administration(chart):
        draft.reopens = "The administration record of the stay."
        return draft.conclude(
            Verdict.LACK, "No administration row of any drug from collection to T_final + 48 h.", Verdict.YES
        )
    if not course.premise:
        draft.reopens = "A given dose of a broad agent before T_final."
        return draft.conclude(
            Verdict.LACK, "No broad index agent was given between collection and T_final.", Verdict.YES
        )
    if not course.unneeded:
        draft.reopens = "Nothing: the isolate left nothing narrower to use."
        return draft.conclude(
            Verdict.LACK,
            "The panel offers no narrower option for any index agent given: nothing was unneeded.",
            Verdict.NO,
        )
    ended, kind = chart.ends
    if ended < chart.at(48) and current(chart, course) and _unsettled(chart, kind):
        draft.reopens = "What would have been given between the end of observation and T_final + 48 h."
        return draft.conclude(
            Verdict.LACK,
            f"The window closed early by {kind} at {chart.hours(ended):+.1f} h with an unneeded agent still current.",
            Verdict.NO,
        )
    late = ", ".join(dict.fromkeys(d.agent for d in course.late))
    option = ", ".join(course.options[:3]) or "a beta-lactam"
    if course.late and excuse:
        return draft.conclude(
            Verdict.AMBIGUOUS, f"{late} went on past 48 h, and {excuse.text}: whether narrowing was due is judgement.",
            Verdict.NO,
        )  # fmt: skip
    if course.late:
        return draft.conclude(
            Verdict.NO,
            f"{late}, unneeded as {option} was an active narrower option, was given after T_final + 48 h "
            f"({len(course.late)} dose(s) up to 96 h), without a documented reason.",
        )
    if course.follows and all(result in ("I", "R") for result in course.follows.values()):
        told = ", ".join(f"{agent} ({result})" for agent, result in course.follows.items())
        return draft.conclude(
            Verdict.NO,
            f"Broad therapy stopped in time, but what followed is not active: {told}; {option} was reported S.",
        )
    assert course.last is not None
    after = ", ".join(f"{a} ({r})" for a, r in course.follows.items()) or "no antibacterial"
    return draft.conclude(
        Verdict.YES,
        f"The last unneeded dose was given {chart.hours(course.last.time):+.2f} h from T_final, within 48 h; "
        f"{after} followed.",
    )


def _observed_administration(chart: Chart) -> bool:
    limit = chart.at(48)
    times = [str(r.get("charttime") or "") for r in chart.administrations.rows]
    return any(time and time <= limit.strftime("%Y-%m-%d %H:%M:%S") for time in times)


def _unsettled(chart: Chart, kind: str) -> bool:
    """At discharge the list decides; death and comfort care leave the window unobserved."""
    if kind != "discharge":
        return True
    listed, _ = discharge_agents(chart)
    if any(agent in INDEX_AGENTS for agent in listed):
        return True
    return not listed and not therapy_over(chart)


investigate = Investigation(findings.TITLES, gather, look, decide, write)
