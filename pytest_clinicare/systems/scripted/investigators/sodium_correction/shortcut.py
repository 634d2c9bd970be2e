"""Mornings and days: the index against the value nearest to 24 h after it, and the word alcohol as a risk factor."""

from __future__ import annotations

import re
from decimal import Decimal

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sodium_correction.chart import HOUR, SODIUM
from pytest_clinicare.systems.scripted.session import Session

_ALCOHOL = re.compile(r"alcohol\w*|vodka", re.IGNORECASE)


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    rows = session.query("get_labs", items=[SODIUM], hadm_id=hadm_id).rows
    found = valid_values([{**r, "comments": None} for r in rows], SODIUM, "meq/l", high=300)
    low = next((v for v in found if v.value <= 125), None)
    limit = 10
    for note in session.notes("discharge", hadm_id=hadm_id).items:
        word = _ALCOHOL.search(note.text)
        if word:
            limit = 8
            draft.add(
                "F5", "status", "The summary mentions alcohol.", name="alcohol use disorder", value="present",
                evidence=[note.span(word.start(), word.end())],
            )  # fmt: skip
    if low is None:
        draft.conclude(Verdict.LACK, "Sodium was not low.")
        return draft
    later = [v for v in found if low.time < v.time <= low.time + 36 * HOUR]
    near = min(later, key=lambda v: abs(v.time - low.time - 24 * HOUR), default=None)
    rise = near.value - low.value if near else Decimal(0)
    if near:
        draft.add(
            "F3", "computation", f"Sodium rose from {low.value} to {near.value} in a day.", name="rise in a day",
            value=float(rise), unit="mmol/L", evidence=[low.ref, near.ref],
        )  # fmt: skip
    over = rise >= limit
    draft.conclude(Verdict.YES if over else Verdict.NO, f"{rise} against {limit} mmol/L in a day.")
    return draft
