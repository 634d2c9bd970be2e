"""Disposition after overdose, decided in the order of RH-TOX-01 section 8."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.overdose_disposition import findings
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.elements import (
    BREACHED,
    CONTESTED,
    OPEN,
    Element,
    Treated,
    acetaminophen,
    level_of_care,
    observation,
    self_harm,
    triggers,
)
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.story import Story, read

_NO_RELEASE = ("DIED", "AGAINST ADVICE", "ACUTE HOSPITAL")


@dataclass
class Reading:
    """What the findings say of one chart."""

    chart: Chart
    story: Story
    one: Element
    least: int
    two: Element
    three: Treated
    four: Element

    @property
    def acute(self) -> bool:
        return bool(self.story.acute)


def look(chart: Chart) -> Reading:
    story = read(chart)
    one, least = observation(chart, story)
    return Reading(
        chart,
        story,
        one,
        least,
        level_of_care(chart, triggers(chart)),
        acetaminophen(chart, story),
        self_harm(chart, story),
    )


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart, story = reading.chart, reading.story
    if not chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.agents(chart, draft, story, reading.acute)
    findings.stay(chart, draft, reading.one, reading.least, reading.two)
    findings.antidote(chart, draft, story, reading.three)
    findings.intent(chart, draft, story)
    findings.psychiatry(chart, draft, story, reading.four)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    one, two, three, four = reading.one, reading.two, reading.three.element, reading.four
    died = bool(reading.chart.admission.get("hospital_expire_flag"))
    if not reading.acute:
        return draft.conclude(Verdict.LACK, "No acute overdose or ingestion in this admission.", Verdict.YES)
    if died or reading.chart.destination in _NO_RELEASE:
        return draft.conclude(
            Verdict.LACK, f"No release decision to judge: {reading.chart.destination.lower()}.", Verdict.NO
        )
    for name, element in (("E2", two), ("E1", one), ("E4", four), ("E3", three)):
        if element.state == BREACHED:
            return draft.conclude(Verdict.NO, f"{name} is breached: {element.why}.")
    for name, element in (("E3", three), ("E4", four)):
        if element.state == CONTESTED:
            return draft.conclude(Verdict.AMBIGUOUS, f"{name} is contested: {element.why}.", Verdict.NO)
    for name, element in (("E1", one), ("E3", three), ("E4", four)):
        if element.state == OPEN:
            draft.reopens = "The record that the element needs."
            return draft.conclude(Verdict.LACK, f"{name} is not evaluable: {element.why}.", Verdict.NO)
    return draft.conclude(Verdict.YES, f"All four elements are met; {one.why}; {three.why}; {four.why}.")


investigate = Investigation(findings.TITLES, gather, look, decide, write)
