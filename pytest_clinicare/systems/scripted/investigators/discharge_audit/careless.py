"""Two slips of an auditor who knows HIM-007."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.discharge_audit import findings
from pytest_clinicare.systems.scripted.investigators.discharge_audit.chart import gather
from pytest_clinicare.systems.scripted.investigators.discharge_audit.investigation import decide, look
from pytest_clinicare.systems.scripted.session import Session


def lenient(session: Session) -> Draft:
    """Takes a later summary for the missing one, and lets a negative culture pass; else believes in the code."""
    draft = Draft(titles=findings.TITLES)
    chart = gather(session)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return draft
    reading = look(chart)
    decide(reading, draft)
    findings.write(reading, draft)
    if chart.note is None and chart.listed.rows:
        other = session.read_note(chart.listed.rows[-1])
        draft.add(
            "F1", "status", "The discharge note audited is that of the later stay.", name="discharge note",
            value="present", evidence=[other.ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The summary recounts the stay.")
    elif reading.pending.unnamed and not chart.died:
        draft.conclude(Verdict.YES, "The culture became final without consequence, so nothing was owed.")
    elif reading.principal and reading.principal.note != "states":
        draft.findings.pop("F8", None)
        draft.add(
            "F8", "status", "Deficiency: the coded diagnosis is not the one of the note.", name="principal diagnosis",
            value="deficiency", evidence=[str(reading.principal.row["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "The code and the note differ.")
    return draft


MISTAKES = (lenient,)
