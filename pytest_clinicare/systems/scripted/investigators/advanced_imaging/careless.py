"""Three slips of an auditor who knows RH-RAD-01."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.notes import section
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.advanced_imaging import findings
from pytest_clinicare.systems.scripted.investigators.advanced_imaging.chart import gather
from pytest_clinicare.systems.scripted.investigators.advanced_imaging.investigation import investigate
from pytest_clinicare.systems.scripted.session import Session, refs

_QUOTED = re.compile(r"\b(?:CT|CTA|MRI|MRCP)\b")


def no_longer_active_is_cancelled(session: Session) -> Draft:
    """Takes an order of the stay that is Inactive, or was changed, for a cancelled one."""
    draft, chart = investigate(session), gather(session)
    ended = [o for o in chart.orders if chart.here(o) and o.cross_sectional and o.discontinued is None]
    for order in ended:
        draft.add(
            "F2", "status", f"{order.subtype} of {iso(order.time)} was discontinued.", name=order.subtype,
            value="discontinued", evidence=order.refs,
        )  # fmt: skip
    if ended:
        draft.conclude(Verdict.NO, "The orders of the stay were cancelled.")
    return draft


def the_summary_says_so(session: Session) -> Draft:
    """Believes a study that the hospital course quotes, or that nurses charted, without its report."""
    draft, chart = Draft(titles=findings.TITLES), gather(session)
    findings.stay_finding(chart, session, draft)
    findings.stream_finding(chart, session, draft)
    for note in session.notes("discharge", hadm_id=session.brief.hadm_id).items:
        told = section(note.text, "brief hospital course")
        quoted = _QUOTED.search(told.text) if told else None
        if told and quoted:
            start = told.start + quoted.start()
            draft.add(
                "F3", "imaging", f"The hospital course names a {quoted[0]}.", name=quoted[0],
                evidence=[note.span(start, start + len(quoted[0]))],
            )  # fmt: skip
            draft.conclude(Verdict.YES, f"A {quoted[0]} was done in this stay.")
            return draft
    if chart.charted:
        draft.add("F3", "imaging", "A scan was charted by the unit.", name="charted scan", evidence=refs(chart.charted))
        draft.conclude(Verdict.YES, "A scan was charted.")
        return draft
    return investigate(session)


def any_report_will_do(session: Session) -> Draft:
    """Counts every CT or MRI report of the admission, wherever it was ordered or acquired."""
    draft, chart = investigate(session), gather(session)
    named = [n for n in chart.reports.items if _QUOTED.search(n.text.strip().split("\n")[0])]
    if named:
        title = named[0].text.strip().split("\n")[0].removeprefix("EXAMINATION:").strip()
        draft.add("F3", "imaging", f"{title} was done.", name=title, evidence=[named[0].ref])
        draft.conclude(Verdict.YES, f"{title} was reported in this admission.")
    return draft


MISTAKES = (no_longer_active_is_cancelled, the_summary_says_so, any_report_will_do)
