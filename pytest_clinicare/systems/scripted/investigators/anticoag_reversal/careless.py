"""Slips of an auditor who knows HEM-03: one standard for all drugs, and gaps filled by assumption."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.investigation import investigate
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.reading import Reading, emar_rows, evidence


@investigate.slip
def warfarin_for_all(reading: Reading, draft: Draft) -> None:
    """Judges every bleed by the INR and vitamin K, and a gastrointestinal bleed as a critical one."""
    chart = reading.chart
    if chart.exposure is not None and not chart.exposure.vka and chart.inrs():
        last = chart.inrs()[-1]
        draft.finding("F4").status(
            f"INR {last.value}: the effect of {chart.exposure.drug} is reversed.", [last.ref], "adequacy of reversal",
            "adequate",
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The INR is near normal.")
    if chart.bleed is not None and not chart.bleed.critical and not reading.agents:
        draft.findings.pop("F2", None)
        draft.finding("F2").status(
            f'A critical site: "{chart.bleed.told}"', [chart.bleed.ref], "bleeding site", "critical"
        )
        draft.conclude(Verdict.NO, "A major bleed on an anticoagulant and no concentrate: reversal was omitted.")


@investigate.slip
def gaps_filled(reading: Reading, draft: Draft) -> None:
    """Supplies a usual weight and INR where none is recorded, and takes 70 kg for everybody's dose."""
    given = evidence(reading.agents) or emar_rows(reading)
    for finding in ("F5", "F6"):
        draft.findings.pop(finding, None)
    draft.finding("F6").claim(
        "measurement", "A weight of 70 kg is assumed.", given, name="assumed weight", value=70, unit="kg"
    )
    if reading.agents:
        total = reading.agents[0].amount or 0
        draft.conclude(
            Verdict.YES if total >= 1750 else Verdict.NO, f"{total} against 25 units/kg x 70 kg = 1,750 units."
        )


MISTAKES = (warfarin_for_all, gaps_filled)
