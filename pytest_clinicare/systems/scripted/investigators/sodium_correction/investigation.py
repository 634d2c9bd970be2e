"""Sodium over-correction, decided in the order of RH-NEPH-07 section 9."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.sodium_correction import findings
from pytest_clinicare.systems.scripted.investigators.sodium_correction.chart import (
    HOUR,
    Chart,
    Pair,
    corrected,
    gather,
    largest,
    pairs,
)
from pytest_clinicare.systems.scripted.investigators.sodium_correction.risk import (
    Factor,
    Gap,
    acute,
    factors,
    gaps,
    risk_of,
)


@dataclass
class Reading:
    """What the findings say of one chart; empty beyond the chart without an index value."""

    chart: Chart
    factors: list[Factor] = field(default_factory=list)
    risk: str = "normal"
    acute: tuple[str, tuple[str, ...]] | None = None
    rise24: Pair | None = None
    rise48: Pair | None = None
    gaps: list[Gap] = field(default_factory=list)

    @property
    def limit(self) -> int:
        """For rise24; unresolved risk is taken as high."""
        return 10 if self.risk == "normal" else 8


def look(chart: Chart) -> Reading:
    reading = Reading(chart)
    if chart.index is not None:
        reading.factors = factors(chart)
        reading.risk = risk_of(reading.factors)
        reading.acute = acute(chart)
        reading.rise24 = largest(list(pairs(chart.values, 24)))
        reading.rise48 = largest(list(pairs(chart.values, 48)))
        reading.gaps = gaps(chart)
    return reading


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    chart = reading.chart
    if not chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.index(chart, draft)
    findings.values(chart, draft)
    findings.rises(chart, draft, reading.rise24, reading.rise48)
    findings.risk(chart, draft, reading.factors, reading.risk, reading.limit)
    findings.duration(chart, draft, reading.acute)
    findings.glucose(chart, draft, reading.rise24)
    findings.sampling(chart, draft, reading.gaps)
    findings.treatment(chart, draft)


def passing(reading: Reading) -> list[Pair]:
    """Pairs that pass the limit for the patient's risk as measured."""
    values = reading.chart.values
    return [p for p in pairs(values, 24) if p.rise > reading.limit] + [p for p in pairs(values, 48) if p.rise > 18]


def explained_by_glucose(reading: Reading) -> bool:
    """A passing pair began with a glucose of 300 or more, and no pair passes after correction."""
    chart = reading.chart
    starts = [chart.glucose_at(p.first.time) for p in passing(reading)]
    if not any(g is not None and g.value >= 300 for g in starts):
        return False
    day = [corrected(chart, p).rise for p in pairs(chart.values, 24)]
    two = [corrected(chart, p).rise for p in pairs(chart.values, 48)]
    return not any(rise > reading.limit for rise in day) and not any(rise > 18 for rise in two)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, day, two = reading.chart, reading.rise24, reading.rise48
    if chart.index is None:
        draft.reopens = "A laboratory serum sodium of 120 mmol/L or less."
        return draft.conclude(Verdict.LACK, "No valid serum sodium of 120 mmol/L or less in the encounter.", Verdict.NO)
    if not [v for v in chart.values[1:] if v.time - chart.index.time <= 24 * HOUR]:
        draft.reopens = "A serum sodium of the first 24 h."
        return draft.conclude(Verdict.LACK, "No valid serum sodium in the 24 h after the index.", Verdict.NO)
    over = passing(reading)
    if over and reading.acute:
        return draft.conclude(
            Verdict.AMBIGUOUS, f"A limit is passed, but the hyponatremia was acute: {reading.acute[0]}.", Verdict.YES
        )
    if over and explained_by_glucose(reading):
        return draft.conclude(
            Verdict.AMBIGUOUS, "A limit is passed as measured and by no pair after correction for glucose.", Verdict.NO
        )
    if day and day.rise > 10:
        return draft.conclude(Verdict.YES, f"Rise24 is above 10 mmol/L: {day.told}.")
    if two and two.rise > 18:
        return draft.conclude(Verdict.YES, f"Rise48 is above 18 mmol/L: {two.told}.")
    if day and day.rise > 8 and reading.risk == "high":
        return draft.conclude(Verdict.YES, f"Rise24 is above 8 mmol/L at high risk: {day.told}.")
    if day and day.rise > 8 and reading.risk == "unresolved":
        return draft.conclude(
            Verdict.AMBIGUOUS, f"Rise24 is above 8 mmol/L and the risk is unresolved: {day.told}.", Verdict.YES
        )
    long = [g for g in reading.gaps if g.too_long]
    if long:
        draft.reopens = "A sodium value inside the gap."
        return draft.conclude(
            Verdict.LACK, f"No limit is seen to be passed, but {long[0].hours:.2f} h lie without a value.", Verdict.NO
        )
    return draft.conclude(Verdict.NO, f"No limit is passed ({reading.risk} risk) and sampling is adequate.")


investigate = Investigation(findings.TITLES, gather, look, decide, write)
