"""Post-CT acute kidney injury, as RH-NEPH-03 directs."""

from __future__ import annotations

from datetime import datetime

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import creatinine
from pytest_clinicare.systems.scripted.clinical.creatinine import Baseline
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.post_ct_aki import findings
from pytest_clinicare.systems.scripted.investigators.post_ct_aki.chart import gather
from pytest_clinicare.systems.scripted.session import Session


def investigate(session: Session) -> Draft:
    """Gather the required sources, then decide in the protocol's order."""
    chart = gather(session)
    draft = Draft(titles=findings.TITLES)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return draft
    if not chart.any_report.rows:
        draft.missing.append("There is no radiology report, of this or any other admission.")
    if not chart.discharge.items:
        draft.missing.append("There is no discharge summary, of this or any other admission.")
    study, t0, unresolved = findings.index(chart, session, draft)
    dialysis = findings.dialysis_status(chart, session, draft)
    stage = findings.ckd_status(chart, session, draft)
    window = creatinine.post_scan(chart.values, t0) if t0 else []
    base = findings.baseline_finding(chart, session, draft, t0)
    findings.window_finding(chart, session, draft, t0, window)
    findings.comparison_finding(session, draft, base, window, dialysis, t0)
    findings.attribution_finding(session, draft, study)
    _decide(draft, t0, unresolved, dialysis, base, window, stage)
    return draft


def _decide(
    draft: Draft,
    t0: datetime | None,
    unresolved: str,
    dialysis: bool,
    base: Baseline | None,
    window: list[Value],
    stage: int | None,
) -> None:
    rising = base is not None and any(creatinine.qualifies(v.value, base.value) for v in window)
    lean = Verdict.YES if rising else Verdict.NO
    if t0 is None:
        draft.reopens = "A radiology report that confirms the scan and times it."
        if dialysis:
            draft.reopens += (
                " With it the answer would be medically ambiguous, as dialysis or end-stage disease is on record (F6)."
            )
        draft.conclude(Verdict.LACK, f"The scan time cannot be resolved: {unresolved}.", lean)
    elif dialysis:
        draft.conclude(
            Verdict.AMBIGUOUS,
            "With end-stage disease or dialysis creatinine is not the work of the patient's kidneys.",
            lean,
        )
    elif base is None:
        draft.reopens = "A creatinine from before the scan, or a documented chronic kidney disease."
        draft.conclude(Verdict.LACK, "No baseline tier yields a value.", lean)
    elif rising and base.unstable and not any(creatinine.qualifies(v.value, base.median) for v in window):
        draft.conclude(
            Verdict.AMBIGUOUS, "A rise is there against the lowest tier 1 value and not against the median.", lean
        )
    elif rising:
        draft.conclude(
            Verdict.YES,
            "A creatinine in the 48 h after the scan meets a KDIGO limb: kidney injury followed the CT in time.",
        )
    elif len(window) < 2:
        draft.reopens = "A further creatinine in the 48 h after the scan."
        held = f"Only {number(len(window), 'creatinine value')}" if window else "No creatinine value"
        draft.conclude(
            Verdict.LACK,
            f"{held} in the window and none qualifies; absence needs two.",
            lean,
        )
    elif stage in (4, 5):
        draft.conclude(
            Verdict.AMBIGUOUS, f"No rise, but CKD stage {stage} without dialysis blocks a finding of no injury.", lean
        )
    else:
        draft.conclude(
            Verdict.NO,
            "No creatinine in the 48 h after the scan meets a KDIGO limb: kidney injury did not follow the CT.",
        )
