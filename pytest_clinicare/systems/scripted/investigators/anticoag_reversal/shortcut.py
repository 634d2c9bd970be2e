"""An agent that was ordered was given, and a patient on an anticoagulant who bleeds must have one."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.anticoag_reversal.chart import AGENTS, DRUGS
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    home = session.query("get_home_medications").rows
    taken = [r for r in home if any(pattern.search(str(r.get("name") or "")) for pattern in DRUGS.values())]
    if not taken:
        draft.conclude(Verdict.LACK, "The home list names no anticoagulant.")
        return draft
    orders = session.query("get_medication_orders", hadm_id=hadm_id).rows
    agents = [r for r in orders if any(pattern.search(str(r.get("drug") or "")) for pattern in AGENTS.values())]
    if not agents:
        draft.finding("F5").absence("No reversal agent was ordered.", refs(orders[:5]), "reversal agent")
        draft.conclude(Verdict.NO, "A bleed on an anticoagulant and no reversal agent: reversal was omitted.")
        return draft
    first = min(agents, key=lambda r: str(r["starttime"]))
    out = draft.finding("F5")
    out.status(f"{first['drug']} was given.", refs([first]), "reversal agent", str(first["drug"]))
    out.claim(
        "computation", f"The time to reversal is measured to {first['starttime']}.", refs([first]),
        name="time to reversal", time=str(first["starttime"]),
    )  # fmt: skip
    draft.conclude(Verdict.YES, f"{first['drug']} was given.")
    return draft
