"""A limit in codes or text, and any tube, drip or dialysis after it, is discordant."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.eol_goal_concordance.chart import RENAL, level_of
from pytest_clinicare.systems.scripted.session import Session, refs

_STARTS = frozenset({224385, *RENAL})


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if code_of(r) in ("Z66", "V4986")]
    orders = [r for r in session.query("get_code_status", hadm_id=hadm_id).rows if str(r["ref"]).startswith("poe:")]
    limits = [r for r in orders if level_of(str(r.get("value") or "")) in ("L1", "L2")]
    if codes:
        draft.add("F5", "status", "The goal is DNR, as coded.", name="goal level", value="DNR", evidence=refs(codes))
    done = [
        r
        for r in session.query("get_procedures", hadm_id=hadm_id).rows
        if r.get("itemid") in _STARTS and limits and str(r.get("starttime")) > str(limits[0]["time"])
    ]
    for row in done[:1]:
        draft.add(
            "F6", "measurement", f"Start of {row['label']} at {row['starttime']}.", name="start",
            value=str(row["starttime"]), time=str(row["starttime"]), evidence=refs([row]),
        )  # fmt: skip
    draft.conclude(
        Verdict.NO if done else Verdict.YES, "Intensive treatment followed a limit." if done else "Limits were kept."
    )
    return draft
