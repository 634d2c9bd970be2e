"""An order is a transfusion, and a haemoglobin under 8 before it is reason enough."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.chart import COUNT, GAS
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    orders = session.query("get_orders", order_type="Blood Bank", order_subtype="Red Cell", hadm_id=hadm_id).rows
    if not orders:
        draft.conclude(Verdict.LACK, "No red cells were ordered.")
        return draft
    ordered = str(orders[0]["ordertime"])
    draft.add(
        "F1", "index_event", f"Red cells were transfused at {ordered}.", name="index transfusion", value=ordered,
        time=ordered, evidence=refs(orders[:1]),
    )  # fmt: skip
    rows = session.query("get_labs", items=[COUNT, GAS], hadm_id=hadm_id, end=ordered).rows
    values = sorted([*valid_values(rows, COUNT, "g/dl"), *valid_values(rows, GAS, "g/dl")], key=lambda v: v.time)
    if not values:
        draft.conclude(Verdict.NO, "No haemoglobin before the order.")
        return draft
    last = values[-1]
    draft.finding("F2").measurement(f"Haemoglobin {last.value} g/dL.", last, "last haemoglobin", "g/dL")
    low = last.value < 8
    draft.conclude(Verdict.YES if low else Verdict.NO, f"Haemoglobin {last.value} is {'' if low else 'not '}below 8.")
    return draft
