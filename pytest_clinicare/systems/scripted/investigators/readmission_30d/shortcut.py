"""An emergency admission within a month is an unplanned readmission; any other type is a planned one."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Row, Session


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    rows = session.query("list_admissions").rows
    index = next((r for r in rows if r["hadm_id"] == session.brief.hadm_id), None)
    left = parse_time(index.get("dischtime")) if index else None
    found: list[Row] = []
    for row in rows:
        came = parse_time(row.get("admittime"))
        if left and came and left <= came <= left + timedelta(hours=720):
            found.append(row)
    first = min(found, key=lambda row: str(row["admittime"]), default=None)
    if first is None:
        draft.conclude(Verdict.NO, "No admission within 720 hours.")
        return draft
    kind = str(first.get("admission_type"))
    unplanned = "EMER" in kind or "URGENT" in kind
    draft.add(
        "F6", "status", f"The admission type is {kind}.", name="classification",
        value="unplanned" if unplanned else "planned", evidence=[str(first["ref"])],
    )  # fmt: skip
    draft.conclude(Verdict.YES if unplanned else Verdict.NO, f"The next admission is {kind}.")
    return draft
