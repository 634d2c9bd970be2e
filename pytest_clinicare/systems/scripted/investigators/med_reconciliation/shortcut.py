"""A home drug whose name is not on the discharge list is a discrepancy."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.drugs import main_ingredients
from pytest_clinicare.systems.scripted.clinical.notes import section
from pytest_clinicare.systems.scripted.clinical.times import linked_ed_stay
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == session.brief.hadm_id), {})
    stays = session.query("list_ed_stays").rows
    stay = linked_ed_stay(admission, stays)[0] if admission else None
    home = session.query("get_home_medications", stay_id=(stay or {}).get("stay_id"))
    notes = session.notes("discharge", hadm_id=session.brief.hadm_id)
    if not home.rows or not notes.items:
        draft.conclude(Verdict.LACK, "A list was not found.")
        return draft
    note = notes.items[-1]
    part = section(note.text, "discharge medications")
    listed = part.text.lower() if part else ""
    missing = {i: r for r in home.rows for i in main_ingredients(str(r["name"])) if i not in listed}
    for name, row in missing.items():
        draft.add(
            "F5",
            "difference",
            f"{name} is not on the discharge list.",
            name=name,
            value="T1 high",
            evidence=refs([row]),
        )
    span = [note.span(part.start, part.end)] if part else [note.ref]
    draft.add("F4", "medication", "The discharge list was compared by name.", name="discharge list", evidence=span)
    draft.conclude(
        Verdict.YES if missing else Verdict.NO, f"{len(missing)} home drug(s) are not on the discharge list."
    )
    return draft
