"""The findings F1 to F8 of a de-escalation report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose
from pytest_clinicare.systems.scripted.clinical.cultures import contaminants
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.chart import Chart
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.course import Course
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.reasons import (
    Reason,
    discharge_agents,
    neutrophils,
    therapy_over,
)
from pytest_clinicare.systems.scripted.session import refs

LOCAL = "refhosp-abx-deescalation"
AUDIT = "refhosp-chart-audit-standard"
IDSA = "idsa-shea-stewardship-2016"
TITLES = {
    "F1": "Index culture",
    "F2": "Final susceptibility result (T_final)",
    "F3": "Panel and narrower options",
    "F4": "Broad agents given",
    "F5": "What followed",
    "F6": "Last unneeded dose against the window",
    "F7": "Reasons to continue",
    "F8": "Whether the window was observed",
}


def index(chart: Chart, draft: Draft) -> None:
    """F1 and F2."""
    policy = chart.session.policy
    which, not_index = policy(LOCAL, "2.1 Choice"), policy(LOCAL, "2.2 Not index")
    first = draft.finding("F1", which, not_index)
    clock = draft.finding("F2", policy(LOCAL, "3.1 Final result time"))
    grown = [c for c in chart.cultures if c.isolates]
    dirty = contaminants(chart.cultures)
    for culture in grown:
        names = ", ".join(i.organism for i in culture.isolates)
        if culture.screen or culture.specimen_id in dirty:
            why = "surveillance" if culture.screen else "a skin organism in one blood-culture set, a contaminant"
            first.status(
                f"{culture.specimen} of {iso(culture.collected)} grew {names}: {why}, no index culture.",
                refs(list(culture.rows))[:12],
                "no index culture",
                why,
            )
    if chart.index is None or chart.final is None:
        what = "no final result time" if chart.index else "no clinical isolate with a susceptibility panel counts"
        evidence = refs([r for c in grown for r in c.rows])[:30] or chart.microbiology.evidence[:30]
        first.absence(
            f"There is no index culture: {what}; contaminants and surveillance samples do not count "
            f"({number(len(chart.cultures), 'specimen')} of the admission looked through).",
            evidence,
            "index culture",
        )
        clock.absence(
            "T_final cannot be set, as no susceptibility panel of an index isolate is there.", evidence, "T_final"
        )
        return
    panel_rows = [r for i in chart.isolates for r in i.rows if r.get("ab_name")]
    names = ", ".join(i.organism for i in chart.isolates)
    first.claim(
        "index_event",
        f"Index culture: {chart.index.specimen} collected {iso(chart.index.collected)} in this admission grew {names}; "
        f"it is a pathogen from a clinical site, no contaminant or surveillance sample, and the first with a panel.",
        refs(panel_rows[:3]),
        name="index culture",
        value=names,
        time=iso(chart.index.collected),
    )
    last = [r for r in panel_rows if parse_time(r.get("storetime")) == chart.final]
    clock.claim(
        "index_time",
        f"T_final is {iso(chart.final)}, the latest store time of its susceptibility rows.",
        refs(last),
        name="T_final",
        value=iso(chart.final),
        time=iso(chart.final),
    )
    early = list(chart.index.early_reports)
    if early:
        told = "; ".join(
            f"{str(r.get('comments') or r.get('org_name')).strip()} at {r.get('storetime')}" for r in early
        )
        clock.status(
            f"Earlier reports do not start the clock: {told}.",
            refs(early),
            "preliminary reports",
            "before the final result",
        )


def panel(chart: Chart, draft: Draft, course: Course | None) -> None:
    """F3."""
    policy = chart.session.policy
    out = draft.finding("F3", policy(LOCAL, "4.1 Ranks"), policy(LOCAL, "4.3 When an index agent"))
    if course is None:
        out.absence(
            "No index isolate remains, hence no panel that a narrower option could be read from.",
            chart.microbiology.evidence[:20],
            "narrower option",
        )
        return
    for isolate in chart.isolates:
        rows = [r for r in isolate.rows if r.get("ab_name")]
        told = "; ".join(
            f"{reading}: {', '.join(a for a, r in isolate.panel.items() if r == reading)}"
            for reading in "SIR"
            if reading in isolate.panel.values()
        )
        out.status(f"Panel of {isolate.organism}: {told}.", refs(rows), "panel", told)
        if course.options:
            shown = [r for r in rows if r.get("interpretation") == "S"]
            best = ", ".join(course.options[:6])
            out.status(
                f"Narrower options (rank 1 or 2, reported S or inferred): {best}.", refs(shown), "narrower option", best
            )
        else:
            out.status(
                "No narrower option: no rank 1 or 2 agent that counts is reported S.",
                refs(rows),
                "narrower option",
                "none",
            )


def agents(chart: Chart, draft: Draft, course: Course | None) -> None:
    """F4 and F5: given doses, with the orders apart from them."""
    policy = chart.session.policy
    broad = draft.finding("F4", policy(LOCAL, "4.2 Index agents"), policy(LOCAL, "7 Evidence"))
    after = draft.finding("F5", policy(LOCAL, "5 What follows"))
    if not chart.administrations.rows:
        broad.absence(
            "There is no administration row of any drug, and no ICU input, from collection to the end of the window: "
            "what was given was not observed.",
            chart.administrations.evidence,
            "administrations",
        )
    ordered = [r for r in chart.orders.rows if _antibacterial(r)]
    if ordered:
        told = "; ".join(f"{r.get('drug')} {r.get('starttime')} to {r.get('stoptime')}" for r in ordered[:12])
        broad.claim(
            "order", f"Orders show intention only: {told}.", refs(ordered[:12]), policy(AUDIT, "2.4 Cancelled"),
            name="antibiotic orders",
        )  # fmt: skip
    if course is None:
        for agent, given in _by_agent(chart.doses).items():
            broad.claim("medication", _dosed(agent, given), _ends(given), name=agent, value=iso(given[-1].time))
        after.absence(
            "Without an index isolate there is no unneeded broad dose that something could follow.",
            chart.microbiology.evidence[:20],
            "follow-on",
        )
        return
    for agent, given in course.agents.items():
        need = "unneeded" if agent in course.unneeded else "needed"
        broad.claim(
            "medication", f"{_dosed(agent, given)} ({chart.hours(given[-1].time):+.2f} h from T_final); {need}.",
            _ends(given), policy(LOCAL, "4.3 When an index agent"), name=agent, value=iso(given[-1].time),
        )  # fmt: skip
    if not course.agents and chart.administrations.rows:
        broad.absence(
            "No broad index agent has a given dose from collection on.",
            chart.administrations.evidence[:20],
            "index agent",
        )
    for agent, reading in course.follows.items():
        doses = course.others.get(agent) or course.agents.get(agent) or []
        later = [d for d in doses if not course.last or d.time > course.last.time]
        if later:
            after.claim(
                "medication", f"{_dosed(agent, later)}; on the panel: {reading}.", _ends(later), name=agent,
                value=reading, time=iso(later[0].time),
            )  # fmt: skip
    not_given = [
        r for r in chart.administrations.rows if "not given" in str(r.get("event_txt")).lower() and _antibacterial(r)
    ]
    if not_given:
        after.status(
            f"{number(len(not_given), 'row')} of antibiotics say Not Given, which is no dose.",
            refs(not_given)[:12],
            "not given",
            "no dose",
        )
    listed, passage = discharge_agents(chart)
    told = ", ".join(listed) or "no antibacterial"
    after.status(f"Discharge list: {told}.", passage, "discharge list", told)
    if not course.follows:
        after.absence(
            "No antibacterial followed the last unneeded dose.", chart.administrations.evidence[:10], "follow-on"
        )


def window(chart: Chart, draft: Draft, course: Course | None) -> None:
    """F6."""
    policy = chart.session.policy
    out = draft.finding("F6", policy(LOCAL, "3.2 Length"), policy(LOCAL, "3.3 Confirmation"))
    if course is None or course.last is None:
        out.absence(
            "No unneeded broad dose can be placed against a window.",
            chart.administrations.evidence[:10],
            "hours to the last unneeded dose",
        )
        return
    hours = round(chart.hours(course.last.time), 2)
    out.claim(
        "duration",
        f"The last dose of an unneeded index agent ({course.last.agent}) was given {hours:+g} h from T_final; the "
        f"limit is 48 h, inclusive. {number(len(course.late), 'dose')} between 48 and 96 h.",
        [course.last.ref],
        name="hours from T_final to the last unneeded dose",
        value=hours,
        unit="h",
        time=iso(course.last.time),
    )
    if course.late:
        out.status(
            f"Unneeded doses after 48 h: {', '.join(f'{d.agent} {iso(d.time)}' for d in course.late[:8])}.",
            [d.ref for d in course.late[:20]],
            "late doses",
            len(course.late),
        )


def reasons(chart: Chart, draft: Draft, found: Reason | None) -> None:
    """F7."""
    out = draft.finding("F7", chart.session.policy(LOCAL, "6 Documented reasons"))
    counts = neutrophils(chart)
    if counts:
        lowest = min(counts, key=lambda v: v.value)
        out.measurement(
            f"Neutrophils {lowest.value} K/uL at {iso(lowest.time)}, the lowest within 24 h of T_final (limit 0.5).",
            lowest,
            "absolute neutrophil count",
            "K/uL",
        )
    else:
        out.absence("No neutrophil count within 24 h of T_final.", chart.labs.evidence[:10], "neutrophil count")
    if found:
        out.status(f"A documented reason to continue: {found.text}.", found.evidence, "reason to continue", "present")
    else:
        evidence = [*(n.ref for n in chart.notes.items), *([counts[0].ref] if counts else chart.labs.evidence[:1])]
        out.absence(
            "No documented reason to continue: no neutropenia, no mixed infection and no second source are named.",
            evidence or chart.notes.evidence,
            "reason to continue",
        )


def observed(chart: Chart, draft: Draft, course: Course | None) -> None:
    """F8."""
    out = draft.finding("F8", chart.session.policy(LOCAL, "8 Order of decision"))
    ended, kind = chart.ends
    if chart.final is None:
        told = f"Without T_final there is no window to compare with; the stay ended by {kind} at {iso(ended)}."
    else:
        side = "after" if ended >= chart.at(48) else "before"
        told = (
            f"Observation ended by {kind} at {iso(ended)}, {chart.hours(ended):+.2f} h from T_final, {side} "
            "T_final + 48 h; no comfort care" + (" was ordered." if chart.comfort is None else " before then.")
        )
    out.claim(
        "encounter", told, [str(chart.admission["ref"])], chart.session.policy(LOCAL, "5 What follows"),
        name="observation of the window", value=iso(ended), time=iso(ended),
    )  # fmt: skip
    out.status(
        f"Code status rows: {number(len(chart.status.rows), 'row')}, {'none' if chart.comfort is None else 'one'} of "
        "comfort measures only.",
        chart.status.evidence[:6],
        "comfort care",
        "none" if chart.comfort is None else iso(chart.comfort),
    )
    over = therapy_over(chart)
    if over:
        out.status("The summary says that antibiotics were stopped or completed.", over, "antibiotics over", "stated")


def verdict(chart: Chart, draft: Draft, done: str, why: str) -> None:
    """The conclusion as a claim, with the guideline's aim."""
    policy = chart.session.policy
    draft.finding("F6").claim(
        "status", f"De-escalation within the window: {done}. {why}",
        [str(chart.admission["ref"])], policy(LOCAL, "8 Order of decision"), policy(IDSA, IDSA_SECTION),
        name="de-escalation", value=done,
    )  # fmt: skip


IDSA_SECTION = "6.3 What results are for"


def _antibacterial(row: dict[str, object]) -> bool:
    from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of

    return agent_of(str(row.get("drug") or "")) is not None


def _by_agent(doses: list[Dose]) -> dict[str, list[Dose]]:
    out: dict[str, list[Dose]] = {}
    for dose in doses:
        out.setdefault(dose.agent, []).append(dose)
    return out


def _dosed(agent: str, doses: list[Dose]) -> str:
    return (
        f"{agent.capitalize()} ({doses[0].route}): {number(len(doses), 'given dose')}, first {iso(doses[0].time)}, "
        f"last {iso(doses[-1].time)}"
    )


def _ends(doses: list[Dose]) -> list[str]:
    return list(dict.fromkeys((doses[0].ref, doses[-1].ref)))
