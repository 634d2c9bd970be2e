"""Triage is time zero, two lactates and an early listed antibiotic are the bundle."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.antibiotics import doses, routes
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.elements import ALONE
from pytest_clinicare.systems.scripted.session import Session


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    stay = next((r for r in session.query("list_ed_stays").rows if r.get("hadm_id") == hadm_id), None)
    lactates = session.query("get_labs", items=[50813], hadm_id=hadm_id).rows
    orders = session.query("get_medication_orders", hadm_id=hadm_id).rows
    given = doses(session.query("get_medication_administrations", hadm_id=hadm_id).rows, routes(orders))
    first = next((d for d in given if d.route == "IV"), None)
    early = True
    arrival = parse_time(stay["intime"]) if stay else None
    if stay and arrival:
        draft.add(
            "F1", "index_event", f"Time zero is triage, {stay['intime']}.", name="time zero", value="triage",
            time=str(stay["intime"]), evidence=[str(stay["triage_ref"])],
        )  # fmt: skip
        early = first is not None and first.time <= arrival + timedelta(hours=6)
    if first:
        draft.add(
            "F5",
            "medication",
            f"{first.agent} was given early.",
            name="antibiotic",
            value=first.agent,
            evidence=[first.ref],
        )
    done = len(lactates) > 1 and first is not None and first.agent in ALONE and early
    draft.conclude(
        Verdict.YES if done else Verdict.NO,
        "Lactates and an antibiotic are there." if done else "Something is missing.",
    )
    return draft
