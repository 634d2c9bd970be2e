"""Four slips of an auditor who knows ASC-11."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.abx_deescalation import findings
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.chart import Chart, follow, gather, pathogens
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.course import read
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.investigation import write
from pytest_clinicare.systems.scripted.session import Session, refs


def _begin(session: Session) -> tuple[Chart | None, Draft]:
    draft = Draft(titles=findings.TITLES)
    chart = gather(session)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
    return chart, draft


def first_report_starts_the_clock(session: Session) -> Draft:
    """Takes the first report of growth for the result."""
    chart, draft = _begin(session)
    if chart is None:
        return draft
    early = [t for r in (chart.index.early_reports if chart.index else ()) if (t := parse_time(r.get("storetime")))]
    if chart.index is None or not early:
        write(chart, draft)
        return draft
    real, chart.final = chart.final, min(early)
    write(chart, draft)
    chart.final = real
    first = [r for r in chart.index.early_reports if parse_time(r.get("storetime")) == min(early)]
    draft.add(
        "F2", "index_time", f"The result came at {iso(min(early))}.", name="T_final", value=iso(min(early)),
        time=iso(min(early)), evidence=refs(first),
    )  # fmt: skip
    return draft


def one_stop_is_enough(session: Session) -> Draft:
    """Calls it de-escalated when any broad agent was stopped or exchanged in time."""
    chart, draft = _begin(session)
    if chart is None:
        return draft
    write(chart, draft)
    if not chart.index or not chart.final:
        return draft
    course = read(chart)
    stopped = [a for a in course.unneeded if course.agents[a][-1].time <= chart.at(48)]
    if stopped:
        draft.conclude(Verdict.YES, f"{', '.join(stopped)} was stopped within 48 h of the result.")
        findings.verdict(chart, draft, "yes", draft.why)
    return draft


def another_culture(session: Session) -> Draft:
    """Judges from the first positive culture of the patient, whatever its encounter or purpose."""
    chart, draft = _begin(session)
    if chart is None:
        return draft
    others = [c for c in chart.foreign if pathogens(c)]
    screens = [c for c in chart.cultures if c.screen and c.isolates]
    if not others and not screens:
        write(chart, draft)
        return draft
    culture = (others or screens)[0]
    follow(chart)
    findings.agents(chart, draft, read(chart) if chart.index and chart.final else None)
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
    chart, draft = _begin(session)
    if chart is None:
        return draft
    findings.index(chart, draft)
    course = read(chart) if chart.index and chart.final else None
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
