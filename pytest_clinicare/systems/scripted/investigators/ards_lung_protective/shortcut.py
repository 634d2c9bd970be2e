"""A coded or named ARDS, the first tidal volume by the weight on the chart, and the highest plateau."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.clinical.ventilator import PLATEAU, VOLUME_SET
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs

_WEIGHT = 226512


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, brief = Draft(), session.brief
    codes = [r for r in session.query("get_diagnoses", hadm_id=brief.hadm_id).rows if code_of(r).startswith("J80")]
    if codes:
        draft.add("F2", "status", "ARDS is coded.", name="ARDS", value="present", evidence=refs(codes))
    rows = session.query("get_vitals", stay_id=brief.stay_id, items=[VOLUME_SET, PLATEAU, _WEIGHT]).rows
    volume = next((r for r in rows if r["itemid"] == VOLUME_SET), None)
    weight = next((r for r in rows if r["itemid"] == _WEIGHT), None)
    high = max((reported_figure(r) or 0 for r in rows if r["itemid"] == PLATEAU), default=0)
    if volume is None or weight is None:
        draft.conclude(Verdict.LACK, "There is no tidal volume.")
        return draft
    per = float(volume["valuenum"]) / float(weight["valuenum"])
    for evidence in ([volume], [volume, weight]):
        draft.add(
            "F7", "computation", f"Tidal volume {volume['value']} mL is {per:.1f} mL/kg.", name="mL/kg",
            value=round(per, 2), unit="mL/kg", evidence=refs(evidence),
        )  # fmt: skip
    fine = per <= 8 and high <= 30
    draft.conclude(Verdict.YES if fine else Verdict.NO, f"{per:.1f} mL/kg and a plateau of at most {high}.")
    return draft
