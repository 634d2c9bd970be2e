"""A rising CKD code, or a last creatinine well above the first, is worsening."""

from __future__ import annotations

from decimal import Decimal

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    coded = [(s, r) for r in session.query("get_diagnoses").rows if (s := kidney.coded_stage(r))]
    values = creatinine.serum_values(session.query("get_labs", items=[creatinine.SERUM_CREATININE]).rows)
    rising = len({s for s, _ in coded}) > 1
    if not values and not coded:
        draft.conclude(Verdict.LACK, "No creatinine and no code was found.")
        return draft
    first, last = (values[0], values[-1]) if values else (None, None)
    for value in (v for v in (first, last) if v):
        draft.add(
            "F2",
            "measurement",
            f"Creatinine {value.value} mg/dL at {value.time}.",
            name="creatinine",
            value=float(value.value),
            unit="mg/dL",
            time=str(value.time),
            evidence=[value.ref],
        )
    if coded:
        draft.add(
            "F7",
            "status",
            "CKD stages are coded.",
            name="ckd stage codes",
            value="rising" if rising else "unchanged",
            evidence=refs([r for _, r in coded]),
        )
    up = bool(first and last and last.value >= Decimal("1.2") * first.value)
    draft.conclude(
        Verdict.YES if rising or up else Verdict.NO, "CKD codes rise." if rising else "Last against first creatinine."
    )
    return draft
