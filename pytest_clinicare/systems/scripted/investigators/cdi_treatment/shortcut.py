"""A code is infection, and an order for oral vancomycin or fidaxomicin is its treatment."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Row, Session, refs


def _oral(row: Row) -> bool:
    named = any(name in str(row.get("drug")).lower() for name in ("vancomycin", "fidaxomicin"))
    return named and not str(row.get("route")).upper().startswith("IV")


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if code_of(r).startswith("A047")]
    orders = session.query("get_medication_orders", hadm_id=hadm_id).rows
    right = [r for r in orders if _oral(r)]
    if codes:
        draft.add(
            "F2", "status", "C. difficile infection is coded.", name="infection or colonisation", value="infection",
            evidence=refs(codes),
        )  # fmt: skip
    for row in right[:1]:
        draft.add(
            "F7", "medication", f"{row['drug']} was started at {row['starttime']}.", name="start of therapy",
            value=str(row["starttime"]), time=str(row["starttime"]), evidence=refs([row]),
        )  # fmt: skip
    told = "A listed drug was ordered." if right else "No listed drug was ordered."
    draft.conclude(Verdict.YES if right else Verdict.NO, told)
    return draft
