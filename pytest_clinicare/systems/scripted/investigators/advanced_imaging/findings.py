"""The findings F1 to F6 of an imaging receipt report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.orders import UNSETTLED, Order
from pytest_clinicare.systems.scripted.clinical.radiology import Study
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.advanced_imaging.chart import OUTSIDE_ICU, Chart
from pytest_clinicare.systems.scripted.session import Session, refs

LOCAL = "refhosp-imaging-receipt-audit"
AUDIT = "refhosp-chart-audit-standard"
ACR = "acr-communication-2020"
TITLES = {
    "F1": "ICU stay",
    "F2": "CT and MRI orders of the admission",
    "F3": "Radiology reports that confirm them",
    "F4": "Where each order belongs",
    "F5": "Other imaging ordered in the stay",
    "F6": "Order stream",
}


def stay_finding(chart: Chart, session: Session, draft: Draft) -> None:
    rule = session.policy(LOCAL, "1 Purpose and scope")
    stay = chart.stay
    if stay is None or stay.intime is None or stay.outtime is None:
        missing = "no row" if stay is None else "no intime" if stay.intime is None else "no outtime"
        draft.add(
            "F1",
            "window",
            f"ICU stay {session.brief.stay_id} has {missing} in icustays; the window is missing and nothing "
            f"is put in its place.",
            name="ICU stay window",
            value="missing",
            evidence=[stay.ref] if stay else chart.icu.evidence,
            policy=[rule],
        )
    else:
        draft.add(
            "F1",
            "window",
            f"ICU stay {stay.stay_id} runs from {iso(stay.intime)} to {iso(stay.outtime)}, both ends included.",
            name="ICU stay window",
            value=f"{iso(stay.intime)}/{iso(stay.outtime)}",
            time=iso(stay.intime),
            evidence=[stay.ref],
            policy=[rule],
        )
    others = [s for s in chart.stays if s is not stay]
    for other in others:
        span = (
            f"{iso(other.intime) if other.intime else 'unknown'} to "
            f"{iso(other.outtime) if other.outtime else 'unknown'}"
        )
        draft.add(
            "F1",
            "encounter",
            f"The admission holds another ICU stay, {other.stay_id}, from {span}.",
            name="other ICU stay",
            value=str(other.stay_id),
            evidence=[other.ref],
        )
    if not others:
        draft.add(
            "F1",
            "absence",
            "The admission holds no other ICU stay.",
            name="other ICU stay",
            value="none",
            evidence=chart.icu.evidence,
        )


def order_findings(chart: Chart, session: Session, draft: Draft) -> None:
    """F2 to F4: each CT/MRI-class order, its transactions, its report, the place it belongs to."""
    rules = {
        "transactions": session.policy(LOCAL, "4 Order transactions"),
        "match": session.policy(LOCAL, "3.3 Matching"),
        "place": session.policy(LOCAL, "5.1 Order time decides"),
        "report": session.policy(LOCAL, "3.2 A report"),
        "intent": session.policy(LOCAL, "3.1 An order"),
        "acr": session.policy(ACR, "2 The final report"),
        "audit": session.policy(AUDIT, "2.4 Cancelled"),
    }
    wanted = [
        o for o in chart.orders if o.cross_sectional or (not o.subtype and any(s.counts for s in chart.reports_of(o)))
    ]
    for order in wanted:
        inside = "inside" if chart.here(order) else "outside"
        name = order.subtype or "blank subtype"
        draft.add(
            "F2",
            "order",
            f"{name} ordered at {iso(order.time)}, {inside} the window; {order.transactions}.",
            name=name,
            value=inside,
            time=iso(order.time),
            evidence=order.refs,
            policy=[rules["transactions"], rules["audit"]],
        )
        if chart.any_report.rows:
            _report_of(chart, draft, order, name, rules)
    _places(chart, draft, wanted, rules["place"])
    if not wanted:
        draft.add(
            "F2",
            "absence",
            "No CT/MRI-class order (CT Scan, MRI, Cross-Sectional Interventional Radiology) stands in the "
            "order stream of the admission.",
            name="CT/MRI order",
            value="none",
            evidence=chart.radiology_rows.evidence,
            policy=[rules["intent"], rules["acr"]],
        )
    if not wanted:
        text = "There is no CT/MRI-class order to attribute to this stay, another stay or a place outside the ICU."
        evidence = chart.radiology_rows.evidence
        draft.add("F4", "absence", text, name="attribution", value="none", evidence=evidence, policy=[rules["place"]])
    if not any(m.study.counts for m in chart.studies):
        evidence = chart.reports.evidence
        text = (
            "No report of a CT or MRI performed in this hospital was found among "
            f"{number(len(chart.reports.items), 'radiology report')} of the admission."
        )
        if not chart.any_report.rows:
            evidence = (*evidence, *chart.any_report.evidence)
            text = (
                "The chart holds no radiology report, of this or any other admission: a report is not available, "
                "which is not the same as absent."
            )
        draft.add(
            "F3",
            "absence",
            text,
            name="CT/MRI report",
            value="none",
            evidence=evidence,
            policy=[rules["report"], rules["acr"]],
        )
    if chart.charted and not any(chart.reports_of(o) for o in wanted):
        times = ", ".join(f"{row.get('label') or 'imaging'} at {row.get('starttime')}" for row in chart.charted)
        draft.add(
            "F3",
            "status",
            f"The ICU charted {times}: a sign that a scan took place, which does not stand in for a radiology report.",
            name="charted scan",
            value="charted",
            evidence=refs(chart.charted),
            policy=[rules["intent"], rules["report"]],
        )
    for matched in (m for m in chart.studies if m.study.counts and m.order not in wanted):
        study = matched.study
        draft.add(
            "F3",
            "imaging",
            f"{study.title} ({when(study)}) matches no single live order of its class.",
            name=study.title,
            value="unattributed",
            time=iso(study.record_time),
            evidence=[study.ref],
            policy=[rules["match"], rules["acr"]],
        )


def _places(chart: Chart, draft: Draft, orders: list[Order], rule: str) -> None:
    """F4: the place of each order, one claim a place."""
    places: dict[str, list[Order]] = {}
    for order in orders:
        places.setdefault(chart.place(order), []).append(order)
    for place, placed in places.items():
        times = ", ".join(iso(order.time) for order in placed)
        where = "a ward, the emergency department or another unit" if place == OUTSIDE_ICU else place
        draft.add(
            "F4",
            "attribution",
            f"By order time, {number(len(placed), 'order')} ({times}) {'belongs' if len(placed) == 1 else 'belong'} "
            f"to {where}.",
            name="CT/MRI orders",
            value=place,
            time=iso(placed[0].time),
            evidence=[order.refs[0] for order in placed],
            policy=[rule],
        )


def _report_of(chart: Chart, draft: Draft, order: Order, name: str, rules: dict[str, str]) -> None:
    reports = chart.reports_of(order)
    for study in reports:
        draft.add(
            "F3",
            "imaging",
            f"Radiology report confirms {study.title}, performed {when(study)}, after the order of {iso(order.time)}.",
            name=study.title,
            value=study.modality,
            time=iso(study.time or study.record_time),
            evidence=[study.ref, order.refs[0]],
            policy=[rules["match"], rules["report"], rules["acr"]],
        )
    if not reports:
        draft.add(
            "F3",
            "absence",
            f"No radiology report matches the {name} order of {iso(order.time)}.",
            name=f"{name} report",
            value="none",
            time=iso(order.time),
            evidence=[*chart.reports.evidence, order.refs[0]],
            policy=[rules["match"], rules["report"], rules["acr"]],
        )


def when(study: Study) -> str:
    return iso(study.time) if study.time else f"{study.record_time:%Y-%m-%d}, no usable time"


def other_imaging(chart: Chart, session: Session, draft: Draft) -> None:
    inside = [o for o in chart.orders if chart.here(o) and not o.cross_sectional]
    rule = session.policy(LOCAL, "6 Orders whose subtype")
    counts: dict[str, list[Order]] = {}
    for order in inside:
        counts.setdefault(order.subtype or "blank subtype", []).append(order)
    for subtype, orders in sorted(counts.items()):
        draft.add(
            "F5",
            "order",
            f"{number(len(orders), f'{subtype} order')} in the window, not of the CT/MRI class.",
            name=subtype,
            value=len(orders),
            time=iso(orders[0].time),
            evidence=[o.refs[0] for o in orders],
            policy=[session.policy(LOCAL, "2 What counts")],
        )
    for order in (o for o in inside if o.subtype in UNSETTLED):
        for study in chart.reports_of(order):
            reading = "leaves the class unsettled" if study.unsettled else "names no cross-sectional modality"
            draft.add(
                "F5",
                "conflict" if study.unsettled else "status",
                f"Report of the {order.subtype} order, {study.title}, {reading}.",
                name=order.subtype,
                value="unsettled" if study.unsettled else "settled",
                evidence=[study.ref, order.refs[0]],
                policy=[rule],
            )
    if not inside:
        draft.add(
            "F5",
            "absence",
            "No other radiology order stands in the window.",
            name="other imaging",
            value="none",
            evidence=chart.stream.evidence[:3] if chart.stream else chart.radiology_rows.evidence[:3],
        )


def stream_finding(chart: Chart, session: Session, draft: Draft) -> None:
    rules = [session.policy(LOCAL, "7 Establishing absence"), session.policy(AUDIT, "3 How absence")]
    if chart.stream is None:
        draft.add(
            "F6",
            "status",
            "Without a window it cannot be told whether the order stream covers the stay.",
            name="order stream",
            value="not assessable",
            evidence=chart.radiology_rows.evidence[:3],
            policy=rules,
        )
    elif chart.stream.rows:
        draft.add(
            "F6",
            "status",
            f"The order stream is present: {number(len(chart.stream.rows), 'order row')} of all types in the window.",
            name="order stream",
            value="present",
            evidence=refs(chart.stream.rows)[:3],
            policy=rules,
        )
    else:
        draft.add(
            "F6",
            "status",
            "The order stream is absent: no order row of any type in the window.",
            name="order stream",
            value="absent",
            evidence=[f"call:{chart.stream.call}"],
            policy=rules,
        )
