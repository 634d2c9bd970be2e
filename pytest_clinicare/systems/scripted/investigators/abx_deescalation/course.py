"""The therapy of one chart against its window: last doses, what was unneeded, what followed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.need import (
    activity,
    index_agent,
    options,
    unneeded,
)
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.reasons import discharge_agents


@dataclass
class Course:
    """``agents`` are index agents with their doses from collection to T_final + 96 h, ``others`` the rest given."""

    agents: dict[str, list[Dose]] = field(default_factory=dict)
    others: dict[str, list[Dose]] = field(default_factory=dict)
    premise: bool = False
    options: list[str] = field(default_factory=list)
    unneeded: list[str] = field(default_factory=list)
    late: list[Dose] = field(default_factory=list)
    last: Dose | None = None
    follows: dict[str, str] = field(default_factory=dict)
    from_list: tuple[str, ...] = ()


def read(chart: Chart) -> Course:
    """Raises AssertionError without an index culture and its final result."""
    assert chart.index is not None
    assert chart.final is not None
    course, end = Course(), min(chart.at(96), chart.left)
    for dose in chart.doses:
        if chart.index.collected <= dose.time <= end:
            (course.agents if index_agent(dose) else course.others).setdefault(dose.agent, []).append(dose)
    course.premise = any(d.time <= chart.final for doses in course.agents.values() for d in doses)
    urine = chart.index.urine
    offered = [set(options(i, urine)) for i in chart.isolates]
    common = set.intersection(*offered) if offered else set()
    course.options = [o for o in options(chart.isolates[0], urine) if o in common]
    course.unneeded = [a for a in course.agents if unneeded(a, chart.isolates, urine)]
    spent = [d for a in course.unneeded for d in course.agents[a]]
    course.last = max(spent, key=lambda d: d.time, default=None)
    course.late = [d for d in spent if d.time > chart.at(48)]
    _follows(chart, course, end)
    return course


def _follows(chart: Chart, course: Course, end: datetime) -> None:
    """What continues after the last unneeded dose, in hospital or on the discharge list (5)."""
    after = course.last.time if course.last else chart.at(0)
    given = [
        agent
        for agent, doses in {**course.others, **course.agents}.items()
        if agent not in course.unneeded and any(after < d.time <= end for d in doses)
    ]
    if chart.left < chart.at(96) and not chart.died:
        agents, _ = discharge_agents(chart)
        course.from_list = agents
        given += [a for a in agents if a not in given]
    course.follows = {agent: activity(agent, chart.isolates) for agent in given}


def current(chart: Chart, course: Course) -> list[Dose]:
    """Last doses of unneeded agents that lie in the last 24 h observed."""
    ended, _ = chart.ends
    lasts = [course.agents[a][-1] for a in course.unneeded]
    return [d for d in lasts if ended - 24 * HOUR <= d.time <= ended]
