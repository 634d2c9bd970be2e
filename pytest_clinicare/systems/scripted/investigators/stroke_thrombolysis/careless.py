"""Slips of an auditor who knows NEU-01; all fault what is no criterion, the door-to-needle time."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import refs


def faults_the_hour(reading: Reading, draft: Draft) -> None:
    """Takes a door-to-needle time above 60 min for a fault."""
    if reading.door is not None and reading.door > 60:
        draft.add("F4", "status", f"Door-to-needle {reading.door} min is a fault.", name="door-to-needle",
                  value="too long", evidence=[str(reading.chart.ed["ref"])])  # fmt: skip
        draft.conclude(Verdict.NO, "Door-to-needle exceeded 60 min.")


def found_is_onset(reading: Reading, draft: Draft) -> None:
    """Starts the clock at discovery or waking."""
    said = next((s for s in reading.onset.statements if s.found), None)
    if said and said.found:
        draft.findings.pop("F1", None)
        draft.add("F1", "index_time", f"Last-known-well {iso(said.found)}.", name="last-known-well",
                  value=iso(said.found), time=iso(said.found), evidence=[said.ref])  # fmt: skip


def later_pressure(reading: Reading, draft: Draft) -> None:
    """Takes the pressure after the needle."""
    needle = reading.needle
    after = [p for p in reading.pressures if needle and p.systolic.time > needle]
    if after:
        draft.findings.pop("F5", None)
        draft.add("F5", "measurement", f"Blood pressure for eligibility {after[0].told}.", name="blood pressure",
                  value=after[0].told, time=iso(after[0].systolic.time), evidence=[after[0].systolic.ref])  # fmt: skip
        if draft.why.startswith("Alteplase was given with a fault: last pressure"):
            draft.conclude(Verdict.YES, "The pressure was within the limit.")


def ordered_is_given(reading: Reading, draft: Draft) -> None:
    """Takes an order for a dose, and any reason for a good one."""
    if reading.alteplase.rows:
        return
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


MISTAKES = tuple(investigate.slip(faults_the_hour, more) for more in (found_is_onset, later_pressure, ordered_is_given))
