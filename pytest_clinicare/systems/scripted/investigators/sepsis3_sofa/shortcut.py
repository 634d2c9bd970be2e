"""Sepsis is coded, or a culture and an antibiotic order lie together and something is badly off."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs

_CREATININE, _PLATELETS, _PO2, _BILIRUBIN = 50912, 51265, 50821, 50885
_LIMITS = {_CREATININE: (2.0, True), _BILIRUBIN: (2.0, True), _PLATELETS: (100, False), _PO2: (92, False)}


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [
        r
        for r in session.query("get_diagnoses", hadm_id=hadm_id).rows
        if code_of(r).startswith(("A40", "A41", "R652", "038", "9959"))
    ]
    if codes:
        draft.add("F4", "status", "Sepsis is coded.", name="sepsis", value="present", evidence=refs(codes))
    cultures = session.query("get_microbiology", hadm_id=hadm_id).rows
    orders = [
        r for r in session.query("get_medication_orders", hadm_id=hadm_id).rows if agent_of(str(r.get("drug") or ""))
    ]
    for row in orders[:1]:
        draft.add(
            "F3", "medication", f"{row['drug']} was started at {row['starttime']}.", name="antibiotic",
            value=str(row["drug"]), time=str(row["starttime"]), evidence=refs([row]),
        )  # fmt: skip
    bad = []
    for row in session.query("get_labs", items=list(_LIMITS), hadm_id=hadm_id).rows:
        figure, (limit, above) = reported_figure(row), _LIMITS[row["itemid"]]
        if figure is not None and (figure >= limit if above else figure < limit):
            bad.append(row)
    yes = bool(codes) or bool(cultures and orders and bad)
    draft.conclude(
        Verdict.YES if yes else Verdict.NO, "Sepsis by the look of it." if yes else "Nothing suggests sepsis."
    )
    return draft
