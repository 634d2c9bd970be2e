"""The findings F1 to F8 of a reversal report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.reading import (
    MINUTE,
    Reading,
    emar_rows,
    evidence,
    together,
)
from pytest_clinicare.systems.scripted.session import refs

LOCAL = "refhosp-anticoag-reversal-audit"
ACC = "acc-ecdp-oac-bleeding-2020"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Anticoagulant and last dose",
    "F2": "Site and T0",
    "F3": "Haemodynamics and haemoglobin",
    "F4": "Expected effect",
    "F5": "Agents administered",
    "F6": "Expected dose",
    "F7": "Vitamin K",
    "F8": "Hold of the anticoagulant",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    for part in (_exposure, _bleed, _haemodynamics, _effect, _agents, _dose, _vitamin, _hold):
        part(reading, draft)


def looked(reading: Reading) -> list[str]:
    """The summary, or the listing that found none."""
    return [n.ref for n in reading.chart.mine] or list(reading.chart.discharge.evidence)


def _exposure(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    out = draft.finding("F1", chart.session.policy(LOCAL, "2 Exposure"))
    found = chart.exposure
    if found is None:
        empty = list(chart.home.evidence) if chart.home.call else []
        out.absence(
            "No source names the oral anticoagulant: not the home list, the admission list, nor a dose before T0.",
            [*looked(reading), *empty[:10]],
            "oral anticoagulant",
        )
        return
    kind = "a vitamin K antagonist" if found.vka else "a direct oral anticoagulant"
    dose = f", {found.dose:f} mg" if found.dose is not None else ""
    out.status(
        f"Oral anticoagulant: {found.drug}, {kind}{dose}.", [found.ref, *filter(None, [found.dose_ref])],
        "oral anticoagulant", found.drug,
    )  # fmt: skip
    if found.last_h is None:
        out.absence("The time of the last dose is unknown.", looked(reading), "last dose")
    else:
        out.status(
            f"Last dose {found.last_h:f} h before the bleed was recognised.", [found.last_ref], "last dose",
            float(found.last_h),
        )  # fmt: skip


def _bleed(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F2", policy(LOCAL, "3 T0"), policy(ACC, "2.2 Critical sites"))
    bleed = chart.bleed
    if bleed is None or bleed.time is None:
        out.absence("No bleed with a time is on record.", looked(reading), "bleeding site")
        return
    level = "open" if bleed.open else "critical" if bleed.critical else "not critical"
    out.status(f'Site: {bleed.kind}, {level}: "{bleed.told}"', [bleed.ref], "bleeding site", level)
    ref = bleed.ref.split("@")[0] if bleed.source == "radiology report" else str((chart.ed_stay or {}).get("ref"))
    out.claim("index_time", f"T0 is {iso(bleed.time)} ({bleed.source}).", [ref], name="T0", time=iso(bleed.time))
    told = (
        "not to be settled" if bleed.open or draft.verdict.value == "ambiguous"
        else "indicated" if reading.indicated
        else "cannot be decided" if draft.verdict.value == "lack"
        else "not indicated"
    )  # fmt: skip
    out.status(f"Reversal is {told}.", [bleed.ref], "reversal indication", told, policy(LOCAL, "4 Is reversal"))


def _haemodynamics(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    out = draft.finding("F3", chart.session.policy(LOCAL, "4 Is reversal"), chart.session.policy(ACC, "2.1 Major"))
    if reading.signs:
        least = min(reading.signs, key=lambda s: s.value)
        out.measurement(
            f"Lowest systolic pressure within 6 h of T0: {least.value:f} mmHg; {len(reading.low)} below 90.",
            Value(least.ref, least.time, least.value),
            "lowest systolic pressure",
            "mmHg",
        )
    else:
        out.absence("No systolic pressure within 6 h of T0.", chart.vitals.evidence[:8], "systolic pressure")
    if reading.pressors:
        out.status("A vasopressor ran within 6 h of T0.", refs(reading.pressors), "vasopressor", "running")
    else:
        out.absence("No vasopressor ran within 6 h of T0.", emar_rows(reading), "vasopressor")
    t0 = chart.t0
    if t0 is not None and reading.counts:
        first, low = reading.counts[0], min(reading.counts, key=lambda v: v.value)
        near = [v for v in reading.counts if v.time >= t0 - 6 * 60 * MINUTE]
        if near:
            first, low = near[0], min(near, key=lambda v: v.value)
        out.claim(
            "computation",
            f"Haemoglobin {first.value} to {low.value} g/dL in 24 h, a fall of {first.value - low.value}; red-cell "
            f"units charted: {len(reading.red_cells)}.",
            [first.ref, low.ref, *refs(reading.red_cells)],
            name="haemoglobin fall",
            value=float(first.value - low.value),
            unit="g/dL",
        )


def _effect(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F4", policy(LOCAL, "4 Is reversal"), policy(ACC, "5 Measuring"))
    exposure = chart.exposure
    if exposure is None:
        out.absence("Without a named drug no effect can be expected or excluded.", looked(reading), "expected effect")
        return
    if exposure.vka:
        if reading.inr is None:
            out.absence(
                "No INR was collected from T0 - 6 h to T0 + 2 h.", refs(chart.labs.rows[:8]) or chart.labs.evidence,
                "INR",
            )  # fmt: skip
            return
        out.measurement(
            f"INR {reading.inr.value} at {iso(reading.inr.time)}, before the first agent.", reading.inr, "INR", "ratio"
        )
        return
    last = "at an unknown time" if exposure.last_h is None else f"{exposure.last_h:f} h before T0"
    out.status(
        f"{exposure.drug} was last taken {last}: effect {'open' if reading.old_dose else 'expected'}.",
        [exposure.last_ref or exposure.ref],
        "expected effect",
        "open" if reading.old_dose else "expected",
    )
    if reading.creatinine is not None:
        out.measurement(
            f"Latest creatinine {reading.creatinine.value} mg/dL.", reading.creatinine, "creatinine", "mg/dL"
        )


def _agents(reading: Reading, draft: Draft) -> None:
    chart, t0 = reading.chart, reading.chart.t0
    policy = chart.session.policy
    spans = (policy(LOCAL, "5 The agent"), policy(LOCAL, "7 Time"), policy(AUDIT, "2.4 Cancelled"))
    out = draft.finding("F5", *spans, policy(LOCAL, "11 Evidence"))
    for dose in reading.agents:
        minutes = (dose.time - t0) / MINUTE if dose.time and t0 else 0
        out.status(
            f"{dose.product} {dose.amount} {dose.unit} administered at +{minutes:.0f} min.", [dose.ref],
            "reversal agent", dose.product,
        )  # fmt: skip
    if reading.agents and t0 and (first := reading.agents[0]).time:
        out.claim(
            "computation",
            f"First dose {(first.time - t0) / MINUTE:.0f} min after T0, by administration time; the limit is 120 min.",
            [first.ref],
            name="time to reversal",
            value=round((first.time - t0) / MINUTE),
            unit="min",
            time=iso(first.time),
        )
    if not reading.agents:
        out.absence(
            "No reversal agent (4F-PCC, aPCC, idarucizumab, andexanet) was administered, though the record was in use.",
            emar_rows(reading),
            "reversal agent",
        )
    if reading.plasma:
        out.status(
            f"Plasma: {len(reading.plasma)} units administered.",
            evidence(reading.plasma),
            "plasma",
            len(reading.plasma),
        )


def _dose(reading: Reading, draft: Draft) -> None:
    chart = reading.chart
    policy = chart.session.policy
    exposure = chart.exposure
    section = "4.1 Vitamin K" if exposure is None or exposure.vka else (
        "4.2 Dabigatran" if exposure.drug == "dabigatran" else "4.3 Factor Xa"
    )  # fmt: skip
    out = draft.finding("F6", policy(LOCAL, "6 The dose"), policy(ACC, section))
    given = evidence(together(reading)) if reading.agents else []
    if exposure is None:
        out.absence(
            "The expected dose cannot be computed, since no drug is named.", given or looked(reading), "expected dose"
        )
        return
    if reading.judged is None:
        out.absence(
            "No agent was given whose dose could be held against the expected dose.", emar_rows(reading),
            "expected dose",
        )  # fmt: skip
        return
    weight = [reading.weight[1]] if reading.weight else []
    inr = [reading.inr.ref] if reading.inr and exposure.vka else []
    right = {True: "right", False: "wrong", None: "not to be computed"}[reading.judged.right]
    out.claim(
        "computation",
        f"Expected dose: {reading.judged.expected}; {reading.judged.shown}: {right}.",
        [*given, *weight, *inr],
        name="expected dose",
        value=right,
    )


def _vitamin(reading: Reading, draft: Draft) -> None:
    chart, t0 = reading.chart, reading.chart.t0
    out = draft.finding("F7", chart.session.policy(LOCAL, "7 Time"))
    for dose in reading.vitamin:
        minutes = (dose.time - t0) / MINUTE if dose.time and t0 else 0
        out.status(
            f"Vitamin K {dose.amount} mg {dose.route} at +{minutes:.0f} min.", [dose.ref], "vitamin K", str(dose.amount)
        )
    if not reading.vitamin:
        out.absence("No vitamin K was administered.", emar_rows(reading), "vitamin K")


def _hold(reading: Reading, draft: Draft) -> None:
    out = draft.finding("F8", reading.chart.session.policy(LOCAL, "7 Time"))
    if reading.redosed:
        row = reading.redosed[0]
        out.status(
            f"{row['drug']} was administered at {row['charttime']}, within 24 h after T0.", refs(reading.redosed),
            "anticoagulant after T0", "given",
        )  # fmt: skip
        return
    out.absence(
        "No oral anticoagulant was administered in the 24 h after T0.", emar_rows(reading), "anticoagulant after T0"
    )
