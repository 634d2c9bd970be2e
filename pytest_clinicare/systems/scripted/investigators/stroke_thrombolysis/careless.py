"""Slips of an auditor who knows NEU-01."""

from __future__ import annotations

from collections.abc import Callable

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis import findings
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.chart import gather
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.investigation import Reading, decide, look
from pytest_clinicare.systems.scripted.session import Session, refs


def _begin(session: Session) -> tuple[Reading | None, Draft]:
    draft = Draft(titles=findings.TITLES)
    chart = gather(session)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return None, draft
    reading = look(chart)
    decide(reading, draft)
    findings.write(reading, draft)
    if reading.door is not None and reading.door > 60:
        draft.add("F4", "status", f"Door-to-needle {reading.door} min is a fault.", name="door-to-needle",
                  value="too long", evidence=[str(chart.ed["ref"])])  # fmt: skip
        draft.conclude(Verdict.NO, "Door-to-needle exceeded 60 min.")
    return reading, draft


def found_is_onset(session: Session) -> Draft:
    """Starts the clock at discovery or waking; takes a later pressure for the one before the needle."""
    reading, draft = _begin(session)
    said = next((s for s in reading.onset.statements if s.found), None) if reading else None
    if said and said.found:
        draft.findings.pop("F1", None)
        draft.add("F1", "index_time", f"Last-known-well {iso(said.found)}.", name="last-known-well",
                  value=iso(said.found), time=iso(said.found), evidence=[said.ref])  # fmt: skip
    return draft


def later_pressure(session: Session) -> Draft:
    """Takes the pressure after the needle."""
    reading, draft = _begin(session)
    needle = reading.needle if reading else None
    after = [p for p in reading.pressures if needle and p.systolic.time > needle] if reading else []
    if after:
        draft.findings.pop("F5", None)
        draft.add("F5", "measurement", f"Blood pressure for eligibility {after[0].told}.", name="blood pressure",
                  value=after[0].told, time=iso(after[0].systolic.time), evidence=[after[0].systolic.ref])  # fmt: skip
        if draft.why.startswith("Alteplase was given with a fault: last pressure"):
            draft.conclude(Verdict.YES, "The pressure was within the limit.")
    return draft


def ordered_is_given(session: Session) -> Draft:
    """Takes an order for a dose, and any reason for a good one."""
    reading, draft = _begin(session)
    if reading is None or reading.alteplase.rows:
        return draft
    orders = [r for r in reading.chart.orders.rows if str(r.get("drug")).lower().startswith("alteplase")]
    if orders:
        draft.add("F3", "medication", "Thrombolysis with alteplase was given.", name="thrombolysis", value="given",
                  evidence=refs(orders))  # fmt: skip
        draft.conclude(Verdict.YES, "Alteplase was given.")
    refused = [r for r in reading.reasons if not r.accepted]
    if refused and draft.verdict is Verdict.NO:
        draft.findings.pop("F8", None)
        draft.add("F8", "status", f'Reason for withholding: "{refused[0].told}"', name="reason for withholding",
                  value="accepted", evidence=[refused[0].ref])  # fmt: skip
        draft.conclude(Verdict.YES, "A reason is documented.")
    return draft


MISTAKES: tuple[Callable[[Session], Draft], ...] = (found_is_onset, later_pressure, ordered_is_given)
