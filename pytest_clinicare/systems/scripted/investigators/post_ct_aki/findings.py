"""The findings F1 to F7 of a post-CT report; each function writes its claims and gives what the decision needs."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.clinical.creatinine import Baseline
from pytest_clinicare.systems.scripted.clinical.egfr import mdrd_creatinine
from pytest_clinicare.systems.scripted.clinical.radiology import Study, index_ct, match, read_study
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.post_ct_aki.chart import Chart
from pytest_clinicare.systems.scripted.session import Session, refs

LOCAL = "refhosp-post-ct-renal-audit"
AUDIT = "refhosp-chart-audit-standard"
KDIGO = "kdigo-aki-2012"
CONTRAST = "acr-nkf-contrast-2020"
TITLES = {
    "F1": "Index CT and scan time T0",
    "F2": "CT order and delay to the scan",
    "F3": "Baseline creatinine",
    "F4": "Creatinine in the 48 h after the scan",
    "F5": "Peak against the KDIGO limbs",
    "F6": "End-stage disease and dialysis",
    "F7": "Chronic kidney disease",
}


def index(chart: Chart, session: Session, draft: Draft) -> tuple[Study | None, datetime | None, str]:
    """F1 and F2: the index CT, its T0, and the order apart from it."""
    studies = [s for n in chart.radiology.items if (s := read_study(n.ref, n.charttime, n.text))]
    study, t0, unresolved = index_ct(studies, lambda day: _charted_scan(chart, day))
    which, when = session.policy(LOCAL, "2.1 Which study"), session.policy(LOCAL, "2.2 Which time")
    if study is None or t0 is None:
        unsettled = session.policy(LOCAL, "2.3 When T0 cannot be resolved")
        live = [o for o in chart.ct_orders if o.discontinued is None]
        if not chart.any_report.rows:
            unresolved += ", and the chart holds no radiology report at all"
        detail = f"{number(len(live), 'CT order')} not discontinued" if live else "no CT order stands"
        draft.add(
            "F1",
            "absence",
            f"No scan time T0 can be set: {unresolved}; {detail}.",
            name="index CT",
            evidence=[study.ref] if study else [*chart.radiology.evidence, *chart.any_report.evidence[:1]],
            policy=[which, unsettled],
        )
    else:
        draft.add(
            "F1",
            "imaging",
            f"Index CT, the earliest that a report of this hospital confirms: {study.title}.",
            name=study.title,
            time=iso(t0),
            evidence=[study.ref],
            policy=[which],
        )
        draft.add(
            "F1",
            "index_time",
            f"T0 is {iso(t0)}, the examination time of the radiology report, not the order time.",
            name="T0",
            value=iso(t0),
            time=iso(t0),
            evidence=[study.ref],
            policy=[when, session.policy(AUDIT, "2.3 Order time")],
        )
    order = match(study, chart.ct_orders) if study else None
    if order and t0:
        delay = round((t0 - order.time).total_seconds() / 3600, 2)
        draft.add(
            "F2",
            "order_time",
            f"The CT was ordered at {iso(order.time)}, {delay} h before the scan ({order.transactions}).",
            name="CT order",
            value=delay,
            unit="h",
            time=iso(order.time),
            evidence=order.refs,
        )
        return study, t0, unresolved
    for order in chart.ct_orders:
        draft.add(
            "F2",
            "order_time",
            f"{order.subtype} ordered at {iso(order.time)} ({order.transactions}); no report of it times a scan.",
            name="CT order",
            time=iso(order.time),
            evidence=order.refs,
        )
    if not chart.ct_orders:
        draft.add(
            "F2",
            "absence",
            "No CT order was found in the order stream of the admission.",
            name="CT order",
            evidence=chart.orders.evidence[:20],
        )
    if t0 is None and (charted := chart.charted_scans):
        times = ", ".join(str(r.get("starttime")) for r in charted)
        draft.add(
            "F2",
            "status",
            f"The ICU charted a CT scan at {times}: a sign that a scan took place, which does not stand in for the "
            f"radiology report that T0 is taken from.",
            name="charted CT",
            value="charted",
            evidence=refs(charted),
            policy=[session.policy(LOCAL, "2.3 When T0 cannot be resolved")],
        )
    return study, t0, unresolved


def _charted_scan(chart: Chart, day: datetime) -> datetime | None:
    """Start of a CT scan that the ICU charted on a date."""
    starts = (parse_time(row.get("starttime")) for row in chart.charted_scans)
    return min((t for t in starts if t and t.date() == day.date()), default=None)


def _summaries_read(chart: Chart) -> str:
    if chart.summaries:
        return f"nor in {number(len(chart.summaries), 'discharge summary', 'discharge summaries')} read"
    if chart.discharge.items:
        return "and no discharge summary of this or an earlier admission is there to state it"
    return "and the chart holds no discharge summary that could state it"


def dialysis_status(chart: Chart, session: Session, draft: Draft) -> bool:
    """F6: end-stage disease or dialysis, from codes, summaries, orders and charted procedures."""
    orders = [r for r in chart.dialysis_orders.rows if kidney.is_dialysis_order(r)]
    delivered = [r for r in chart.procedures.rows if kidney.is_dialysis_delivery(r)]
    hadm_id = int(chart.admission["hadm_id"])
    grafted_after = _transplant_time(chart)
    codes = [
        r
        for r in chart.codes(kidney.ESRD_CODES)
        if r["hadm_id"] == hadm_id or grafted_after is None or str(r.get("at") or "") >= grafted_after
    ]
    stated = [
        n.span(s.start, s.end)
        for n in chart.summaries
        if (s := kidney.stated_end_stage(n.text))
        and (n.hadm_id == hadm_id or grafted_after is None or n.charttime >= grafted_after)
    ]
    evidence = [*refs(codes), *refs(orders), *refs(delivered), *stated]
    rule = session.policy(LOCAL, "7 Patients for whom")
    if evidence:
        what = [
            t
            for t, there in (
                ("coded", codes),
                ("ordered", orders),
                ("delivered", delivered),
                ("stated in a summary", stated),
            )
            if there
        ]
        text = f"End-stage renal disease or dialysis is {', '.join(what)}; the acute thresholds do not apply."
        draft.add(
            "F6",
            "status",
            text,
            name="dialysis",
            value="present",
            evidence=evidence,
            policy=[rule, session.policy(KDIGO, "5 Where creatinine cannot be read")],
        )
        return True
    looked = [
        *chart.diagnoses.evidence[:3],
        f"call:{chart.dialysis_orders.call}",
        f"call:{chart.procedures.call}",
        *([n.ref for n in chart.summaries] or chart.discharge.evidence[:1]),
    ]
    text = (
        "No end-stage renal disease and no dialysis: none in the diagnosis codes, orders or procedures, "
        f"{_summaries_read(chart)}."
    )
    draft.add("F6", "status", text, name="dialysis", value="absent", evidence=looked, policy=[rule])
    return False


def _transplant_time(chart: Chart) -> str | None:
    """Time from which a kidney transplant is documented, up to this admission."""
    coded = [str(r.get("at") or "") for r in chart.codes(kidney.TRANSPLANT_CODES)]
    stated = [n.charttime for n in chart.summaries if kidney.stated_transplant(n.text)]
    return min([t for t in (*coded, *stated) if t], default=None)


def ckd_status(chart: Chart, session: Session, draft: Draft) -> int | None:
    """F7: CKD as coded or stated. Gives the highest stage, 0 for CKD without a stage, None for no CKD."""
    rows = [r for r in chart.diagnoses.of("diagnoses_icd") if kidney.is_ckd_code(r) and r.get("hadm_id") in chart.scope]
    spans = [n.span(s.start, s.end) for n in chart.summaries if (s := kidney.stated_ckd(n.text))]
    staged = [(n, found) for n in chart.summaries if (found := kidney.stated_stage(n.text))]
    spans += [n.span(found[1].start, found[1].end) for n, found in staged]
    stages = [step for r in rows if (step := kidney.coded_stage(r))] + [found[0] for _, found in staged]
    rule = session.policy(LOCAL, "7.1 Stage 4 or 5")
    if not rows and not spans:
        draft.add(
            "F7",
            "status",
            f"Chronic kidney disease is not coded, {_summaries_read(chart)}.",
            name="ckd",
            value="none",
            evidence=[
                *chart.diagnoses.evidence[:3],
                *([n.ref for n in chart.summaries] or chart.discharge.evidence[:1]),
            ],
            policy=[rule],
        )
        return None
    stage = max(stages, default=0)
    named = f"stage {stage}" if stage else "no stage given"
    draft.add(
        "F7",
        "status",
        f"Chronic kidney disease is documented, {named}.",
        name="ckd",
        value=named,
        evidence=[*refs(rows), *spans],
        policy=[rule],
    )
    return stage


def baseline_finding(chart: Chart, session: Session, draft: Draft, t0: datetime | None) -> Baseline | None:
    """F3: the first tier that yields a value. Without T0 only tier 1 can be told."""
    rule = session.policy(LOCAL, "4 Baseline hierarchy")
    mdrd = _mdrd(chart) if any(c.name == "ckd" and c.value != "none" for c in draft.claims) else None
    # Without a scan time tier 2 has no end; only an earlier tier can be told.
    base = creatinine.baseline(
        chart.values, chart.admitted, chart.start, t0 or chart.start - timedelta(seconds=1), mdrd if t0 else None
    )
    prior = creatinine.prior_values(chart.values, chart.admitted)
    if base is None:
        looked = [f"call:{chart.labs.call}"] if not chart.values else [v.ref for v in chart.values[:5]]
        text = (
            "No baseline can be set: tier 1 has no creatinine 365 to 90 days before admission; tiers 2 and 3 need T0, "
            "which is missing."
            if t0 is None
            else "No baseline tier yields a value: no creatinine 365 to 90 days before admission, none from the start "
            "of the encounter to T0, and no tier 3 estimate applies."
        )
        draft.add("F3", "baseline", text, name="tier none", evidence=looked, policy=[rule])
        return None
    source = base.source
    when = iso(source.time) if source else None
    texts = {
        1: f"Baseline {base.value} mg/dL of {when}, tier 1: the lowest of {number(len(prior), 'value')} 365 to 90 "
        f"days before admission.",
        2: f"Baseline {base.value} mg/dL of {when}, tier 2: no value 365 to 90 days before admission; the "
        f"earliest from the start of the encounter to T0.",
        3: f"Baseline {float(base.value):.2f} mg/dL, tier 3: no measured value; CKD is documented; MDRD "
        f"solved for eGFR 75 without race term.",
    }
    evidence = [source.ref] if source else [*refs([chart.patient]), f"call:{chart.labs.call}"]
    policy = [rule, session.policy(KDIGO, "4.3 MDRD")] if base.tier == 3 else [rule]
    draft.add(
        "F3",
        "baseline",
        texts[base.tier],
        name=f"tier {base.tier}",
        value=round(float(base.value), 2),
        unit="mg/dL",
        time=when,
        evidence=evidence,
        policy=policy,
    )
    if base.tier == 1:
        listed = ", ".join(str(v.value) for v in base.values)
        state = f"unstable, median {base.median}" if base.unstable else "stable"
        draft.add(
            "F7",
            "status",
            f"Tier 1 values {listed} mg/dL are {state} (highest against 1.5 x lowest).",
            name="tier 1 stability",
            value="unstable" if base.unstable else "stable",
            evidence=[v.ref for v in base.values],
            policy=[session.policy(LOCAL, "6 Unstable tier 1")],
        )
    return base


def _mdrd(chart: Chart) -> Decimal:
    age = int(chart.patient["anchor_age"]) + chart.admitted.year - int(chart.patient["anchor_year"])
    return mdrd_creatinine(age, str(chart.patient["gender"]).upper() == "F")


def window_finding(chart: Chart, session: Session, draft: Draft, t0: datetime | None, window: list[Value]) -> None:
    """F4 and the peak of F5."""
    rule = session.policy(LOCAL, "3 Post-CT window")
    if t0 is None:
        values = chart.in_encounter
        text = "Without a scan time the 48 h window cannot be placed; no value is counted as post-CT."
        shown: list[Value] = []
        if values:
            low, high = min(values, key=lambda v: v.value), max(values, key=lambda v: v.value)
            shown = [values[0], low, high, values[-1]]
            text += (
                f" The encounter holds {number(len(values), 'valid creatinine value')}, {iso(values[0].time)} to "
                f"{iso(values[-1].time)}, lowest {low.value} and highest {high.value} mg/dL."
            )
        draft.add(
            "F4",
            "absence",
            text,
            name="creatinine window",
            evidence=[v.ref for v in shown] or chart.labs.evidence[:10],
            policy=[rule],
        )
        return
    close = iso(t0 + timedelta(hours=48))
    draft.add(
        "F4",
        "window",
        f"The window is after {iso(t0)} up to {close}, closing instant included; it holds "
        f"{number(len(window), 'valid creatinine value')}.",
        name="creatinine window",
        value=f"{iso(t0)}/{close}",
        evidence=[v.ref for v in window] or [f"call:{chart.labs.call}"],
        policy=[rule, session.policy(AUDIT, "6.3 Windows")],
    )
    for value in window:
        after = (value.time - t0).total_seconds() / 3600
        draft.add(
            "F4",
            "measurement",
            f"Creatinine {value.value} mg/dL at {iso(value.time)} (T0 + {after:.1f} h).",
            name="creatinine",
            value=float(value.value),
            unit="mg/dL",
            time=iso(value.time),
            evidence=[value.ref],
        )
    if not window:
        draft.add(
            "F4",
            "absence",
            "No valid creatinine was drawn in the 48 h after T0.",
            name="creatinine window",
            value="empty",
            evidence=[f"call:{chart.labs.call}"],
            policy=[rule],
        )


def comparison_finding(
    session: Session, draft: Draft, base: Baseline | None, window: list[Value], dialysis: bool, t0: datetime | None
) -> None:
    """F5: the peak against both limbs, or what prevents the comparison."""
    rules = [session.policy(KDIGO, "2 Definition"), session.policy(LOCAL, "5 Qualifying rise")]
    reason = (
        "there is no scan time"
        if t0 is None
        else "end-stage disease or dialysis means that the thresholds do not apply"
        if dialysis
        else "no baseline tier yields a value"
        if base is None
        else "no creatinine lies in the window"
        if not window
        else ""
    )
    if window:
        peak = max(window, key=lambda v: v.value)
        draft.add(
            "F5",
            "peak",
            f"Peak post-CT creatinine {peak.value} mg/dL at {iso(peak.time)}.",
            name="creatinine",
            value=float(peak.value),
            unit="mg/dL",
            time=iso(peak.time),
            evidence=[peak.ref],
        )
    if reason or base is None:
        draft.add(
            "F5",
            "comparison",
            f"The KDIGO limbs are not applied: {reason}.",
            name="not applicable",
            value=reason,
            policy=rules,
        )
        return
    evidence = [peak.ref, *([base.source.ref] if base.source else [])]
    rise, ratio = float(peak.value - base.value), float(peak.value / base.value)
    limbs = (
        ("difference", rise, "mg/dL", peak.value - base.value >= Decimal("0.3"), "0.3 mg/dL"),
        ("ratio", ratio, "x baseline", peak.value >= Decimal("1.5") * base.value, "1.5 x baseline"),
    )
    for name, value, unit, met, limit in limbs:
        text = f"Peak {name} to baseline is {value:.2f} {unit}: {'at least' if met else 'below'} {limit}."
        draft.add(
            "F5", "comparison", text, name=name, value=round(value, 3), unit=unit, evidence=evidence, policy=rules
        )


def attribution_finding(session: Session, draft: Draft, study: Study | None) -> None:
    """What the verdict says and does not say."""
    text = "The finding is a sequence in time; no cause is assigned to it, to the CT or to contrast."
    draft.add(
        "F5",
        "attribution",
        text,
        name="cause",
        value="unassigned",
        evidence=[study.ref] if study else (),
        policy=[session.policy(CONTRAST, "2.1 Use of the terms"), session.policy(AUDIT, "8 Causation")],
    )
