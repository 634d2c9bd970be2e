"""The findings F1 to F9 of a DKA report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.dka_resolution.chart import (
    BHB,
    HOUR,
    REPORTED_GAP,
    Chart,
    Segment,
    basal,
    injected,
)
from pytest_clinicare.systems.scripted.investigators.dka_resolution.episode import UNKNOWN, AtStop, Start
from pytest_clinicare.systems.scripted.session import refs

LOCAL, ADA = "refhosp-dka-insulin-transition", "ada-hyperglycemic-crises-2009"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Insulin infusion",
    "F2": "Ketoacidosis at the start",
    "F3": "Glucose at the stop",
    "F4": "Bicarbonate at the stop",
    "F5": "Anion gap at the stop",
    "F6": "pH at the stop",
    "F7": "Beta-hydroxybutyrate",
    "F8": "Edition",
    "F9": "Subcutaneous insulin",
}


def infusion(chart: Chart, draft: Draft) -> None:
    """F1."""
    out = draft.finding(
        "F1", chart.session.policy(LOCAL, "3 The infusion"), chart.session.policy(AUDIT, "2.3 Order time")
    )
    orders = [r for r in chart.orders.rows if "insulin" in str(r.get("drug")).lower() and "IV" in str(r.get("route"))]
    if orders:
        out.claim("order", "An insulin infusion was ordered, which shows intent only.", refs(orders), name="order")
    if chart.stop is None:
        looked = [*refs(chart.infused), *refs(injected(chart.given.rows)[:6])] or chart.given.evidence[:20]
        out.absence(f"There is no T_stop: {chart.undetermined}.", looked, "T_stop")
        return
    first, stop = chart.segments[0], chart.stop
    pauses: list[tuple[Segment, Segment]] = []
    again: list[tuple[Segment, Segment]] = []
    for one, two in zip(chart.segments, chart.segments[1:], strict=False):
        if one.end and two.start > one.end:
            (again if two.start > stop else pauses).append((one, two))
    last = [s for s in chart.segments if s.end == stop]
    out.claim(
        "index_time",
        f"Infusion of regular insulin from {iso(first.start)} ({number(len(chart.segments), 'segment')}); it ended at "
        f"{iso(stop)}, followed by more than 2 h without infusion.",
        [first.row["ref"], *refs([s.row for s in last])],
        name="T_stop",
        value=iso(stop),
        time=iso(stop),
    )
    for one, two in pauses:
        assert one.end
        length = (two.start - one.end) / HOUR
        out.status(
            f"A pause of {length:.2f} h from {iso(one.end)}, no more than 2 h and hence within the run.",
            refs([one.row, two.row]),
            "pause",
            "not a stop",
        )
    for _, two in again:
        out.status(f"Insulin was infused again at {iso(two.start)}.", refs([two.row]), "restart", "later")


def beginning(chart: Chart, draft: Draft, found: Start) -> None:
    """F2."""
    policy = chart.session.policy
    out = draft.finding("F2", policy(LOCAL, "4 Ketoacidosis"), policy(ADA, "2 Diagnosis"))
    if found.glucose:
        out.measurement(
            f"Highest glucose of the first 24 h: {found.glucose.value} mg/dL at {iso(found.glucose.time)}.",
            found.glucose,
            "presenting glucose",
            "mg/dL",
        )
    if found.bicarbonate:
        out.measurement(
            f"Lowest bicarbonate of the first 24 h: {found.bicarbonate.value} mEq/L at {iso(found.bicarbonate.time)}.",
            found.bicarbonate,
            "presenting bicarbonate",
            "mEq/L",
        )
    if found.ph:
        out.measurement(
            f"Lowest pH of the first 24 h: {found.ph.reading.value} ({found.ph.kind}) at {iso(found.ph.reading.time)}.",
            found.ph.reading,
            "presenting pH",
            "units",
        )
    if found.gap:
        out.claim(
            "computation",
            f"Widest computed gap of the first 24 h: {found.gap.told} at {iso(found.gap.time)}.",
            found.gap.refs,
            name="presenting anion gap",
            value=float(found.gap.value),
            unit="mEq/L",
            time=iso(found.gap.time),
        )
    if found.ketones:
        told = "positive" if found.positive else "not positive"
        out.status(f"Ketone tests of the first 24 h: {told}.", refs(found.positive or found.ketones), "ketones", told)
    else:
        out.absence("No ketone test was done in the first 24 h.", chart.labs.evidence[:8], "ketones")
    if found.missing:
        evidence = [v.ref for v in (found.bicarbonate, found.glucose) if v] or chart.labs.evidence[:8]
        told = "; ".join(found.missing)
        out.status(f"Ketoacidosis is not established: {told}.", evidence, "ketoacidosis", "not established")
    if found.stated:
        out.status("The discharge summary speaks of DKA, a lead.", found.stated, "summary", "DKA")


def values(chart: Chart, draft: Draft, found: AtStop | None) -> None:
    """F3 to F7."""
    policy = chart.session.policy
    spans = (policy(LOCAL, "5 Values"), policy(LOCAL, "6 Criteria"))
    writers = {name: draft.finding(name, *spans) for name in ("F3", "F4", "F5", "F6", "F7")}
    looked = chart.labs.evidence[:8]
    if found is None or chart.stop is None:
        for name, what in (("F3", "glucose"), ("F4", "bicarbonate"), ("F5", "anion gap"), ("F6", "pH")):
            writers[name].absence(f"There is no T_stop, hence no {what} at the stop.", looked, f"latest {what}")
        writers["F7"].absence("There is no T_stop, hence no beta-hydroxybutyrate at it.", looked, "ketones at the stop")
        _ketones(chart, draft)
        return
    states = found.criteria
    if found.glucose:
        writers["F3"].measurement(
            f"Latest glucose before the stop: {found.glucose.value} mg/dL at {iso(found.glucose.time)}; the limit is "
            "below 200.",
            found.glucose,
            "latest glucose",
            "mg/dL",
        )
    else:
        writers["F3"].absence("No glucose in the 6 h before the stop.", chart.flowsheet.evidence[:8], "latest glucose")
    if found.bicarbonate:
        writers["F4"].measurement(
            f"Latest bicarbonate before the stop: {found.bicarbonate.value} mEq/L at {iso(found.bicarbonate.time)}: "
            f"{states['bicarbonate']} (15 or more).",
            found.bicarbonate,
            "latest bicarbonate",
            "mEq/L",
        )
    else:
        writers["F4"].absence("No bicarbonate in the 6 h before the stop: unknown.", looked, "latest bicarbonate")
    if found.gap:
        writers["F5"].claim(
            "computation",
            f"Latest gap before the stop, computed from one specimen of {iso(found.gap.time)}: {found.gap.told}: "
            f"{states['anion gap']} (12 or less).",
            found.gap.refs,
            name="latest anion gap",
            value=float(found.gap.value),
            unit="mEq/L",
            time=iso(found.gap.time),
        )
        reported = [
            r
            for r in chart.labs.rows
            if r.get("itemid") == REPORTED_GAP and parse_time(r.get("charttime")) == found.gap.time
        ]
        for row in reported[:1]:
            writers["F5"].status(
                f"The laboratory reports {row['value']} with reference range {row.get('ref_range_lower')}-"
                f"{row.get('ref_range_upper')}; that figure does not decide.",
                refs([row]),
                "reported figure",
                "not used",
            )
    else:
        text = "No specimen of the 6 h before the stop holds sodium, chloride and bicarbonate: unknown."
        writers["F5"].absence(text, looked, "latest anion gap")
    if found.ph:
        converted = f", {found.ph.venous} as venous" if found.ph.kind == "arterial" else ""
        writers["F6"].claim(
            "measurement",
            f"Latest pH before the stop: {found.ph.reading.value} ({found.ph.kind}{converted}) at "
            f"{iso(found.ph.reading.time)}: {states['pH']} (above 7.30).",
            found.ph.evidence,
            name="latest pH",
            value=float(found.ph.reading.value),
            unit="units",
            time=iso(found.ph.reading.time),
        )
    else:
        writers["F6"].absence("No pH in the 6 h before the stop: unknown.", looked, "latest pH")
    for value in found.bhb[-1:]:
        writers["F7"].measurement(
            f"Beta-hydroxybutyrate before the stop: {value.value} mmol/L at {iso(value.time)}; no criterion of 2009.",
            value,
            "latest beta-hydroxybutyrate",
            "mmol/L",
        )
    if not found.bhb:
        writers["F7"].absence("No beta-hydroxybutyrate in the 6 h before the stop.", looked, "ketones at the stop")
    _ketones(chart, draft)
    if found.lactate:
        writers["F6"].measurement(
            f"Highest lactate of the 6 h before the stop: {found.lactate.value} mmol/L.",
            found.lactate,
            "lactate",
            "mmol/L",
        )
    told = ", ".join(f"{name} {state}" for name, state in states.items())
    cited = [v.ref for v in (found.glucose, found.bicarbonate) if v] + list(found.gap.refs if found.gap else ())
    known = [name for name, state in states.items() if state != UNKNOWN]
    text = f"Of bicarbonate, pH and gap at the stop: {told}; {len(known)} known."
    section = policy(LOCAL, "7 Acidosis")
    draft.add("F5", "comparison", text, name="criteria", evidence=cited or looked, policy=[*spans, section])


def _ketones(chart: Chart, draft: Draft) -> None:
    """Whether beta-hydroxybutyrate was measured in the encounter at all."""
    out = draft.finding("F7", chart.session.policy(ADA, "2.2 Ketones"))
    rows = [r for r in chart.labs.rows if r.get("itemid") == BHB]
    if rows:
        text = f"Beta-hydroxybutyrate was measured {number(len(rows), 'time')} in the encounter."
        out.status(text, refs(rows), "beta-hydroxybutyrate", "available")
    else:
        text = "Beta-hydroxybutyrate was not measured in the encounter."
        out.absence(text, chart.labs.evidence[:8], "beta-hydroxybutyrate")


def edition(chart: Chart, draft: Draft) -> None:
    """F8."""
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "2 Edition"), policy(ADA, "4 Resolution"), policy(LOCAL, "8 Order"))
    group = chart.patient.get("anchor_year_group")
    out.status(
        f"anchor_year_group {group}: records end in 2022, so the ADA consensus of 2009 governs, not that of 2024.",
        [str(chart.patient["ref"]), str(chart.admission["ref"])],
        "edition",
        ADA,
    )


def injections(chart: Chart, draft: Draft) -> None:
    """F9."""
    policy = chart.session.policy
    out = draft.finding("F9", policy(LOCAL, "9 Reporting"), policy(ADA, "6 Transition"))
    doses = basal(chart.given.rows)
    if not doses:
        looked = refs(injected(chart.given.rows)[:8]) or chart.given.evidence[:12]
        out.absence("No subcutaneous basal dose was given.", looked, "basal insulin")
        return
    first = parse_time(doses[0]["charttime"])
    assert first
    lag = f"{(first - chart.stop) / HOUR:+.2f} h from T_stop" if chart.stop else "there is no T_stop to relate it to"
    out.claim(
        "medication",
        f"First subcutaneous basal dose: {doses[0]['drug']} at {iso(first)}, {lag}; this does not decide.",
        refs(doses[:1]),
        name="basal insulin",
        value=str(doses[0]["drug"]),
        time=iso(first),
    )
