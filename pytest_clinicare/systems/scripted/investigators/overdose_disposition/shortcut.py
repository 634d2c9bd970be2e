"""Codes and orders: a consult order is an evaluation, an order for the antidote is treatment."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.overdose_disposition.chart import ACETAMINOPHEN, ALT
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess: a last ALT or level that is high, or a self-harm code that goes home, is discordant."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = session.query("get_diagnoses", hadm_id=hadm_id).rows
    harm = [r for r in codes if code_of(r)[:1] == "T" and code_of(r)[5:6] == "2"]
    if harm:
        draft.add(
            "F8", "status", "Self-harm is coded.", name="intent", value="present", evidence=refs(harm),
        )  # fmt: skip
    orders = session.query("get_medication_orders", hadm_id=hadm_id, drug="cetylcysteine").rows
    if orders:
        draft.add(
            "F6", "medication", "Acetylcysteine was given.", name="acetylcysteine", value="given",
            evidence=refs(orders),
        )  # fmt: skip
    consults = [
        r
        for r in session.query("get_orders", hadm_id=hadm_id, order_type="Consults").rows
        if r.get("order_subtype") == "Psychiatry"
    ]
    if consults:
        draft.add(
            "F9", "status", "Psychiatry evaluated the patient.", name="psychiatric evaluation", value="documented",
            evidence=refs(consults),
        )  # fmt: skip
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), {})
    where = str(admission.get("discharge_location") or "")
    labs = session.query("get_labs", items=[ACETAMINOPHEN, ALT], hadm_id=hadm_id).rows
    high = False
    for item, limit in ((ACETAMINOPHEN, 20), (ALT, 300)):
        rows = [r for r in labs if r.get("itemid") == item]
        figure = reported_figure(rows[-1]) if rows else None
        high = high or (figure is not None and figure > limit and where != "HOME")
    if where == "AGAINST ADVICE":
        draft.conclude(Verdict.LACK, "The patient left.")
    elif high or (harm and where == "HOME"):
        draft.conclude(Verdict.NO, "Released with a high value, or home after self-harm.")
    else:
        draft.conclude(Verdict.YES, "Nothing speaks against the release.")
    return draft
