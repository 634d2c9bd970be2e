"""The findings F1 to F8 of a medication reconciliation report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.administration import dose_text, given
from pytest_clinicare.systems.scripted.clinical.medication_list import Entry, entries
from pytest_clinicare.systems.scripted.clinical.reconciliation import Comparison, Difference
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.med_reconciliation.investigation import Chart

LOCAL = "refhosp-med-reconciliation"
GOAL = "jc-npsg-030601"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Home list of the emergency department",
    "F2": "Home doses",
    "F3": "Given in the final 24 hours",
    "F4": "Discharge list",
    "F5": "Differences",
    "F6": "Intent",
    "F7": "Plausible reasons",
    "F8": "Time-limited courses",
}


def write(chart: Chart, draft: Draft, comparison: Comparison | None) -> None:
    """All findings; a missing source is named with the query or the span that shows it missing."""
    _home(chart, draft)
    _home_doses(chart, draft)
    _final_day(chart, draft)
    _leaving(chart, draft)
    if comparison is None:
        policy = [
            chart.session.policy(LOCAL, "7 Audit result"),
            chart.session.policy(AUDIT, "7.1 Lack of data"),
            chart.session.policy(GOAL, "2.3 Compare"),
        ]
        for finding, text in (
            ("F5", f"No difference is judged: {chart.gap}."),
            ("F6", "No intent is judged: nothing can be compared (F5)."),
            ("F7", "No plausible reason is sought: nothing can be compared (F5)."),
            ("F8", "No course is judged: nothing can be compared (F5)."),
        ):
            draft.add(
                finding,
                "absence",
                text,
                name="three-way comparison",
                value=chart.gap,
                evidence=chart.gap_evidence,
                policy=policy if finding == "F5" else (),
            )
        return
    for difference in comparison.differences:
        _difference(chart, draft, difference)
    _unchanged(chart, draft, comparison)
    _courses(chart, draft, comparison)


def _home(chart: Chart, draft: Draft) -> None:
    rule = [chart.session.policy(LOCAL, "2.1 Linking")]
    if chart.ed_stay is None:
        draft.add(
            "F1",
            "absence",
            "No ED stay links to the admission, by its id or by an end within 24 h of the admission time; "
            "there is no home list.",
            name="ED stay",
            value="none",
            evidence=chart.ed_stays.evidence,
            policy=rule,
        )
        return
    stay = chart.ed_stay
    draft.add(
        "F1",
        "encounter",
        f"ED stay {stay['stay_id']} ({stay['intime']} to {stay['outtime']}) led to the admission, linked by "
        f"{chart.link}.",
        name="ED stay",
        value=str(stay["stay_id"]),
        time=str(stay["intime"]),
        evidence=[str(stay["ref"])],
        policy=rule,
    )
    if not chart.medrecon.rows:
        draft.add(
            "F1",
            "absence",
            "The ED stay has no home medication row: the home list was not captured.",
            name="home list",
            value="empty",
            evidence=[f"call:{chart.medrecon.call}"],
            policy=rule,
        )
    names: dict[str, list[str]] = {}
    for row in chart.medrecon.rows:
        names.setdefault(str(row.get("name")), []).append(str(row["ref"]))
    for name, rows in names.items():
        draft.add(
            "F1",
            "medication",
            f"Home list: {name}{f' ({len(rows)} rows, one drug)' if len(rows) > 1 else ''}.",
            name=name,
            value="home list",
            evidence=rows,
            policy=rule,
        )


def _home_doses(chart: Chart, draft: Draft) -> None:
    part = chart.on_admission
    listed = entries(part) if part else []
    for entry in listed:
        state = "marked as stopped" if entry.stopped else "taking"
        draft.add(
            "F2",
            "medication",
            f"Medications on Admission: {_short(entry)} ({state}).",
            name=_name(entry),
            value=state,
            evidence=[_span(chart, entry)],
            policy=[chart.session.policy(LOCAL, "2.1 Linking")],
        )
    if not listed:
        draft.add(
            "F2",
            "absence",
            "Medications on Admission is absent or empty."
            if chart.note
            else "There is no discharge summary, hence no Medications on Admission.",
            name="Medications on Admission",
            value="absent",
            evidence=[chart.note.ref] if chart.note else chart.notes.evidence,
        )


def _final_day(chart: Chart, draft: Draft) -> None:
    rule = [chart.session.policy(LOCAL, "2.2 The final 24 hours"), chart.session.policy(AUDIT, "2.4 Cancelled")]
    last: dict[str, dict[str, object]] = {}
    for row in given(chart.emar.rows):
        last[str(row.get("drug"))] = row
    for drug, row in sorted(last.items()):
        dose = f" {told}" if (told := dose_text(row)) else ""
        draft.add(
            "F3",
            "medication",
            f"Given in the final 24 h: {drug}{dose}, last at {row.get('charttime')}.",
            name=drug,
            value="given",
            time=str(row.get("charttime")),
            evidence=[str(row["ref"])],
            policy=rule,
        )
    if not last:
        draft.add(
            "F3",
            "absence",
            "No dose is recorded as given in the final 24 h before discharge; the administration record was in use."
            if chart.any_emar.rows
            else "The administration record holds no row of this admission: what was given in the final 24 h is not "
            "available, which is not the same as nothing given.",
            name="final 24 h",
            value="none" if chart.any_emar.rows else "not available",
            evidence=[*chart.emar.evidence[:5], *chart.any_emar.evidence[:1]],
            policy=rule,
        )


def _leaving(chart: Chart, draft: Draft) -> None:
    part = chart.leaving
    if chart.note is None or part is None or part.masked:
        state = (
            "the admission has no discharge summary"
            if chart.note is None
            else "the section is masked"
            if part
            else "the summary has no such section"
        )
        evidence = (
            chart.notes.evidence
            if chart.note is None
            else [chart.note.span(part.start, part.end) if part else chart.note.ref]
        )
        draft.add(
            "F4",
            "absence",
            f"There is no readable discharge medication list: {state}; orders do not replace it.",
            name="discharge list",
            value="absent",
            evidence=evidence,
            policy=[chart.session.policy(LOCAL, "2.1 Linking")],
        )
        if chart.note and chart.course:
            draft.add(
                "F4",
                "other",
                "The hospital course was read.",
                name="hospital course",
                evidence=[chart.note.span(chart.course.start, chart.course.end)],
            )
        return
    for entry in entries(part):
        draft.add(
            "F4",
            "medication",
            f"Discharge list: {_short(entry)}.",
            name=_name(entry),
            value="discharge list",
            evidence=[_span(chart, entry)],
            policy=[chart.session.policy(GOAL, "2.4 Provide")],
        )
    if chart.course:
        draft.add(
            "F4",
            "other",
            "The hospital course was read for statements about drugs.",
            name="hospital course",
            evidence=[chart.note.span(chart.course.start, chart.course.end)],
        )


def _difference(chart: Chart, draft: Draft, difference: Difference) -> None:
    """F5 to F7 of one difference."""
    level = "high" if difference.high else "low"
    evidence = list(refs(list(difference.home.rows))) if difference.home else []
    evidence += [
        _span(chart, e) for e in ((difference.home.entry if difference.home else None), difference.leaving) if e
    ]
    if difference.kind in ("T1", "T2") and chart.note and chart.leaving:
        evidence.append(chart.note.span(chart.leaving.start, chart.leaving.end))
    policy = [
        chart.session.policy(LOCAL, "4 Discrepancy types"),
        chart.session.policy(LOCAL, "5.1 High" if difference.high else "5.2 Low"),
    ]
    draft.add(
        "F5",
        "difference",
        f"{difference.ingredient}: {difference.text} ({difference.kind}, {level} significance; {difference.intent}).",
        name=difference.ingredient,
        value=f"{difference.kind} {level}",
        evidence=evidence,
        policy=policy,
    )
    if not difference.high or chart.note is None:
        return
    if difference.statement:
        sentence = difference.statement
        draft.add(
            "F6",
            "intent",
            f'{difference.ingredient}: the summary records the decision: "{sentence.text[:160]}"',
            name=difference.ingredient,
            value="documented",
            evidence=[chart.note.span(sentence.start, sentence.end)],
            policy=[chart.session.policy(LOCAL, "6.1 Documented")],
        )
        return
    whole = chart.note.span(0, len(chart.note.text))
    held = (
        f'; that it was held in hospital is no decision about discharge ("{difference.held.text[:120]}")'
        if difference.held
        else ""
    )
    rule = "6.2 Plausible" if difference.events else "6.4 Resolved" if difference.held else "6.3 Unintended"
    draft.add(
        "F6",
        "intent",
        f"{difference.ingredient}: no statement of a decision in the whole summary{held}.",
        name=difference.ingredient,
        value=difference.intent,
        evidence=[whole],
        policy=[chart.session.policy(LOCAL, rule)],
    )
    for event in difference.events:
        cited = event.evidence if isinstance(event.evidence, str) else chart.note.span(*event.evidence)
        draft.add(
            "F7",
            "status",
            f"{difference.ingredient}: plausible reason still present: {event.text}.",
            name=f"plausible reason {difference.ingredient}",
            value="present",
            evidence=[cited],
            policy=[chart.session.policy(LOCAL, "6.2 Plausible")],
        )
    if not difference.events:
        looked = chart.last_values
        draft.add(
            "F7",
            "absence",
            f"{difference.ingredient}: no event of the plausible-reason table holds at the last values and "
            f"the discharge examination.",
            name=f"plausible reason {difference.ingredient}",
            value="none",
            evidence=[*looked, whole],
            policy=[chart.session.policy(LOCAL, "6.2 Plausible")],
        )


def _unchanged(chart: Chart, draft: Draft, comparison: Comparison) -> None:
    rule = [chart.session.policy(LOCAL, "3 Matching")]
    for drug, entry in comparison.unchanged:
        cited = [*([_span(chart, drug.entry)] if drug.entry else []), _span(chart, entry)]
        draft.add(
            "F5",
            "comparison",
            f"{drug.ingredient}: on the discharge list with no change of total daily dose, frequency or route.",
            name=drug.ingredient,
            value="no change",
            evidence=cited,
            policy=rule,
        )
    judged = [d for d in comparison.differences if d.high and d.kind != "T5"]
    if not judged:
        draft.add(
            "F5",
            "difference",
            "No high-significance difference between the home list and the discharge list.",
            name="none",
            value="none high",
            evidence=chart.medrecon.evidence,
            policy=rule,
        )
        draft.add(
            "F6",
            "intent",
            "No intent has to be judged.",
            name="none",
            value="not needed",
            evidence=[chart.note.ref] if chart.note else (),
        )
    if not any(d.open for d in judged):
        draft.add(
            "F7",
            "absence",
            "No high-significance difference lacks a statement, so no plausible reason is needed.",
            name="plausible reason",
            value="not needed",
            policy=[chart.session.policy(LOCAL, "6.2 Plausible")],
        )


def _courses(chart: Chart, draft: Draft, comparison: Comparison) -> None:
    rule = [chart.session.policy(LOCAL, "5.1 High")]
    for course in comparison.courses:
        name = course.entry.ingredients[0]
        if course.in_entry:
            text, value, cited = (
                f"{course.entry.duration} in the list",
                course.entry.duration,
                _span(chart, course.entry),
            )
        elif course.sentence and chart.note:
            text, value = f'in the text: "{course.sentence.text[:120]}"', "stated in the text"
            cited = chart.note.span(course.sentence.start, course.sentence.end)
        else:
            text, value, cited = (
                "no stop date, days or doses in the list or anywhere in the summary",
                "absent",
                _span(chart, course.entry),
            )
            draft.add(
                "F5",
                "difference",
                f"{name}: {course.kind} course without a duration (T3, high significance; unintended).",
                name=name,
                value="T3 high",
                evidence=[cited],
                policy=[chart.session.policy(LOCAL, "4 Discrepancy types"), *rule],
            )
        draft.add(
            "F8",
            "duration",
            f"{name} ({course.kind} course): {text}.",
            name=name,
            value=value,
            evidence=[cited],
            policy=rule,
        )
    if not comparison.courses and chart.note and chart.leaving:
        draft.add(
            "F8",
            "duration",
            "No time-limited high-significance course stands on the discharge list.",
            name="none",
            value="no course",
            evidence=[chart.note.span(chart.leaving.start, chart.leaving.end)],
            policy=rule,
        )


def _span(chart: Chart, entry: Entry) -> str:
    assert chart.note is not None
    return chart.note.span(entry.start, entry.end)


def _short(entry: Entry) -> str:
    return " ".join(entry.text.split())[:120]


def _name(entry: Entry) -> str:
    return "-".join(entry.ingredients) or _short(entry)[:40]
