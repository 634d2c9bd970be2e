"""Receipt of CT or MRI within one ICU stay, as RH-RAD-01 directs."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.orders import UNSETTLED
from pytest_clinicare.systems.scripted.clinical.radiology import Study
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.advanced_imaging import findings
from pytest_clinicare.systems.scripted.investigators.advanced_imaging.chart import Chart, Stay, gather
from pytest_clinicare.systems.scripted.investigators.advanced_imaging.findings import LOCAL
from pytest_clinicare.systems.scripted.session import Session


def investigate(session: Session) -> Draft:
    """Gather the required sources, then decide in the protocol's order."""
    chart = gather(session)
    draft = Draft(titles=findings.TITLES)
    if not chart.any_report.rows:
        draft.missing.append("There is no radiology report, of this or any other admission.")
    findings.stay_finding(chart, session, draft)
    findings.order_findings(chart, session, draft)
    findings.other_imaging(chart, session, draft)
    findings.stream_finding(chart, session, draft)
    _decide(chart, draft, session)
    return draft


def _decide(chart: Chart, draft: Draft, session: Session) -> None:
    stay = chart.stay
    inside = [o for o in chart.orders if chart.here(o)]
    candidates = [o for o in inside if o.cross_sectional or not o.subtype]
    received = [(o, s) for o in candidates for s in chart.reports_of(o) if s.counts]
    unmatched = [o for o in candidates if not chart.reports_of(o)]
    lean = Verdict.YES if candidates else Verdict.NO
    if stay is None or stay.intime is None or stay.outtime is None:
        return draft.conclude(
            Verdict.LACK,
            "The ICU stay has no complete window on record, so nothing can be placed in it.",
            Verdict.YES if _any_scan(chart) else Verdict.NO,
        )
    if received:
        order, study = received[0]
        return draft.conclude(
            Verdict.YES,
            f"{study.title} was ordered in the stay ({iso(order.time)}) and its report shows that it was "
            f"performed ({findings.when(study)}).",
        )
    if lost := _unattributable(chart, stay):
        draft.add(
            "F4",
            "conflict",
            f"{lost.title} ({findings.when(lost)}) cannot be attributed to one order and stay.",
            name=lost.title,
            value="unattributed",
            evidence=[lost.ref],
            policy=[session.policy(LOCAL, "5.2 When attribution fails")],
        )
        return draft.conclude(
            Verdict.LACK,
            f"{lost.title} ({findings.when(lost)}) cannot be attributed to one order and stay.",
            Verdict.YES,
        )
    if unmatched:
        order = unmatched[0]
        others = f", nor {number(len(unmatched) - 1, 'other order')} of the class in it" if len(unmatched) > 1 else ""
        draft.reopens = "A radiology report that matches an order of the window, or says that it was not performed."
        return draft.conclude(
            Verdict.LACK,
            f"No report matches the {order.subtype or 'radiology'} order of {iso(order.time)} in the window{others}, "
            f"which leaves receipt unsettled.",
            lean,
        )
    unsettled = [s for o in inside if o.subtype in UNSETTLED for s in chart.reports_of(o) if s.unsettled]
    if unsettled:
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"{unsettled[0].title} was ordered and performed in the stay, and its report does not settle "
            f"whether it is cross-sectional.",
            Verdict.YES,
        )
    if chart.stream is None or not chart.stream.rows:
        return draft.conclude(
            Verdict.LACK, "No order of any type lies in the window, so absence cannot be concluded.", Verdict.NO
        )
    what = (
        "only non-cross-sectional radiology orders lie in the window"
        if inside
        else "no radiology order lies in the window"
    )
    if not chart.any_report.rows:
        draft.reopens = "A report of a CT or MRI performed in the window, which the orders do not account for."
    return draft.conclude(Verdict.NO, f"The order stream is present and {what}.")


def _any_scan(chart: Chart) -> bool:
    """Whether any CT or MRI of the admission was performed here."""
    return any(m.study.counts for m in chart.studies)


def _unattributable(chart: Chart, stay: Stay) -> Study | None:
    """A CT or MRI that fits this stay and another place, or lies in the window with no live order (5.2)."""
    for matched in chart.studies:
        study = matched.study
        if not study.counts or matched.order is not None:
            continue
        places = {chart.place(o) for o in matched.candidates}
        if len(places) > 1 and any(chart.here(o) for o in matched.candidates):
            return study
        day = study.record_time
        timed = study.time is not None and stay.holds(study.time)
        dated = (
            study.time is None
            and not places
            and bool(
                stay.intime and stay.outtime and day.date() <= stay.outtime.date() and day.date() >= stay.intime.date()
            )
        )
        if timed or dated:
            return study
    return None
