"""Whatever is not booked as elective within 720 hours is an unplanned readmission."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Row, Session

_BOOKED = ("ELECTIVE", "SURGICAL SAME DAY ADMISSION")


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    rows = session.query("list_admissions").rows
    index = next((r for r in rows if r["hadm_id"] == session.brief.hadm_id), None)
    left = parse_time(index.get("dischtime")) if index else None
    found: list[Row] = []
    for row in rows:
        came = parse_time(row.get("admittime"))
        booked = row.get("admission_type") in _BOOKED
        if left and came and left <= came <= left + timedelta(hours=720) and not booked:
            found.append(row)
    first = min(found, key=lambda row: str(row["admittime"]), default=None)
    if first is None:
        draft.add(
            "F4", "absence", "No admission within 720 hours but booked ones.", name="candidate", value="none",
            evidence=[str(row["ref"]) for row in rows],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "No admission within 720 hours but booked ones.")
        return draft
    kind = str(first.get("admission_type"))
    draft.add(
        "F4", "status", f"An admission of type {kind} follows.", name="candidate", value=kind,
        evidence=[str(first["ref"])],
    )  # fmt: skip
    draft.add(
        "F6", "status", f"The admission type is {kind}, so it was unplanned.", name="classification",
        value="unplanned", evidence=[str(first["ref"])],
    )  # fmt: skip
    draft.conclude(Verdict.YES, f"The next admission is {kind}.")
    return draft
