"""The findings F1 to F8 of a HIT report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import ANTIBODY, WARFARIN, Chart
from pytest_clinicare.systems.scripted.investigators.hit_4ts.response import Response
from pytest_clinicare.systems.scripted.investigators.hit_4ts.score import Score, exposure_days
from pytest_clinicare.systems.scripted.session import refs

LOCAL, ASH = "refhosp-hit-audit", "ash-hit-2018"
TITLES = {
    "F1": "Heparin exposure",
    "F2": "Platelet counts",
    "F3": "Onset and timing",
    "F4": "Thrombosis",
    "F5": "Other causes",
    "F6": "Total and T0",
    "F7": "Heparin stopped",
    "F8": "Alternative anticoagulant",
}


def _held(chart: Chart) -> list[str]:
    return list(refs(chart.given.rows[:10])) or list(chart.administrations.evidence[:5])


def exposure(chart: Chart, draft: Draft) -> None:
    """F1."""
    out = draft.finding(
        "F1",
        chart.session.policy(LOCAL, "2 Exposure"),
        chart.session.policy("refhosp-chart-audit-standard", "2.4 Cancelled"),
    )
    if not chart.heparin:
        out.absence("No heparin product was administered in this admission.", _held(chart), "heparin exposure")
    else:
        first, last = chart.heparin[0], chart.heparin[-1]
        out.claim(
            "medication",
            f"First heparin: {first.row.get('drug')} at {iso(first.start)} (day 0); last {last.row.get('drug')} at "
            f"{iso(last.end)}.",
            [first.ref, last.ref],
            name="first heparin",
            value=str(first.row.get("drug")),
            time=iso(first.start),
        )
    days = exposure_days(chart)
    if days is not None and days <= 100:
        out.status(
            f"Heparin in an earlier admission, last {days} days before day 0.",
            [chart.before[-1].ref],
            "earlier exposure",
            days,
        )
    else:
        out.absence("No heparin was administered in the 100 days before.", _held(chart), "earlier exposure")


def counts(chart: Chart, draft: Draft, found: Score | None) -> None:
    """F2."""
    out = draft.finding("F2", chart.session.policy(LOCAL, "3 Platelet"))
    if found is None:
        seen = [v.ref for v in chart.counts[:10]] or list(chart.labs.evidence[:6])
        out.absence("Missing: the platelet counts (or the heparin) that a score needs.", seen, "platelet baseline")
    else:
        out.measurement(
            f"Baseline {found.baseline.value} at {iso(found.baseline.time)}.",
            found.baseline,
            "baseline platelets",
            "K/uL",
        )
        if found.nadir:
            out.measurement(
                f"Nadir {found.nadir.value} at {iso(found.nadir.time)}, a fall of {found.fall:.1f} %.",
                found.nadir,
                "nadir platelets",
                "K/uL",
            )
    if chart.invalid:
        out.status(
            f"{len(chart.invalid)} count(s) disregarded for clumping or fault: "
            f"{', '.join(str(r.get('value')) for r in chart.invalid)}.",
            refs(chart.invalid),
            "invalid count",
            "disregarded",
        )


def components(chart: Chart, draft: Draft, found: Score | None, second: Score | None) -> None:
    """F3 to F6."""
    policy = chart.session.policy
    sections = {
        "F3": ("timing", "4 Timing", "4Ts timing"),
        "F4": ("thrombosis", "5 Thrombosis", "4Ts thrombosis"),
        "F5": ("other", "6 Other", "4Ts other causes"),
    }
    for finding, (part, heading, name) in sections.items():
        out = draft.finding(finding, policy(LOCAL, heading))
        if found is None:
            out.absence("Not scored: heparin or counts are missing.", _held(chart), name)
            continue
        one = found.parts[part]
        out.status(f"{name}: {one.points} ({one.why}).", one.evidence, name, one.points)
    out = draft.finding("F6", policy(LOCAL, "7 T0"), policy(ASH, "3.2 Components"), policy(ASH, "3.5 Total"))
    if found is None:
        out.absence("Missing: no total can be computed.", _held(chart), "4Ts total")
        return
    platelets = found.parts["thrombocytopenia"]
    out.status(
        f"4Ts thrombocytopenia: {platelets.points} ({platelets.why}).",
        platelets.evidence,
        "4Ts thrombocytopenia",
        platelets.points,
    )
    for scored, how in ((found, ""), (second, " (read as a second fall)")):
        if scored is None:
            continue
        category = "low" if scored.total <= 3 else "intermediate" if scored.total <= 5 else "high"
        when = f"T0 {iso(scored.t0.time)}" if scored.t0 else "no T0"
        out.claim(
            "computation",
            f"4Ts total{how} {scored.total}, {category}; {when}. Limb one (score): "
            f"{'met' if scored.t0 else 'low probability'}.",
            [v.ref for v in (scored.baseline, scored.nadir, scored.t0) if v],
            name="4Ts total",
            value=scored.total,
        )
    codes = [r for r in chart.diagnoses.rows if str(r.get("icd_code")).startswith(("D7582", "D696", "2898"))]
    antibody = [r for r in chart.labs.rows if r["itemid"] == ANTIBODY]
    if codes or antibody:
        out.status(
            "Codes and antibody are leads and no part of the score.", refs([*codes, *antibody]), "leads", "not scored"
        )


def stopped(chart: Chart, draft: Draft, response: Response | None) -> None:
    """F7."""
    out = draft.finding("F7", chart.session.policy(LOCAL, "7 T0"))
    if not chart.heparin:
        out.absence("No heparin was administered, so none had to stop.", _held(chart), "heparin stopped")
        return
    if response is None or response.last is None:
        last = chart.heparin[-1]
        out.claim(
            "medication",
            f"Last heparin of the admission: {last.row.get('drug')} at {iso(last.end)}; no T0 to measure from. "
            "Limb two does not arise.",
            [last.ref],
            name="last heparin",
            time=iso(last.end),
        )
        return
    last = response.last
    told = "Limb two (heparin stopped): not met." if response.late else "Limb two (heparin stopped): met."
    if response.cut:
        told = "Limb two cannot be determined to its end."
    out.claim(
        "medication",
        f"Last heparin to T0 + 96 h: {last.row.get('drug')} at {iso(last.end)}. {told}",
        [last.ref],
        name="last heparin",
        value=str(last.row.get("drug")),
        time=iso(last.end),
    )


def alternative(chart: Chart, draft: Draft, response: Response | None) -> None:
    """F8, with prescriptions and warfarin as what they are, and the outcome."""
    policy = chart.session.policy
    out = draft.finding(
        "F8",
        policy(LOCAL, "7 T0"),
        policy(ASH, "4.1 Low"),
        policy(ASH, "4.2 Intermediate"),
        policy(ASH, "5.2 Warfarin"),
    )
    given = response.started if response else chart.alternatives
    if given:
        first = given[0]
        out.claim(
            "medication",
            f"Alternative: {first.agent} first administered {iso(first.start)}"
            f"{'' if response is None or first in response.accepted else ', at an intensity that is not accepted'}.",
            [first.ref],
            name="alternative",
            value=first.agent,
            time=iso(first.start),
        )
    else:
        out.absence("No non-heparin anticoagulant was administered in time.", _held(chart), "alternative")
    if chart.warfarin:
        out.status(
            "Warfarin was given, which is no alternative here.",
            [g.ref for g in chart.warfarin[:3]],
            "warfarin",
            "not counted",
        )
    if response and response.reason:
        out.status(f'"{response.reason[0].text}"', [t.ref for t in response.reason], "reason", "bleeding")
    orders = [
        r
        for r in chart.orders.rows
        if not WARFARIN.search(str(r.get("drug")))
        and any(a in str(r.get("drug")).lower() for a in ("argatroban", "fonda"))
    ]
    if orders and not given:
        out.claim("order", "A prescription alone is no dose.", refs(orders), name="prescription of an alternative")
    out.claim(
        "comparison", f"Outcome of the limbs: {draft.why}", _held(chart)[:4], name="limbs", value=draft.verdict.value
    )
