"""Precipitant of hepatic encephalopathy, decided in the order of GI-07 section 9."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.he_precipitant import findings
from pytest_clinicare.systems.scripted.investigators.he_precipitant.candidates import Tiers, evaluate
from pytest_clinicare.systems.scripted.investigators.he_precipitant.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.he_precipitant.story import Story, read


@dataclass
class Reading:
    """What the findings say of one chart."""

    chart: Chart
    story: Story
    tiers: Tiers


def look(chart: Chart) -> Reading:
    story = read(chart)
    return Reading(chart, story, evaluate(chart, story))


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart, story, tiers = reading.chart, reading.story, reading.tiers
    if not chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.premise(chart, draft, story)
    findings.fluid(chart, draft, story, tiers)
    findings.infection(chart, draft, tiers)
    findings.bleeding(chart, draft, story, tiers)
    findings.chemistry(chart, draft, tiers)
    findings.soft(chart, draft, story)
    findings.result(chart, draft, story, tiers)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    story, tiers = reading.story, reading.tiers
    if not story.cirrhosis or not story.overt:
        return draft.conclude(Verdict.LACK, "Cirrhosis with overt hepatic encephalopathy is not established.")
    if story.second and story.inseparable:
        return draft.conclude(
            Verdict.AMBIGUOUS, "A second cause of the altered mental state could not be separated from HE.", Verdict.YES
        )
    if tiers.met:
        told = "; ".join(f"{met.name} ({met.why})" for met in tiers.met)
        return draft.conclude(Verdict.YES, f"An objective precipitant is associated with the episode: {told}.")
    if story.ascites and tiers.tap is None:
        draft.reopens = "The cell count of a diagnostic paracentesis inside the window."
        return draft.conclude(
            Verdict.LACK,
            "Ascites without an ascitic-fluid cell count: SBP is neither confirmed nor excluded.",
            Verdict.YES,
        )
    if story.affirmed:
        return draft.conclude(Verdict.YES, f"The summary affirms {' and '.join(story.affirmed)} for this episode.")
    if tiers.bacterascites or story.soft:
        what = "bacterascites" if tiers.bacterascites else f"a contradicted statement on {next(iter(story.soft))}"
        return draft.conclude(Verdict.AMBIGUOUS, f"The only positive finding is {what}.", Verdict.YES)
    if tiers.missing:
        draft.reopens = f"Results inside the window of: {', '.join(tiers.missing)}."
        return draft.conclude(Verdict.LACK, f"The core work-up is incomplete: no {', no '.join(tiers.missing)}.")
    return draft.conclude(Verdict.NO, "The work-up is complete, no candidate is met and no soft cause is documented.")


investigate = Investigation(findings.TITLES, gather, look, decide, write)
