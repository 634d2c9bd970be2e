"""A code is reduced ejection fraction, and what was ordered in hospital is the regimen, whatever the edition."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess: an inhibitor of the renin-angiotensin system and a beta-blocker were ordered."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [
        r
        for r in session.query("get_diagnoses", hadm_id=hadm_id).rows
        if str(r.get("icd_code") or "").startswith(("I50", "428"))
    ]
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), {})
    orders = session.query("get_medication_orders", hadm_id=hadm_id).rows
    if codes:
        draft.add(
            "F1", "status", "Systolic heart failure is coded.", name="LVEF", value="reduced", evidence=refs(codes)
        )
    draft.add(
        "F2", "status", "The guideline of the day is applied.", name="edition", value="latest",
        evidence=refs([admission]),
    )  # fmt: skip
    found = {}
    for name, words in (
        ("renin-angiotensin class", ("pril", "sartan")),
        ("beta-blocker", ("carvedilol", "metoprolol")),
        ("MRA", ("spironolactone", "eplerenone")),
    ):
        found[name] = [r for r in orders if any(w in str(r.get("drug")).lower() for w in words)]
        if found[name]:
            draft.add(
                "F3", "medication", f"{found[name][0]['drug']} was ordered.", name=name, value="present",
                evidence=refs(found[name][:1]),
            )  # fmt: skip
    right = bool(found["renin-angiotensin class"] and found["beta-blocker"])
    draft.conclude(
        Verdict.YES if right else Verdict.NO, "Both core classes were ordered." if right else "One is absent."
    )
    return draft
