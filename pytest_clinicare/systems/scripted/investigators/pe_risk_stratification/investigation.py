"""First treatment of embolism, decided in the order of TH-09 section 9."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification import findings
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.reading import Reading
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.shock import judge
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.treatment import treat


def look(chart: Chart) -> Reading:
    return Reading(chart, judge(chart), treat(chart))


@dataclass(frozen=True)
class _Dark:
    """Whether the administration record is empty where it is needed."""

    all: bool
    ed: bool


def _dark(chart: Chart) -> _Dark:
    since, until = chart.ct_hours(-24, 6)
    times = [(parse_time(r.get("charttime")), r.get("source")) for r in chart.given.rows]
    inside = [(t, source) for t, source in times if t is not None and since <= t <= until]
    stay = chart.ed_stay or {}
    came, went = parse_time(stay.get("intime")), parse_time(stay.get("outtime"))
    overlaps = bool(came and went and came <= until and went >= since)
    charted = any(s == "emar" and came and went and came <= t <= went for t, s in inside)
    return _Dark(not inside, overlaps and not charted)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, shock, treatment = reading.chart, reading.shock, reading.treatment
    if chart.ct is None:
        draft.reopens = "A CT report that confirms acute embolism."
        return draft.conclude(Verdict.LACK, "No final CT report of the admission confirms acute PE.", Verdict.YES)
    dark, dose = _dark(chart), reading.dose
    reperfused = reading.reperfused
    if dark.all or (dark.ed and (dose is None or (shock.high and not reperfused))):
        draft.reopens = "The administration record of the first hours."
        told = "No administration of any kind" if dark.all else "No administration of the ED stay"
        return draft.conclude(Verdict.LACK, f"{told} is recorded from T_CT - 24 h to T_CT + 6 h.", Verdict.YES)
    if not shock.pressures:
        draft.reopens = "A systolic pressure from T_CT - 12 h to T_CT + 24 h."
        return draft.conclude(Verdict.LACK, "No systolic pressure is recorded around the CT.", Verdict.YES)
    early = reading.treatment.first(*chart.ct_hours(-24, 6))
    if chart.ct.single and early is None and treatment.doubt:
        told = "A single subsegmental defect was left untreated with its significance in doubt."
        return draft.conclude(Verdict.AMBIGUOUS, told, Verdict.NO)
    spared = bool(treatment.spared)
    if shock.criterion and shock.cause == "undecided" and dose and not reperfused and not spared and not reading.early:
        told = "The cause of shock is undecided between PE and another process; heparin alone was given."
        return draft.conclude(Verdict.AMBIGUOUS, told, Verdict.NO)
    if shock.high:
        return _high(reading, draft)
    if reading.systemic:
        time = reading.systemic[0][0]
        return draft.conclude(Verdict.NO, f"Systemic thrombolysis at {iso(time)} although not high-risk.")
    if treatment.contraindication and early is None and reading.filter_in_time:
        return draft.conclude(Verdict.YES, "Anticoagulation was contraindicated and a filter placed by T_CT + 48 h.")
    if early is None:
        return draft.conclude(Verdict.NO, "Not high-risk, and no treatment dose from T_CT - 24 h to T_CT + 6 h.")
    return draft.conclude(
        Verdict.YES, f"Not high-risk; {early.agent} {early.told} at {iso(early.time)} and no systemic thrombolysis."
    )


def _high(reading: Reading, draft: Draft) -> None:
    assert reading.shock.onset
    covered = reading.dose is not None or bool(reading.treatment.contraindication)
    reperfused = reading.reperfused or bool(reading.treatment.spared)
    at = iso(reading.shock.onset)
    if covered and reperfused:
        return draft.conclude(Verdict.YES, f"High-risk from {at}, anticoagulated and reperfused in time.")
    missing = [name for name, done in (("anticoagulant", covered), ("reperfusion", reperfused)) if not done]
    return draft.conclude(Verdict.NO, f"High-risk from {at} without timely {' and '.join(missing)}.")


investigate = Investigation(findings.TITLES, gather, look, decide, findings.write)
