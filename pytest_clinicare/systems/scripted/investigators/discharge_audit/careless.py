"""Three slips of an auditor who knows HIM-007."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.discharge_audit.investigation import Reading, investigate


def believes_the_code(reading: Reading, draft: Draft) -> None:
    """Holds the diagnosis coded first against the note, and the note for wrong."""
    if reading.principal and reading.principal.note != "states":
        draft.findings.pop("F8", None)
        draft.add(
            "F8", "status", "Deficiency: the coded diagnosis is not the one of the note.", name="principal diagnosis",
            value="deficiency", evidence=[str(reading.principal.row["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "The code and the note differ.")


def without_consequence(reading: Reading, draft: Draft) -> None:
    """Lets a pending culture pass that became negative."""
    if reading.pending.unnamed and not reading.chart.died:
        draft.conclude(Verdict.YES, "The culture became final without consequence, so nothing was owed.")


def later_summary_will_do(reading: Reading, draft: Draft) -> None:
    """Takes the summary of a later stay for the missing one."""
    chart = reading.chart
    if chart.note is None and chart.listed.rows:
        other = chart.session.read_note(chart.listed.rows[-1])
        draft.add(
            "F1", "status", "The discharge note audited is that of the later stay.", name="discharge note",
            value="present", evidence=[other.ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The summary recounts the stay.")


# Few patients give occasion to any of them, so that all are made together.
MISTAKES = (investigate.slip(believes_the_code, without_consequence, later_summary_will_do),)
