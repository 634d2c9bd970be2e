"""A CT or MRI order in the stay is a CT or MRI."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft = Draft()
    stay = next((r for r in session.query("list_icu_stays").rows if r["stay_id"] == session.brief.stay_id), None)
    start, end = (stay.get("intime"), stay.get("outtime") or "9999-12-31 00:00:00") if stay else (None, None)
    if not start:
        draft.conclude(Verdict.LACK, "The stay was not found.")
        return draft
    orders = session.query("get_orders", order_type="Radiology", start=start, end=end)
    wanted = [r for r in orders.rows if r.get("order_subtype") in ("CT Scan", "MRI")]
    draft.add(
        "F1",
        "window",
        f"The stay runs from {start} to {end}.",
        name="ICU stay window",
        time=start,
        evidence=refs([stay] if stay else []),
    )
    for row in wanted:
        draft.add(
            "F2",
            "order",
            f"{row['order_subtype']} ordered at {row['ordertime']}.",
            name=row["order_subtype"],
            value="inside",
            time=row["ordertime"],
            evidence=refs([row]),
        )
    draft.conclude(
        Verdict.YES if wanted else Verdict.NO,
        "An order of the class is in the stay." if wanted else "No such order is in the stay.",
    )
    return draft
