"""The findings F1 to F10 of an overdose report."""

from __future__ import annotations

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.elements import Element, Treated, triggers
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.story import Story
from pytest_clinicare.systems.scripted.session import refs

LOCAL, LABEL, GOAL = "refhosp-overdose-disposition", "acetylcysteine-iv-label", "jc-npsg-15-01-01"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Agents",
    "F2": "Time of ingestion",
    "F3": "Observation",
    "F4": "Level of care",
    "F5": "Acetaminophen levels",
    "F6": "Acetylcysteine",
    "F7": "Stopping values",
    "F8": "Intent",
    "F9": "Psychiatric evaluation",
    "F10": "Destination",
}


def _anchor(chart: Chart) -> list[str]:
    return [str(chart.admission["ref"])]


def _noted(chart: Chart) -> list[str]:
    return [n.ref for n in chart.mine] or list(chart.discharge.evidence)


def agents(chart: Chart, draft: Draft, story: Story, acute: bool) -> None:
    """F1 and F2."""
    policy = chart.session.policy
    out = draft.finding("F1", policy(LOCAL, "2 Terms"), policy(AUDIT, "2.3 Order time"))
    if not acute:
        out.absence(
            "No acute overdose is under audit: no ingestion of this encounter is stated; an adverse effect is none.",
            [*_noted(chart), *refs(chart.diagnoses.rows)], "acute overdose",
        )  # fmt: skip
        draft.add(
            "F1", "status", "A diagnosis code is a lead, not a finding.", name="code", value="lead",
            evidence=refs(chart.diagnoses.rows), policy=[policy(AUDIT, "2.2 Codes")],
        )  # fmt: skip
    for text, ref in story.named:
        out.claim("index_event", f'Agents: {", ".join(story.agents)}: "{text}"', [ref], name="agent")
    two = draft.finding("F2", policy(LOCAL, "2 Terms"))
    told = {0: "unknown", 1: "known"}.get(len(set(story.hours)), "contested")
    if story.hours:
        spans = [ref for _, ref in story.timed]
        text = " to ".join(f"{h} h" for h in sorted(set(story.hours)))
        two.status(f"Ingestion {text} before arrival: {told}.", spans, "ingestion time", told)
    else:
        two.status("No time of ingestion is documented.", [r for _, r in story.timed] or _noted(chart),
                   "ingestion time", "unknown")  # fmt: skip


def stay(chart: Chart, draft: Draft, one: Element, least: int, two: Element) -> None:
    """F3 and F4."""
    policy = chart.session.policy
    three = draft.finding("F3", policy(LOCAL, "4 E1"))
    stayed = (chart.release - chart.arrival) / HOUR
    three.claim(
        "duration",
        f"Arrival {iso(chart.arrival)}, release {iso(chart.release)}: observed {stayed:.2f} h, minimum {least} h; "
        f"E1 is {one.state}: {one.why}.",
        _anchor(chart),
        name="observation",
        value=round(stayed, 2),
        unit="h",
    )
    four = draft.finding("F4", policy(LOCAL, "5 E2"))
    found = triggers(chart)
    rows = refs([row for _, _, row in found[:6]])
    stays = refs(chart.icu.rows)
    if found:
        four.status(f"Trigger: {two.why}; E2 is {two.state}.", [*rows, *stays], "trigger", found[0][1])
    else:
        looked = [*stays, *refs(chart.given.rows[:6])] or list(chart.given.evidence)
        four.absence("No trigger of intensive care occurred; E2 is met.", looked, "trigger")


def antidote(chart: Chart, draft: Draft, story: Story, treated: Treated) -> None:
    """F5 to F7."""
    policy = chart.session.policy
    five = draft.finding("F5", policy(LOCAL, "6.1 Treatment line"), policy(LABEL, "4.1 Use"))
    for plot in treated.plots:
        if plot.line is not None and (story.acetaminophen or plot.value >= 10):
            five.claim(
                "computation",
                f"Acetaminophen {plot.value} mcg/mL drawn {iso(plot.time)}, {plot.hours} h after ingestion: line "
                f"{plot.line:.1f} mcg/mL.",
                [plot.ref],
                name="acetaminophen level",
                value=float(plot.value),
                unit="mcg/mL",
                time=iso(plot.time),
            )
        else:
            why = "the time is unknown" if plot.hours is None else f"{plot.hours} h after ingestion"
            if not story.acetaminophen and plot.value < 10:
                why = "acetaminophen does not apply"
            five.status(
                f"Acetaminophen {plot.value} mcg/mL drawn {iso(plot.time)} is not plotted: {why}.", [plot.ref],
                "acetaminophen level", float(plot.value),
            )  # fmt: skip
    if not treated.plots:
        five.absence(
            "No acetaminophen level was drawn in this hospital, so none can be plotted.",
            [ref for _, ref in story.outside] or chart.labs.evidence[:8], "acetaminophen level",
        )  # fmt: skip
    six = draft.finding("F6", policy(LOCAL, "6.2 Acetylcysteine"), policy(LABEL, "5 Regimen"))
    told = treated.indicated or "no ground of 6.2 holds"
    six.status(f"Indication: {told}. E3 is {treated.element.state}: {treated.element.why}.",
               [p.ref for p in treated.plots[:4]] or _anchor(chart), "indication",
               "indicated" if treated.indicated else "not indicated")  # fmt: skip
    orders = [r for r in chart.prescriptions.rows if "acetylcysteine" in str(r.get("drug")).lower()]
    if orders:
        six.claim("order", "Acetylcysteine was ordered, which is no treatment.", refs(orders), name="order")
    given = treated.given
    if given:
        end = iso(given.end) if given.end else "not recorded"
        six.claim(
            "medication", f"Acetylcysteine administered from {iso(given.first)}; end {end}.", refs(list(given.rows)),
            name="acetylcysteine", value="given", time=iso(given.first),
        )  # fmt: skip
    else:
        rows = [r for r in chart.given.rows if "acetylcysteine" in str(r.get("drug") or "").lower()]
        looked = refs(rows) or refs(chart.given.rows[:10]) or chart.given.evidence
        six.absence("No administration of acetylcysteine is recorded.", looked, "acetylcysteine")
    _stopping(chart, draft, treated)


def _stopping(chart: Chart, draft: Draft, treated: Treated) -> None:
    policy = chart.session.policy
    out = draft.finding("F7", policy(LOCAL, "6.3 Treatment"), policy(LABEL, "6 Before"))
    liver = treated.liver
    if liver is None:
        out.absence("Stopping values are not applicable: no indicated course that ended.", chart.labs.evidence[:6],
                    "stopping values")  # fmt: skip
        return
    if liver.level:
        time, value, ref = liver.level
        out.claim("measurement", f"Acetaminophen at the end: {value} mcg/mL at {iso(time)}.", [ref],
                  name="stopping acetaminophen", value=float(value), unit="mcg/mL", time=iso(time))  # fmt: skip
    if liver.inr:
        out.measurement(f"INR at the end: {liver.inr.value} at {iso(liver.inr.time)}.", liver.inr, "stopping INR", "")
    if liver.alt:
        before = f", before it {liver.preceding.value}" if liver.preceding else ""
        text = f"ALT at the end: {liver.alt.value} U/L at {iso(liver.alt.time)}{before}."
        out.measurement(text, liver.alt, "stopping ALT", "U/L")
    if not (liver.level and liver.inr and liver.alt):
        out.absence("A stopping value was not drawn.", chart.labs.evidence[:6], "stopping value")


def intent(chart: Chart, draft: Draft, story: Story) -> None:
    """F8."""
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "7 E4"))
    state = story.self_harm
    cited = [ref for _, ref in [*story.harm, *story.denied]]
    source = "the statements" if cited else "the code and no statement against it" if story.coded else "no statement"
    triage = [chart.triage_ref] if chart.triage_ref else []
    agree = "conflict" if state == "contested" else "agree"
    out.status(
        f'Self-harm: {state}, by {source}; triage "{chart.complaint}", codes and summary {agree}.',
        [*cited, *triage, *story.coded] or _noted(chart),
        "intent",
        state,
    )
    for text, ref in story.explained:
        out.status(f'An earlier statement is explained: "{text}"', [ref], "explanation", "explained")


def psychiatry(chart: Chart, draft: Draft, story: Story, four: Element) -> None:
    """F9 and F10."""
    policy = chart.session.policy
    out = draft.finding("F9", policy(LOCAL, "7 E4"), policy(GOAL, "2.1 Screening"), policy(GOAL, "7 Evidence"))
    for text, ref in story.unable:
        out.status(f'An attempt that does not count: "{text}"', [ref], "attempt", "not an evaluation")
    for text, ref in story.evaluated:
        out.status(f'Psychiatric evaluation in this encounter: "{text}"', [ref], "psychiatric evaluation", "documented")
    orders = [r for r in chart.orders.rows if str(r.get("order_subtype") or "").lower() == "psychiatry"]
    if orders:
        ended = any(str(r.get("transaction_type")) == "D/C" for r in orders)
        told = (
            f"{number(len(orders), 'consult order')} of psychiatry{', discontinued' if ended else ''}: no evaluation."
        )
        out.claim("order", told, refs(orders), name="consult order")
    if not story.evaluated:
        told = "The discharge summary documents no psychiatric evaluation." if chart.mine else (
            "There is no discharge summary, so no psychiatric evaluation can be looked up.")  # fmt: skip
        out.absence(told, _noted(chart), "psychiatric evaluation")
    ten = draft.finding("F10", policy(LOCAL, "8 Order"), policy(GOAL, "4 Discharge"))
    ten.status(
        f"Released to {chart.destination}; recommended {story.recommended or 'nothing'}; "
        f"E4 is {four.state}: {four.why}.",
        [*_anchor(chart), *(ref for _, ref in story.evaluated)],
        "destination",
        chart.destination,
    )
