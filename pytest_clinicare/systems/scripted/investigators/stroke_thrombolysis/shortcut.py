"""Any alteplase is thrombolysis, good if inside the hour; without it any excuse will do."""

from __future__ import annotations

import re
from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.session import Session, refs

_EXCUSE = re.compile(r"(?:not|no)\b[^.]{0,40}(?:alteplase|tPA|thrombolysis)|(?:alteplase|thrombolysis) was not", re.I)


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    stay = next((r for r in session.query("list_ed_stays").rows if r.get("hadm_id") == hadm_id), None)
    arrival = parse_time(stay["intime"]) if stay else None
    if stay is None or arrival is None:
        draft.conclude(Verdict.LACK, "No arrival.")
        return draft
    draft.add("F1", "index_time", f"The stroke began about arrival, {stay['intime']}.", name="last-known-well",
              value=str(stay["intime"]), time=str(stay["intime"]), evidence=[str(stay["triage_ref"])])  # fmt: skip
    given = session.query("get_medication_administrations", hadm_id=hadm_id, drug="alteplase").rows
    orders = [] if given else session.query("get_medication_orders", hadm_id=hadm_id, drug="alteplase").rows
    if given or orders:
        first = parse_time(given[0]["charttime"] if given else orders[0].get("starttime")) or arrival
        draft.add("F3", "medication", "Thrombolysis with alteplase was given.", name="thrombolysis", value="given",
                  evidence=refs(given[:2] or orders[:1]))  # fmt: skip
        minutes = round((first - arrival).total_seconds() / 60)
        draft.add("F4", "status", f"Door-to-needle {minutes} min.", name="door-to-needle",
                  value="too long" if minutes > 60 else "in time", evidence=refs(given[:1] or orders[:1]))  # fmt: skip
        vitals = session.query("get_vitals", items=["sbp", "dbp"], start=str(arrival), end=str(first)).rows
        high = [r for r in vitals if r["charttime"] >= str(first - timedelta(minutes=15)) and
                float(r["valuenum"] or 0) >= (185 if r["label"] == "sbp" else 110)]  # fmt: skip
        fine = minutes <= 60 and not high
        draft.conclude(Verdict.YES if fine else Verdict.NO, "In time." if fine else "Door-to-needle exceeded 60 min.")
        return draft
    texts = " ".join(n.text for n in session.notes("discharge", hadm_id=hadm_id).items)
    excused = _EXCUSE.search(texts) is not None
    draft.conclude(
        Verdict.YES if excused else Verdict.NO, "A reason is stated." if excused else "Alteplase was omitted."
    )
    return draft
