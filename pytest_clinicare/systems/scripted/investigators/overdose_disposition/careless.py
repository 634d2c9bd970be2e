"""Four slips of an auditor who knows RH-TOX-01."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.overdose_disposition import findings
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.elements import BREACHED, MET, Element, line
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.investigation import (
    Reading,
    decide,
    look,
    write,
)
from pytest_clinicare.systems.scripted.session import Session, refs

CONSENSUS = "acetaminophen-consensus-2023"


def _begin(session: Session) -> tuple[Reading | None, Draft]:
    draft, reading = Draft(titles=findings.TITLES), look(session)
    if reading is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return None, draft
    decide(reading, draft)
    write(reading, draft)
    return reading, draft


def orders_are_treatment(session: Session) -> Draft:
    """Takes an order of acetylcysteine for its administration."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
    rows = [r for r in reading.chart.prescriptions.rows if "acetylcysteine" in str(r.get("drug")).lower()]
    if rows and reading.three.given is None:
        draft.findings["F6"] = []
        draft.add(
            "F6", "medication", "Acetylcysteine was given.", name="acetylcysteine", value="given", evidence=refs(rows)
        )
        reading.three.element = Element(MET, "acetylcysteine was given")
        decide(reading, draft)
    return draft


def consult_is_evaluation(session: Session) -> Draft:
    """Takes the consult order, or an evaluation of years before, for one of this encounter; praises the outcome."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
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
    return draft


def newer_consensus(session: Session) -> Draft:
    """Asks for an ALT a quarter below its peak, as the consensus of 2023 does."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
    span = session.policy(CONSENSUS, "Stopping")
    draft.add(
        "F7", "status", "The consensus of 2023 governs the end of treatment.", name="consensus", value=CONSENSUS,
        evidence=[str(reading.chart.admission["ref"])], policy=[span],
    )  # fmt: skip
    liver = reading.three.liver
    if liver and liver.alt and liver.alt.value > 50:
        reading.three.element = Element(BREACHED, "ALT has not fallen by a quarter")
        decide(reading, draft)
    return draft


def arrival_is_ingestion(session: Session) -> Draft:
    """Plots a level whose time is unknown at one hour of choice, measures from admission, and forgets the rest."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
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
    return draft


MISTAKES = (orders_are_treatment, consult_is_evaluation, newer_consensus, arrival_is_ingestion)
