"""A code of infection after a procedure is a surgical-site infection."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    codes = [r for r in session.query("get_diagnoses").rows if code_of(r).startswith(("T814", "99859"))]
    if codes:
        draft.add(
            "F6", "status", "A surgical-site infection is coded, so one occurred.", name="surgical-site infection",
            value="present", evidence=refs(codes),
        )  # fmt: skip
        draft.conclude(Verdict.YES, "An infection after a procedure is coded.")
    else:
        draft.conclude(Verdict.NO, "No infection after a procedure is coded.")
    return draft
