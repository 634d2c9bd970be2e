"""Reversal of an oral anticoagulant, decided in the order of HEM-03 section 10."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal import findings
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.chart import gather
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.reading import (
    FACTOR_XA,
    Reading,
    fixed_doses,
    read,
    together,
)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    why = _premise(reading) or _missing(reading)
    if why:
        return draft.conclude(Verdict.LACK, why, Verdict.NO)
    why = _unsettled(reading)
    if why:
        return draft.conclude(Verdict.AMBIGUOUS, why, Verdict.YES)
    if reading.redosed:
        row = reading.redosed[0]
        return draft.conclude(
            Verdict.NO, f"{row['drug']} was administered at {row['charttime']}, within 24 h after T0."
        )
    if not reading.indicated:
        if reading.agents:
            return draft.conclude(
                Verdict.NO, f"The bleed is not reversal-indicated, and {reading.agents[0].product} was administered."
            )
        return draft.conclude(
            Verdict.YES,
            "The bleed is not reversal-indicated, no specific agent was administered, and the hold was kept.",
        )
    failures = _failures(reading)
    if failures:
        return draft.conclude(Verdict.NO, f"The bleed is reversal-indicated, and {'; '.join(failures)}.")
    return draft.conclude(
        Verdict.YES, "The bleed is reversal-indicated; agent, dose and time are right, and the anticoagulant was held."
    )


def _premise(reading: Reading) -> str:
    chart = reading.chart
    if chart.exposure is None:
        return "No source names the oral anticoagulant."
    if chart.bleed is None:
        return "Neither an overt bleed nor a possible one at a critical site is on record."
    if reading.elsewhere:
        return "Reversal was begun at another hospital."
    if reading.comfort:
        return "Comfort measures only were documented before T0 + 120 min."
    return ""


def _missing(reading: Reading) -> str:
    chart = reading.chart
    assert chart.exposure is not None
    assert chart.bleed is not None
    if chart.t0 is None:
        return "The time of recognition cannot be fixed."
    settled = reading.serious and not chart.bleed.open
    if settled and chart.exposure.vka and reading.inr is None:
        return "A bleed at a critical site or to life on warfarin, and no INR from T0 - 6 h to T0 + 2 h."
    if settled and reading.old_dose and reading.creatinine is None:
        return "The DOAC was last taken more than 48 h before, and there is no creatinine."
    if reading.agents and reading.agents[0].product in ("4F-PCC", "aPCC") and reading.weight is None:
        total = sum(d.amount or 0 for d in together(reading))
        if reading.agents[0].product == "aPCC" or total not in fixed_doses(reading):
            return f"{total:,f} units match no fixed dose, and no weight is recorded."
    if reading.incomplete:
        return f"A row of {reading.incomplete[0].product} has no time or no dose."
    return ""


def _unsettled(reading: Reading) -> str:
    chart = reading.chart
    assert chart.exposure is not None
    if chart.bleed is not None and chart.bleed.open:
        return "Imaging of a possible critical-site bleed is equivocal, and no later study settles it."
    if reading.serious and chart.exposure.vka and reading.inr is not None and reading.inr.value < 2:
        return f"A critical-site or life-threatening bleed on warfarin with INR {reading.inr.value}, below 2.0."
    if reading.serious and reading.old_dose and reading.creatinine is not None and reading.creatinine.value > 1.5:
        return (
            f"{chart.exposure.drug} was last taken {chart.exposure.last_h} h before T0, with creatinine "
            f"{reading.creatinine.value} mg/dL: residual effect can be argued either way."
        )
    return ""


def _failures(reading: Reading) -> list[str]:
    exposure, out = reading.chart.exposure, []
    assert exposure is not None
    product = reading.agents[0].product if reading.agents else ""
    plasma = not product and exposure.vka and reading.unavailable and bool(reading.plasma)
    accepted = {
        "warfarin": ("4F-PCC",),
        "dabigatran": ("idarucizumab", *(("4F-PCC", "aPCC") if reading.unavailable else ())),
    }.get(exposure.drug, ("andexanet", "4F-PCC"))
    if not product and not plasma:
        out.append("no reversal agent was administered")
    elif product and product not in accepted:
        out.append(f"{product} does not reverse {exposure.drug}")
    else:
        if reading.judged is not None and not reading.judged.right:
            out.append(f"the dose is wrong ({reading.judged.shown}; expected {reading.judged.expected})")
        if not reading.in_time:
            out.append("the first dose came more than 120 min after T0")
    if exposure.vka and not reading.vitamin_right:
        out.append("vitamin K 5-10 mg IV was not started within 240 min")
    if exposure.drug in FACTOR_XA and not product and (reading.plasma or reading.vitamin):
        out.append("plasma and vitamin K do not reverse it")
    return out


investigate = Investigation(findings.TITLES, gather, read, decide, findings.write)
