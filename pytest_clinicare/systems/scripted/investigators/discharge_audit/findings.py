"""The findings F1 to F9 of a discharge audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.discharge_audit.concordance import contradiction, given_last_day
from pytest_clinicare.systems.scripted.session import refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.discharge_audit.investigation import Reading

LOCAL, OUTSIDE, AUDIT = (
    "refhosp-discharge-summary-standard",
    "jc-discharge-summary-elements",
    "refhosp-chart-audit-standard",
)
TITLES = {
    "F1": "The discharge note",
    "F2": "Elements E1 to E9",
    "F3": "Disposition",
    "F4": "Results pending at discharge",
    "F5": "What the note says on pending results",
    "F6": "Drugs of the last 24 hours",
    "F7": "Invasive procedures",
    "F8": "The first-listed diagnosis",
    "F9": "Follow-up and patient information",
}


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    document(reading, draft)
    content(reading, draft)
    disposition(reading, draft)
    results(reading, draft)
    statement(reading, draft)
    drugs(reading, draft)
    procedures(reading, draft)
    diagnosis(reading, draft)
    patient(reading, draft)


def _nothing(reading: Reading) -> list[str]:
    """Where no note of the admission is: the listing that was looked through."""
    return list(reading.chart.listed.evidence)


def document(reading: Reading, draft: Draft) -> None:
    """F1."""
    chart = reading.chart
    out = draft.finding(
        "F1", chart.session.policy(LOCAL, "2 The document audited"), chart.session.policy(AUDIT, "2.5 Notes")
    )
    if chart.note is None:
        empty = chart.session.query("list_notes", kind="discharge", hadm_id=chart.hadm_id)
        out.absence("No discharge note has the hadm_id of this admission.", empty.evidence, "discharge note")
        return
    length = len(chart.note.text)
    out.status(
        "The discharge note of this admission was read to its last line; it has no addendum.",
        [chart.note.ref, chart.note.span(max(length - 120, 0), length)], "discharge note", "present",
    )  # fmt: skip


def content(reading: Reading, draft: Draft) -> None:
    """F2."""
    chart = reading.chart
    policy = chart.session.policy
    out = draft.finding("F2", policy(LOCAL, "3 Required elements"), policy(OUTSIDE, "4 Combined list"))
    if chart.note is None:
        out.absence("No note, so no element can be read.", _nothing(reading), "elements")
    for e in reading.elements:
        if e.state == "empty":
            out.absence(
                f"Element {e.id}, {e.name}: no content under its heading or anywhere else in the note.",
                [e.span], f"element {e.id}",
            )  # fmt: skip
        elif e.state == "waived":
            out.status(
                f"Element {e.id}, {e.name}: not required by the exceptions.", [e.span], f"element {e.id}", "waived",
                policy(LOCAL, "3.1 Exceptions"),
            )  # fmt: skip
        else:
            told = {"masked": "masked, which counts as documented", "elsewhere": "under another heading"}
            out.status(
                f"Element {e.id}, {e.name}: {told.get(e.state, 'documented')}.", [e.span], f"element {e.id}", e.state
            )


def disposition(reading: Reading, draft: Draft) -> None:
    """F3."""
    chart = reading.chart
    out = draft.finding("F3", chart.session.policy(LOCAL, "4.1 C1"))
    found = reading.element("E6")
    told = reading.told or "not readable"
    out.claim(
        "comparison",
        f"Disposition group: note {told if chart.note else 'none'}, discharge_location {chart.location or 'empty'} "
        f"({reading.recorded or 'no group'}).",
        [str(chart.admission["ref"]), *([found.span] if found else [])],
        name="disposition", value="same" if told == reading.recorded else "different",
    )  # fmt: skip


def results(reading: Reading, draft: Draft) -> None:
    """F4."""
    chart = reading.chart
    out = draft.finding("F4", chart.session.policy(LOCAL, "4.2 C2"))
    for culture in reading.pending.cultures:
        named = "named in the note" if culture not in reading.pending.unnamed else "not named in the note"
        if chart.died:
            named = "waived after death"
        elif chart.note is None:
            named = "no note to name it"
        elif reading.pending.masked:
            named = "statement on pending results masked"
        out.status(
            f"{culture.specimen} collected {iso(culture.collected)}, final result stored "
            f"{iso(culture.stored) if culture.stored else 'never'}, dischtime {iso(chart.leaves)}: {named}.",
            refs(list(culture.rows)), "pending result", named,
        )  # fmt: skip
    for row in reading.pending.labs:
        out.status(
            f"{row.get('label')} drawn {row['charttime']}, stored {row['storetime']}.", refs([row]), "pending result",
            str(row.get("label")),
        )  # fmt: skip
    if not reading.pending.cultures and not reading.pending.labs:
        out.absence(
            f"No specimen collected before dischtime {iso(chart.leaves)} has a result stored after it.",
            chart.microbiology.evidence, "pending result", chart.session.policy(AUDIT, "3 How absence"),
        )  # fmt: skip


def statement(reading: Reading, draft: Draft) -> None:
    """F5."""
    chart = reading.chart
    out = draft.finding("F5", chart.session.policy(LOCAL, "4.2 C2"))
    if chart.note is None:
        out.absence("No note speaks of pending results.", _nothing(reading), "pending statement")
        return
    for said in reading.pending.said:
        out.status(
            f'The note on pending results: "{said.text}"', [chart.note.span(said.start, said.end)],
            "pending statement", "masked" if reading.pending.masked else said.text[:60],
        )  # fmt: skip
    if not reading.pending.said:
        out.absence("No sentence of the note is about pending results.", [chart.note.ref], "pending statement")


def drugs(reading: Reading, draft: Draft) -> None:
    """F6."""
    chart = reading.chart
    out = draft.finding("F6", chart.session.policy(LOCAL, "4.3 C3"))
    given = given_last_day(chart)
    if chart.note is None:
        for name, rows in given.items():
            out.status(f"{name} was given in the last 24 h.", refs(rows), "drug of the last 24 h", name)
    for drug in reading.drugs:
        wrong = "" if chart.died else contradiction(drug)
        listed = "on the list" if drug.on_list else "not on the list"
        text = chart.note.span(drug.said[0].start, drug.said[0].end) if chart.note and drug.said else ""
        place = reading.element("E7")
        cited = [*refs(drug.rows), *([text] if text else []), *([place.span] if place else [])]
        when = parse_time(drug.rows[-1]["charttime"]) if drug.rows else None
        last = f"given up to {iso(when)}, " if when else "not given in the last 24 h, "
        out.claim(
            "comparison", f"{drug.name}: {last}{listed}; {wrong or 'no contradiction'}.", cited,
            name="drug of the last 24 h", value=drug.name,
        )  # fmt: skip
    if not given:
        out.absence(
            "No drug of a listed class was given in the 24 h up to dischtime.", chart.doses.evidence[:12],
            "drug of the last 24 h",
        )  # fmt: skip


def procedures(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart = reading.chart
    out = draft.finding("F7", chart.session.policy(LOCAL, "4.4 C4"))
    place = reading.element("E4")
    for p in reading.procedures:
        second = "confirmed by a report" if p.second else "no second source, a coding query"
        out.claim(
            "comparison",
            f"{p.row.get('label') or p.row.get('icd_code')} of {p.row.get('chartdate')}: {second}; "
            f"{'named' if p.named else 'not named'} in the note.",
            [str(p.row["ref"]), *p.second, *([place.span] if place else [])],
            name="procedure", value="named" if p.named else "not named",
        )  # fmt: skip
    if not reading.procedures:
        out.absence(
            "No operation or invasive procedure is coded in the admission.",
            refs(chart.coded_procedures) or [f"call:{chart.procedures.call}"], "procedure",
        )  # fmt: skip


def diagnosis(reading: Reading, draft: Draft) -> None:
    """F8."""
    chart, found = reading.chart, reading.principal
    policy = chart.session.policy
    out = draft.finding("F8", policy(LOCAL, "4.5 C5"))
    if found is None:
        out.absence(
            "The admission has no diagnosis code, so the principal diagnosis cannot be compared.",
            chart.diagnoses.evidence, "principal diagnosis", policy(LOCAL, "5 When a check"),
        )  # fmt: skip
        return
    said = [chart.note.span(s.start, s.end) for s in found.said[:3]] if chart.note else []
    note = found.note if chart.note else "there is no note"
    out.claim(
        "comparison",
        f"First-listed code {found.row.get('icd_code')} ({found.name}): note {note}; measured evidence "
        f"{'present' if found.evidence else 'none found'}.",
        [str(found.row["ref"]), *said, *(found.evidence[:6] or found.looked[:8])],
        policy(AUDIT, "2.2 Codes are leads"),
        name="principal diagnosis", value=found.note if chart.note else "no note",
    )  # fmt: skip


def patient(reading: Reading, draft: Draft) -> None:
    """F9."""
    chart = reading.chart
    out = draft.finding("F9", chart.session.policy(LOCAL, "3.1 Exceptions"))
    if chart.note is None:
        out.absence("No note, so no follow-up or patient information.", _nothing(reading), "follow-up")
    for number, name in (("E8", "follow-up"), ("E9", "patient information")):
        found = reading.element(number)
        if found:
            told = {"waived": "not required after death", "masked": "masked, documented"}.get(found.state, found.state)
            out.status(f"{name.capitalize()}: {told}.", [found.span], name, found.state)
