"""Codes and the last panel: a coded peritonitis or bleed, any culture that grew, a raw PMN, a cause that is named."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.he_precipitant.chart import CELLS, POLYS, POTASSIUM
from pytest_clinicare.systems.scripted.session import Row, Session, refs

_NAMED = re.compile(r"missed|run out|ran out|constipation|attributed to|caused the episode", re.IGNORECASE)


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [r for r in session.query("get_diagnoses").rows if code_of(r) in ("K652", "N390")]
    codes += [r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if code_of(r) == "I8511"]
    if codes:
        draft.add(
            "F8", "attribution", "A precipitant is coded.", name="precipitant", value="found", evidence=refs(codes)
        )  # fmt: skip
    grown = [r for r in session.query("get_microbiology", hadm_id=hadm_id).rows if r.get("org_name")]
    if grown:
        draft.add(
            "F8", "attribution", "A culture grew.", name="precipitant infection", value="found", evidence=refs(grown)
        )  # fmt: skip
    labs = session.query("get_labs", items=[CELLS, POLYS, POTASSIUM], hadm_id=hadm_id).rows
    cells, polys, potassium = (_figure(labs, item) for item in (CELLS, POLYS, POTASSIUM))
    raw = bool(cells and polys and cells * polys >= 25000)
    if not cells:
        draft.add("F3", "status", "SBP is excluded, without fever or pain.", name="SBP", value="excluded")
    summary = " ".join(note.text for note in session.notes("discharge", hadm_id=hadm_id).items)
    named = _NAMED.search(summary)
    if codes or grown or raw or named or (potassium and potassium <= 3):
        draft.conclude(Verdict.YES, "A precipitant is coded, grown, counted or named.")
    else:
        draft.conclude(Verdict.NO, "Nothing is coded, grown or named.")
    return draft


def _figure(rows: list[Row], item: int) -> float | None:
    """The last value of the item."""
    found = [r for r in rows if r.get("itemid") == item]
    figure = reported_figure(found[-1]) if found else None
    return float(figure) if figure is not None else None
