"""DKA resolution, decided in the order of RH-ENDO-02 section 8."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.dka_resolution import findings
from pytest_clinicare.systems.scripted.investigators.dka_resolution.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.dka_resolution.episode import (
    MET,
    UNKNOWN,
    AtStop,
    Start,
    at_stop,
    beginning,
)


@dataclass
class Reading:
    """What the findings say of one chart; ``values`` is None without a T_stop."""

    chart: Chart
    start: Start
    values: AtStop | None


def look(chart: Chart) -> Reading:
    return Reading(chart, beginning(chart), at_stop(chart, chart.stop) if chart.stop else None)


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart = reading.chart
    if not chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.infusion(chart, draft)
    findings.beginning(chart, draft, reading.start)
    findings.values(chart, draft, reading.values)
    findings.edition(chart, draft)
    findings.injections(chart, draft)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    start, values, chart = reading.start, reading.values, reading.chart
    if values is None or chart.stop is None:
        draft.reopens = "An administration record of a continuous insulin infusion with its end."
        return draft.conclude(Verdict.LACK, f"There is no T_stop: {chart.undetermined}.", Verdict.NO)
    if start.missing:
        draft.reopens = "A positive ketone test or a lower bicarbonate or pH of the first 24 h."
        told = "; ".join(start.missing)
        return draft.conclude(Verdict.LACK, f"Ketoacidosis is not established in the first 24 h: {told}.", Verdict.YES)
    if start.euglycemic:
        return draft.conclude(
            Verdict.AMBIGUOUS, "No glucose above 250 mg/dL in the first 24 h: the 2009 edition has no row for it.",
            Verdict.YES,
        )  # fmt: skip
    told = ", ".join(f"{name} {state}" for name, state in values.criteria.items())
    at = iso(chart.stop)
    if values.glucose is not None and values.glucose.value >= 200:
        return draft.conclude(
            Verdict.NO, f"The latest glucose before the stop at {at} is {values.glucose.value} mg/dL, 200 or more."
        )
    if values.glucose is not None and values.other_acidosis:
        return draft.conclude(
            Verdict.AMBIGUOUS, f"Glucose is below 200 and {told}: {values.other_acidosis}, not readable.", Verdict.NO
        )
    met, unknown = values.count(MET), values.count(UNKNOWN)
    if met + unknown < 2:
        return draft.conclude(Verdict.NO, f"At the stop ({at}) {told}: fewer than two can be met.")
    if values.glucose is None or met < 2:
        draft.reopens = "A chemistry, a gas or a glucose drawn in the 6 h before the stop."
        missing = "no glucose, " if values.glucose is None else ""
        return draft.conclude(Verdict.LACK, f"In the 6 h before the stop ({at}) {missing}{told}.", Verdict.NO)
    return draft.conclude(
        Verdict.YES, f"At the stop ({at}) glucose was {values.glucose.value} mg/dL and {told}: two of three suffice."
    )


investigate = Investigation(findings.TITLES, gather, look, decide, write)
