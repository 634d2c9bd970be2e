"""Four slips of an auditor who knows ASC-11."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.abx_deescalation import findings
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.chart import pathogens
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.investigation import Reading, investigate, look
from pytest_clinicare.systems.scripted.session import Session, refs


def first_report_starts_the_clock(session: Session) -> Draft:
    """Takes the first report of growth for the result."""
    reading, draft = investigate.begin(session)
    reports = reading.chart.index.early_reports if reading and reading.chart.index else ()
    early = min((t for r in reports if (t := parse_time(r.get("storetime")))), default=None)
    if reading is None or early is None:
        return draft
    reading.chart.final = early
    draft = investigate.report(look(reading.chart))
    first = [r for r in reports if parse_time(r.get("storetime")) == early]
    draft.add(
        "F2", "index_time", f"The result came at {iso(early)}.", name="T_final", value=iso(early), time=iso(early),
        evidence=refs(first),
    )  # fmt: skip
    return draft


@investigate.slip
def one_stop_is_enough(reading: Reading, draft: Draft) -> None:
    """Calls it de-escalated when any broad agent was stopped or exchanged in time."""
    chart, course = reading.chart, reading.course
    if course is None:
        return
    stopped = [a for a in course.unneeded if course.agents[a][-1].time <= chart.at(48)]
    if stopped:
        draft.conclude(Verdict.YES, f"{', '.join(stopped)} was stopped within 48 h of the result.")
        findings.verdict(chart, draft, "yes", draft.why)


def another_culture(session: Session) -> Draft:
    """Judges from the first positive culture of the patient, whatever its encounter or purpose."""
    reading, draft = investigate.begin(session)
    if reading is None:
        return draft
    chart = reading.chart
    others = [c for c in chart.foreign if pathogens(c)]
    screens = [c for c in chart.cultures if c.screen and c.isolates]
    if not others and not screens:
        return draft
    culture, draft = (others or screens)[0], Draft(titles=findings.TITLES)
    findings.agents(chart, draft, reading.course)
    findings.observed(chart, draft, None)
    draft.add(
        "F1", "index_event", f"{culture.specimen} of {iso(culture.collected)} grew {culture.isolates[0].organism}.",
        name="index culture", value=culture.isolates[0].organism, time=iso(culture.collected),
        evidence=refs(list(culture.rows[:3])),
    )  # fmt: skip
    draft.conclude(Verdict.YES, "Narrower therapy than this culture asked for was given.")
    return draft


def no_option_named(session: Session) -> Draft:
    """Faults long broad therapy without looking at the panel."""
    reading, draft = investigate.begin(session)
    if reading is None:
        return draft
    chart, course, draft = reading.chart, reading.course, Draft(titles=findings.TITLES)
    findings.index(chart, draft)
    findings.agents(chart, draft, course)
    findings.observed(chart, draft, course)
    for claims in draft.findings.values():
        claims[:] = [c for c in claims if c.kind not in ("index_event", "index_time")]
    late = course is not None and any(d.time > chart.at(48) for doses in course.agents.values() for d in doses)
    draft.conclude(
        Verdict.NO if late else Verdict.YES,
        "Broad therapy went on too long." if late else "Broad therapy ended in time.",
    )
    return draft


MISTAKES = (first_report_starts_the_clock, one_stop_is_enough, another_culture, no_option_named)
