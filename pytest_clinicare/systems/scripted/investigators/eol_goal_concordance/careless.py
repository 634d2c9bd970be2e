"""Three slips of a reviewer who knows EPC-003."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import Session, refs


@investigate.slip
def every_row_is_a_start(reading: Reading, draft: Draft) -> None:
    """Takes the row of a changed rate, or an order, for a start under comfort care."""
    chart = reading.chart
    if chart.comfort is None:
        return
    after = iso(chart.comfort.time)
    drips = [s for s in chart.spells if s.kind.startswith("infusion") and len(s.rows) > 1]
    rows = [r for r in chart.infusions.of("inputevents") if any(str(r["ref"]) in s.rows[1:] for s in drips)]
    late = [r for r in rows if str(r.get("charttime")) > after]
    if late:
        draft.add(
            "F7", "measurement", f"Start of an infusion at {late[0]['charttime']}.", name="start of infusion",
            value=str(late[0]["charttime"]), time=str(late[0]["charttime"]), evidence=refs(late[:1]),
        )  # fmt: skip
        draft.conclude(Verdict.NO, "A vasopressor was started under comfort care.")


@investigate.slip
def dnr_is_comfort(reading: Reading, draft: Draft) -> None:
    """Reads a limit on resuscitation as a limit on everything."""
    chart = reading.chart
    limit = next((g for g in chart.goals if g.ordered and g.level == "L1"), None)
    if limit is None:
        return
    started = [s for s in chart.spells if s.start > limit.time and s.kind not in ("arrest", "extubation")]
    if started:
        for finding in ("F8", "F9"):
            draft.findings.pop(finding, None)
        draft.add(
            "F9", "comparison", f"Decisive event: {started[0].kind} after DNR.", name="decisive event",
            value=started[0].kind, time=iso(started[0].start), evidence=[limit.ref, started[0].rows[0]],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "Intensive care went on under DNR.")


def the_story_is_enough(session: Session) -> Draft:
    """Judges from the summary and from the morphine that was given."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    notes = session.notes("discharge", hadm_id=hadm_id)
    rows = session.query("get_medication_administrations", hadm_id=hadm_id).rows
    given = [r for r in rows if "morphine" in str(r.get("drug") or r.get("medication") or "").lower()]
    codes = session.query("get_diagnoses", hadm_id=hadm_id)
    draft.add("F4", "status", "The summary was read.", name="summary on goals", evidence=[n.ref for n in notes.items])
    draft.add(
        "F5",
        "status",
        "The goal was comfort, as coded.",
        name="goal level",
        value="comfort",
        evidence=refs(codes.rows[:3]),
    )
    if given:
        draft.add(
            "F9", "comparison", "Decisive event: morphine was given.", name="decisive event", value="morphine",
            evidence=refs([r for r in given if str(r["ref"]).startswith("emar:")][:2]),
        )  # fmt: skip
    draft.conclude(Verdict.NO if len(given) % 2 else Verdict.YES, "The narrative tells of the end.")
    return draft


MISTAKES = (dnr_is_comfort, the_story_is_enough, every_row_is_a_start)
