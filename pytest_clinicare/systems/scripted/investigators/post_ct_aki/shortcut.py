"""An AKI code is kidney injury; else any rise after the CT order over the first value of the admission."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [
        r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if kidney.code_of(r).startswith(("N17", "584"))
    ]
    orders = [
        r
        for r in session.query("get_orders", order_type="Radiology", order_subtype="CT", hadm_id=hadm_id).rows
        if parse_time(r.get("ordertime"))
    ]
    values = creatinine.serum_values(session.query("get_labs", items=[creatinine.SERUM_CREATININE]).rows)
    if not orders:
        draft.conclude(Verdict.LACK, "No CT order was found.")
        return draft
    ordered = parse_time(orders[0]["ordertime"])
    assert ordered is not None
    draft.add(
        "F1",
        "index_time",
        f"The CT was ordered at {orders[0]['ordertime']}.",
        name="T0",
        value=str(orders[0]["ordertime"]),
        time=str(orders[0]["ordertime"]),
        evidence=refs(orders[:1]),
    )
    before = [v for v in values if v.time <= ordered]
    after = [v for v in values if ordered < v.time <= ordered + timedelta(hours=48)]
    peak = max(after, key=lambda v: v.value, default=None)
    if peak:
        draft.add(
            "F5",
            "peak",
            f"Peak creatinine {peak.value}.",
            name="creatinine",
            value=float(peak.value),
            unit="mg/dL",
            time=str(peak.time),
            evidence=[peak.ref],
        )
    rising = bool(before and peak and creatinine.qualifies(peak.value, min(v.value for v in before)))
    if codes:
        draft.add("F5", "status", "Acute kidney injury is coded.", name="aki", value="coded", evidence=refs(codes))
    draft.conclude(
        Verdict.YES if codes or rising else Verdict.NO,
        "Acute kidney injury is coded." if codes else "Creatinine after the CT order against the lowest before.",
    )
    return draft
