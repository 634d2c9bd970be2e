"""CURB-65 at presentation, decided in the order of RQ-05 section 8."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65 import findings
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.items import MISSING, UNDECIDED, Items, score
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.pneumonia import Pneumonia, establish


@dataclass
class Reading:
    """What the findings say of one chart."""

    chart: Chart
    pneumonia: Pneumonia
    items: Items


def look(chart: Chart) -> Reading:
    return Reading(chart, establish(chart), score(chart))


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.pneumonia(reading.chart, draft, reading.pneumonia)
    findings.arrival(reading.chart, draft)
    findings.values(reading.chart, draft, reading.items)
    findings.score(reading.chart, draft, reading.items, due=reading.pneumonia.status == "community")
    findings.setting(reading.chart, draft)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    items, status = reading.items, reading.pneumonia.status
    lean = Verdict.YES if items.least >= 3 else Verdict.NO
    if status == "transfer":
        draft.reopens = "The record of the hospital where the patient presented."
        return draft.conclude(Verdict.LACK, "The patient came by transfer; presentation data lie elsewhere.", lean)
    if status == "hospital":
        return draft.conclude(Verdict.LACK, "The pneumonia was first evident more than 48 h after T0.", lean)
    if status == "open":
        told = "The summary leaves the opacity between pneumonia and a non-infectious process; both were treated."
        return draft.conclude(Verdict.AMBIGUOUS, told, lean)
    if status == "unestablished":
        told = "No compatible imaging in the window, or pneumonia is not a treated diagnosis."
        return draft.conclude(Verdict.LACK, told, lean)
    unknown = items.open(MISSING, UNDECIDED)
    if unknown == ["confusion"] and items.open(UNDECIDED) and items.least == 2:
        draft.reopens = "A statement on the patient's usual mental state."
        told = "The other four items total 2, and whether confusion is new cannot be told."
        return draft.conclude(Verdict.AMBIGUOUS, told, lean)
    if items.least >= 3:
        return draft.conclude(Verdict.YES, f"CURB-65 is at least {items.least}{_range(items)}.")
    if items.most <= 2:
        return draft.conclude(Verdict.NO, f"CURB-65 is at most {items.most}{_range(items)}.")
    draft.reopens = f"The missing item: {', '.join(unknown)}."
    told = f"CURB-65 lies between {items.least} and {items.most}: {', '.join(unknown)} could raise it to 3."
    return draft.conclude(Verdict.LACK, told, lean)


def _range(items: Items) -> str:
    return "" if items.least == items.most else f" (between {items.least} and {items.most})"


investigate = Investigation(findings.TITLES, gather, look, decide, write)
