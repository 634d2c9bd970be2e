"""Four slips of an auditor who knows RH-TOX-01."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.elements import BREACHED, MET, Element, line
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.investigation import (
    Reading,
    decide,
    investigate,
)
from pytest_clinicare.systems.scripted.session import refs

CONSENSUS = "acetaminophen-consensus-2023"


@investigate.slip
def orders_are_treatment(reading: Reading, draft: Draft) -> None:
    """Takes an order of acetylcysteine for its administration."""
    rows = [r for r in reading.chart.prescriptions.rows if "acetylcysteine" in str(r.get("drug")).lower()]
    if rows and reading.three.given is None:
        draft.findings["F6"] = []
        draft.add(
            "F6", "medication", "Acetylcysteine was given.", name="acetylcysteine", value="given", evidence=refs(rows)
        )
        reading.three.element = Element(MET, "acetylcysteine was given")
        decide(reading, draft)


@investigate.slip
def consult_is_evaluation(reading: Reading, draft: Draft) -> None:
    """Takes the consult order, or an evaluation of years before, for one of this encounter; praises the outcome."""
    orders = [r for r in reading.chart.orders.rows if str(r.get("order_subtype")) == "Psychiatry"]
    if orders and not reading.story.evaluated:
        draft.findings["F9"] = []
        draft.add(
            "F9", "status", "Psychiatry evaluated the patient.", name="psychiatric evaluation", value="documented",
            evidence=refs(orders),
        )  # fmt: skip
        draft.add(
            "F10", "status", "The patient did well, a good outcome.", name="outcome", value="good",
            evidence=[str(reading.chart.admission["ref"])],
        )  # fmt: skip
        reading.four = Element(MET, "psychiatry was consulted")
        decide(reading, draft)


@investigate.slip
def newer_consensus(reading: Reading, draft: Draft) -> None:
    """Asks for an ALT a quarter below its peak, as the consensus of 2023 does."""
    span = reading.chart.session.policy(CONSENSUS, "Stopping")
    draft.add(
        "F7", "status", "The consensus of 2023 governs the end of treatment.", name="consensus", value=CONSENSUS,
        evidence=[str(reading.chart.admission["ref"])], policy=[span],
    )  # fmt: skip
    liver = reading.three.liver
    if liver and liver.alt and liver.alt.value > 50:
        reading.three.element = Element(BREACHED, "ALT has not fallen by a quarter")
        decide(reading, draft)


@investigate.slip
def arrival_is_ingestion(reading: Reading, draft: Draft) -> None:
    """Plots a level whose time is unknown at one hour of choice, measures from admission, and forgets the rest."""
    chart, story = reading.chart, reading.story
    for finding in ("F3", "F5", "F6", "F7", "F8"):
        draft.findings[finding] = []
    for level in chart.levels[:1]:
        if len(set(story.hours)) != 1 and level.value >= 10:
            hours = reading.three.plots[0].hours or Decimal(4)
            limit = line(hours)
            draft.add(
                "F5", "computation", f"Level {level.value} against the line of {limit:.0f}.", name="level",
                value=float(level.value), evidence=[level.ref],
            )  # fmt: skip
            below = float(level.value) < limit
            reading.three.element = replace(reading.three.element, state=MET if below else BREACHED)
            decide(reading, draft)


MISTAKES = (orders_are_treatment, consult_is_evaluation, newer_consensus, arrival_is_ingestion)
