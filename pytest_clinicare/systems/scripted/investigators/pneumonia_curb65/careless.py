"""Slips of an auditor who knows CURB-65."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.chart import HOUR
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import refs

_PSI = re.compile(r"PSI class \w+|pneumonia severity index[^.\n]*", re.IGNORECASE)


@investigate.slip
def seven(reading: Reading, draft: Draft) -> None:
    """Compares urea nitrogen in mg/dL with 7."""
    if reading.items.urea is None or not 7 < reading.items.urea.value <= 19:
        return
    draft.findings.pop("F4", None)
    draft.add(
        "F4", "computation", f"urea: {reading.items.urea.value} is above 7, points 1.", name="urea item", value="1",
        evidence=[reading.items.urea.ref],
    )  # fmt: skip
    if reading.items.least + 1 >= 3:
        draft.conclude(Verdict.YES, "CURB-65 is at least 3.")


@investigate.slip
def worst_of_the_stay(reading: Reading, draft: Draft) -> None:
    """Takes the lowest pressure of the whole stay."""
    session, start = reading.chart.session, iso(reading.chart.six + HOUR / 60)
    later = session.query("get_vitals", items=[220179, "sbp"], start=start, hadm_id=session.brief.hadm_id)
    low = [r for r in later.rows if r.get("valuenum") is not None and float(r["valuenum"]) < 90]
    if low:
        draft.add(
            "F6", "computation", f"blood pressure: systolic {low[0]['valuenum']:g} mmHg, points 1.",
            name="blood pressure item", value="1", evidence=refs(low[:1]),
        )  # fmt: skip
        if reading.items.least + 1 >= 3:
            draft.conclude(Verdict.YES, "CURB-65 is at least 3.")


@investigate.slip
def dementia_is_confusion(reading: Reading, draft: Draft) -> None:
    """Takes the code of dementia for confusion."""
    codes = [r for r in reading.chart.diagnoses.rows if code_of(r).startswith("F0")]
    if not codes:
        return
    draft.findings.pop("F7", None)
    draft.add("F7", "status", "confusion: dementia is coded, points 1.", name="confusion item", value="1",
              evidence=refs(codes))  # fmt: skip
    draft.conclude(Verdict.YES, "CURB-65 is at least 3.")


@investigate.slip
def other_score(reading: Reading, draft: Draft) -> None:
    """Takes a quoted PSI class for the answer."""
    for note in reading.chart.mine:
        found = _PSI.search(note.text)
        if found:
            draft.add("F8", "comparison", "PSI class IV is severe pneumonia.", name="PSI", value="IV",
                      evidence=[note.span(found.start(), found.end())])  # fmt: skip
            draft.conclude(Verdict.YES, "PSI class IV.")


MISTAKES = (seven, worst_of_the_stay, dementia_is_confusion, other_score)
