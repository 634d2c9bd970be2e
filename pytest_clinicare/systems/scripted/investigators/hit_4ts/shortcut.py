"""Platelets that fell by a third, and an order for another anticoagulant, are HIT well managed."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import PLATELETS
from pytest_clinicare.systems.scripted.session import Session, refs

_OTHER = re.compile(r"argatroban|bivalirudin|fondaparinux|apixaban|rivaroxaban", re.IGNORECASE)


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    rows = session.query("get_labs", items=[PLATELETS], hadm_id=hadm_id).rows
    values = [v.value for v in valid_values(rows, PLATELETS, "k/ul", high=3000)]
    orders = [r for r in session.query("get_medication_orders", hadm_id=hadm_id).rows if _OTHER.search(str(r["drug"]))]
    codes = [r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if str(r["icd_code"]).startswith("D7582")]
    fell = bool(values) and min(values) <= max(values) * 7 / 10
    if codes:
        draft.add(
            "F6",
            "status",
            "HIT is coded.",
            name="heparin-induced thrombocytopenia",
            value="present",
            evidence=refs(codes),
        )
    if orders:
        at = str(orders[0]["starttime"])
        draft.add(
            "F8", "medication", f"{orders[0]['drug']} was started at {at}.", name="alternative",
            value=str(orders[0]["drug"]), time=at, evidence=refs(orders[:1]),
        )  # fmt: skip
    right = fell and bool(orders)
    draft.conclude(
        Verdict.YES if right else Verdict.NO, "HIT, and another agent." if right else "No HIT that was treated."
    )
    return draft
