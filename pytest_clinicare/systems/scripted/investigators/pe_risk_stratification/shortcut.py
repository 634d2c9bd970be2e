"""The code and the first row: I26 is embolism, any given anticoagulant is treatment, any low pressure is high risk."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.vital_signs import readings
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.chart import HOUR
from pytest_clinicare.systems.scripted.session import Row, Session, refs

_DRUG = re.compile(r"heparin|enoxaparin|apixaban|rivaroxaban", re.IGNORECASE)


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    codes = [r for r in session.query("get_diagnoses", hadm_id=hadm_id).rows if str(r["icd_code"]).startswith("I26")]
    if codes:
        draft.add("F1", "status", "PE is coded.", name="acute PE", value="confirmed", evidence=refs(codes))
    scans = session.query("list_notes", kind="radiology", hadm_id=hadm_id).rows
    scan = parse_time(scans[0]["charttime"]) if scans else None
    stay = next((r for r in session.query("list_ed_stays").rows if r["hadm_id"] == hadm_id), None)
    arrival = parse_time(stay["intime"]) if stay else scan
    if arrival is None:
        draft.conclude(Verdict.NO, "Nothing was found.")
        return draft
    begin, end = arrival, arrival + 8 * HOUR
    vitals = session.query("get_vitals", items=["sbp"], start=iso(begin), end=iso(end)).rows
    low = [s for s in readings("systolic pressure", stay, vitals, begin, end) if s.value < 90]
    given = session.query("get_medication_administrations", start=iso(begin), end=iso(end)).rows
    doses = [r for r in given if _DRUG.search(str(r.get("drug"))) and _dose(r)]
    lysis = [r for r in given if "lteplase" in str(r.get("drug"))]
    if doses:
        draft.add(
            "F7", "medication", f"{doses[0]['drug']} was given.", name="anticoagulant", value="treatment dose",
            time=str(doses[0]["charttime"]), evidence=refs(doses[:1]),
        )  # fmt: skip
    if low:
        draft.add(
            "F2", "status", "A pressure below 90 was charted.", name="ESC class", value="high", evidence=[low[0].ref]
        )
    good = bool(doses) and (not low or bool(lysis))
    draft.conclude(Verdict.YES if good else Verdict.NO, "Treated." if good else "Not treated for the risk.")
    return draft


def _dose(row: Row) -> bool:
    return row.get("source") == "inputevents" or is_given(row.get("event_txt"))
