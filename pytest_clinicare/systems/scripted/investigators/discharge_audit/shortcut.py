"""A list of headings: what has text under each, and the right place of discharge, is complete and concordant."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.discharge_audit.concordance import (
    group_of_location,
    group_of_wording,
)
from pytest_clinicare.systems.scripted.investigators.discharge_audit.elements import elements
from pytest_clinicare.systems.scripted.session import Session


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    notes = session.notes("discharge", hadm_id=hadm_id)
    if not notes.items:
        draft.conclude(Verdict.LACK, "There is no summary.")
        return draft
    note = notes.items[0]
    bare = [e for e in elements(note, died=False) if e.state in ("empty", "masked")]
    for e in bare:
        draft.add(
            "F2", "absence", f"Element {e.id}, {e.name}: its heading is empty.", name=f"element {e.id}", value="none",
            evidence=[e.span],
        )  # fmt: skip
    admission = next(r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id)
    told = next(group_of_wording(e.text) for e in elements(note, died=False) if e.id == "E6")
    apart = told != group_of_location(str(admission.get("discharge_location") or ""))
    wrong = bool(bare) or apart
    draft.conclude(Verdict.NO if wrong else Verdict.YES, "A heading is empty." if wrong else "All headings are filled.")
    return draft
