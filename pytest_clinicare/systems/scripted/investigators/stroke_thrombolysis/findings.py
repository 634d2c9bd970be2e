"""The findings F1 to F8 of a thrombolysis report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.exclusions import anticoagulants
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.investigation import Reading

LOCAL, GUIDE, AUDIT = "refhosp-stroke-lytic-audit", "aha-asa-ais-2019", "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Last-known-well",
    "F2": "Arrival and interval",
    "F3": "First alteplase dose",
    "F4": "Door-to-needle time",
    "F5": "Last blood pressure",
    "F6": "INR, platelets, glucose and anticoagulant",
    "F7": "Imaging",
    "F8": "Severity and reason for withholding",
}
_UNITS = {"INR": "ratio", "platelets": "K/uL", "glucose": "mg/dL", "aPTT": "sec", "PT": "sec"}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    for part in (onset, arrival, dose, door, pressure, laboratory, imaging, reason):
        part(reading, draft)


def _read(reading: Reading) -> list[str]:
    """The sources searched: summaries and triage."""
    return [*(n.ref for n in reading.chart.discharge), str(reading.chart.ed["triage_ref"])]


def onset(reading: Reading, draft: Draft) -> None:
    """F1."""
    policy, found = reading.chart.session.policy, reading.onset
    out = draft.finding("F1", policy(LOCAL, "2 Times"), policy(GUIDE, "2.1 Time zero"))
    for item in found.timed:
        assert item.time is not None
        out.claim(
            "index_time", f'Last-known-well by the {item.source}: {iso(item.time)} ("{item.text}").', [item.ref],
            name="last-known-well", value=iso(item.time), time=iso(item.time),
        )  # fmt: skip
    if found.unknown:
        out.status(f'Last-known-well is stated to be unknown: "{found.unknown.text}"', [found.unknown.ref],
                   "last-known-well", "unknown")  # fmt: skip
    if not found.statements:
        out.absence("No last-known-well in summary, triage text or reports.", _read(reading), "last-known-well")
    if found.conflict:
        out.status("The last-known-well times of the sources conflict and neither mentions the other.",
                   [s.ref for s in found.conflict], "conflict of sources", "unreconciled")  # fmt: skip


def arrival(reading: Reading, draft: Draft) -> None:
    """F2."""
    out = draft.finding("F2", reading.chart.session.policy(LOCAL, "6 Opportunity zones"))
    stay = str(reading.chart.ed["ref"])
    out.claim("index_time", f"Arrival {iso(reading.chart.arrival)}.", [stay], name="arrival",
              time=iso(reading.chart.arrival))  # fmt: skip
    if reading.onset.chosen and reading.to_arrival is not None:
        out.claim(
            "computation", f"From last-known-well to arrival: {reading.to_arrival} min.",
            [stay, reading.onset.chosen.ref],
            name="interval from last-known-well to arrival", value=reading.to_arrival, unit="min",
        )  # fmt: skip
    else:
        out.status("The interval to arrival cannot be computed: the last-known-well time is missing.",
                   [stay, *_read(reading)], "interval from last-known-well to arrival", "missing")  # fmt: skip
    for told, ref in reading.cautions:
        out.status(f"Extended-window caution: {told}.", [ref] if ref else [stay], "caution", told)


def dose(reading: Reading, draft: Draft) -> None:
    """F3."""
    policy, found = reading.chart.session.policy, reading.alteplase
    out = draft.finding("F3", policy(LOCAL, "3 Stroke-dose"), policy(GUIDE, "3.1 Dose"), policy(AUDIT, "2.3 Order"))
    if found.rows and found.needle:
        cited = refs(found.rows)
        out.claim(
            "medication", f"First stroke-dose alteplase administered {iso(found.needle)}, {found.total} mg in total.",
            cited, name="stroke-dose alteplase", value=float(found.total or 0), unit="mg", time=iso(found.needle),
        )  # fmt: skip
        if found.expected is not None:
            out.claim(
                "computation", f"Weight {found.weight_told}: 0.9 mg/kg, capped at 90 mg, is {found.expected:.1f} mg; "
                f"{found.dose_fault or 'the dose is within 10 %'}.",
                [*cited, found.weight_ref], name="expected dose", value=round(float(found.expected), 1), unit="mg",
            )  # fmt: skip
    else:
        out.absence(
            "No stroke-dose alteplase row exists in emar or inputs.", reading.chart.given.evidence[:8],
            "stroke-dose alteplase", policy(AUDIT, "3 How absence"),
        )  # fmt: skip
    if found.outside:
        out.status(f'The summary: "{found.outside[0]}"', [found.outside[1]], "alteplase at another hospital", "begun")
    elif found.told and not found.rows:
        out.status(f'The summary states that it was given here: "{found.told[0]}"; the needle time is missing.',
                   [found.told[1]], "alteplase by the summary", "stated")  # fmt: skip
    orders = [r for r in reading.chart.orders.rows if "alteplase" in str(r.get("drug")).lower()]
    if orders:
        out.claim("order", f"Alteplase was ordered ({len(orders)} prescriptions); an order is not a dose.",
                  refs(orders), policy(AUDIT, "2.4 Cancelled"), name="alteplase order",
                  value="intent only")  # fmt: skip
    if found.small:
        out.status("Alteplase of 2 mg or less is catheter clearance, not treatment of the stroke.", refs(found.small),
                   "catheter clearance", "not counted")  # fmt: skip


def door(reading: Reading, draft: Draft) -> None:
    """F4."""
    policy = reading.chart.session.policy
    out = draft.finding("F4", policy(LOCAL, "7 Door-to-needle"), policy(GUIDE, "2.4 Door-to-needle"))
    stay = str(reading.chart.ed["ref"])
    rows = refs(reading.alteplase.rows)
    if reading.door is not None:
        out.claim("computation", f"Door-to-needle {reading.door} min; informs and does not decide.", [stay, *rows],
                  name="door-to-needle", value=reading.door, unit="min")  # fmt: skip
        if reading.to_needle is not None and reading.onset.chosen:
            out.claim(
                "computation", f"From last-known-well to needle: {reading.to_needle} min, limit 270.",
                [*rows, reading.onset.chosen.ref], policy(GUIDE, "2.2 Windows"),
                name="interval from last-known-well to needle", value=reading.to_needle, unit="min",
            )  # fmt: skip
        return
    told = "the needle time is missing" if reading.treated else "not applicable, no stroke dose was given here"
    out.status(f"Door-to-needle: {told}.", [stay, *reading.chart.given.evidence[:3]], "door-to-needle",
               "missing" if reading.treated else "not applicable")  # fmt: skip


def pressure(reading: Reading, draft: Draft) -> None:
    """F5."""
    policy, last = reading.chart.session.policy, reading.last_pressure
    out = draft.finding("F5", policy(LOCAL, "4 Blood pressure"), policy(GUIDE, "3.2 Blood pressure"))
    when = "before the needle" if reading.needle else "in the emergency department"
    if last is None:
        out.absence(f"No blood pressure {when}.", reading.chart.vitals.evidence[:3], "blood pressure")
        return
    cited = [last.systolic.ref, *([last.diastolic.ref] if last.diastolic else [])]
    out.claim(
        "measurement", f"Last blood pressure {when}: {last.told} at {iso(last.systolic.time)}, "
        f"{'at or above' if last.over else 'below'} 185/110.",
        cited, name="blood pressure", value=last.told, unit="mmHg", time=iso(last.systolic.time),
    )  # fmt: skip


def laboratory(reading: Reading, draft: Draft) -> None:
    """F6."""
    policy, chart = reading.chart.session.policy, reading.chart
    out = draft.finding("F6", policy(LOCAL, "5 Exclusions"), policy(GUIDE, "7 Exclusions"))
    stored = {str(r["ref"]): str(r.get("storetime")) for r in chart.labs.rows}
    for name in ("INR", "platelets", "glucose", "aPTT"):
        value = reading.labs.get(name)
        if value is None:
            out.absence(f"No {name} known by the decision: missing.", chart.labs.evidence[:4], name)
            continue
        out.measurement(
            f"{name} {value.value}, collected {iso(value.time)}, resulted {stored.get(value.ref)}.", value, name,
            _UNITS[name],
        )  # fmt: skip
    listed = anticoagulants(chart)
    if listed:
        out.status(f"Anticoagulant on the home list: {', '.join(n for n, _ in listed)}.", [r for _, r in listed],
                   "anticoagulant exposure", listed[0][0])  # fmt: skip
    else:
        out.absence("No anticoagulant on the home list.", chart.home.evidence, "anticoagulant exposure")
    for item in reading.excluded:
        out.status(f"Exclusion: {item.name} ({item.told}).", [item.ref], f"exclusion, {item.name}", "present")


def imaging(reading: Reading, draft: Draft) -> None:
    """F7."""
    policy, chart = reading.chart.session.policy, reading.chart
    out = draft.finding("F7", policy(LOCAL, "1 Scope"), policy(GUIDE, "7 Exclusions"))
    bad = [r for r in reading.excluded if r.name == "imaging"]
    heads = [n for n in chart.radiology if "HEAD" in n.text[:80].upper()]
    if bad:
        out.status(f'Head imaging: "{bad[0].told}"', [bad[0].ref], "head imaging", "exclusion")
    elif heads:
        out.status("Head imaging by the decision: no haemorrhage, no extensive hypodensity.", [heads[0].ref],
                   "head imaging", "no haemorrhage")  # fmt: skip
    else:
        out.absence("No head imaging on record.", [n.ref for n in chart.radiology] or _read(reading), "head imaging")
    if reading.stroke:
        out.status(f'Acute ischaemic stroke: "{reading.stroke[0]}"', [reading.stroke[1]], "ischaemic stroke", "shown")


def reason(reading: Reading, draft: Draft) -> None:
    """F8."""
    policy = reading.chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "5 Exclusions"), policy(GUIDE, "5 Severity"))
    if reading.score:
        out.status(f'Severity: "{reading.score.told}"', [reading.score.ref], "NIHSS", reading.score.score or 0)
    if reading.treated:
        told = reading.alteplase.told
        cited = [told[1]] if told else _read(reading)
        out.status("Alteplase was given, so no reason for withholding is due.", cited, "reason for withholding",
                   "not applicable")  # fmt: skip
        return
    for item in reading.reasons:
        backed = item.accepted or bool(reading.excluded)
        judged = "accepted" if backed else "not accepted"
        out.status(f'Reason for withholding, {judged}: "{item.told}"', [item.ref], "reason for withholding", judged)
    if not reading.reasons:
        out.absence("The summary states no reason for withholding alteplase.", _read(reading),
                    "reason for withholding")  # fmt: skip
