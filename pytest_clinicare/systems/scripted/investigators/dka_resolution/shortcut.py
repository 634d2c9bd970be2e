"""The summary and the last sugar: what the note calls closed or resolved is so, the order's stop is the stop."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, find_asserted
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs

_RESOLVED = re.compile(r"gap (?:had )?closed|closure of the gap|resolved", re.IGNORECASE)
_FINGERSTICK = 225664


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    orders = session.query("get_medication_orders", hadm_id=hadm_id, drug="Insulin Regular").rows
    stop = str(orders[0]["stoptime"]) if orders else None
    for row in orders[:1]:
        draft.add(
            "F1", "index_time", f"The insulin infusion stopped at {stop}.", name="T_stop", value=stop, time=stop,
            evidence=refs([row]),
        )  # fmt: skip
    sugars = session.query("get_vitals", items=[_FINGERSTICK], hadm_id=hadm_id, end=stop).rows
    low = True
    for row in sugars[-1:]:
        figure = reported_figure(row)
        low = figure is not None and figure < 200
        draft.add(
            "F3", "measurement", f"Last glucose {row['value']} mg/dL.", name="glucose", value=float(row["valuenum"]),
            time=str(row["charttime"]), evidence=refs([row]),
        )  # fmt: skip
    for note in session.notes("discharge", hadm_id=hadm_id).items:
        found = find_asserted(_RESOLVED, note.text, skip=BACKGROUND)
        if found:
            draft.add(
                "F5", "status", f'The summary says: "{found.text}"', name="resolution", value="resolved",
                evidence=[note.span(found.start, found.end)],
            )  # fmt: skip
    draft.conclude(Verdict.YES if low else Verdict.NO, "The sugar at the stop was below 200." if low else "It was not.")
    return draft
