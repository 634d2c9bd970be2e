"""The team's own word for the severity is the score."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    found = session.query("search_notes", query="severe", kind="discharge", hadm_id=hadm_id)
    listed = session.query("list_notes", kind="discharge", hadm_id=hadm_id)
    severe = bool(found.rows)
    draft.add(
        "F8", "status", f"The pneumonia was {'severe' if severe else 'not severe'} in the words of the team.",
        name="severity", value="severe" if severe else "mild", evidence=(found if severe else listed).evidence,
    )  # fmt: skip
    draft.conclude(Verdict.YES if severe else Verdict.NO, f"{'Severe' if severe else 'No severe'} pneumonia.")
    return draft
