"""The findings of a renal trajectory report: F1 to F5 here, the rest in ``status``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical import kidney
from pytest_clinicare.systems.scripted.clinical.egfr import rounded
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.trajectory import Admission
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.renal_trajectory import status
from pytest_clinicare.systems.scripted.session import Session

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.renal_trajectory.investigation import Chart, Onset

LOCAL = "refhosp-renal-trajectory-review"
EQUATION = "ckd-epi-2021"
CKD = "kdigo-ckd-2012"
AUDIT = "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Admissions",
    "F2": "Creatinine of each admission",
    "F3": "Estimated GFR",
    "F4": "Change from reference to latest",
    "F5": "Turning points",
    "F6": "Replacement therapy",
    "F7": "CKD stages against the laboratory",
    "F8": "Weight and cystatin C",
    "F9": "Renally active drugs",
}


def write(chart: Chart, draft: Draft, onset: Onset | None, present: tuple[str, ...]) -> None:
    """All findings; each names its rows, or the query that came back empty."""
    for admission in chart.admissions:
        _admission(chart.session, draft, admission)
        _values(chart.session, draft, admission, end_stage=_end_stage(chart, admission))
    if not any(a.aki for a in chart.admissions):
        draft.add(
            "F2",
            "absence",
            f"No admission holds acute kidney injury: no peak of 1.5 x the lowest value, {_unstated(chart)}.",
            name="aki",
            value="none",
            evidence=[*(a.peak.ref for a in chart.admissions if a.values), *chart.discharge.evidence],
            policy=[chart.session.policy(LOCAL, "2.2 Settled")],
        )
    _trend(chart, draft)
    _inflections(chart, draft)
    status.replacement_status(chart, draft, onset, present)
    status.stage_codes(chart, draft)
    status.muscle(chart, draft)
    status.drugs(chart, draft)


def _unstated(chart: Chart) -> str:
    return "none stated in a summary" if chart.discharge.items else "and no discharge summary that could state one"


def _admission(session: Session, draft: Draft, admission: Admission) -> None:
    state = "evaluable" if admission.evaluable else f"not evaluable ({admission.why_not})"
    draft.add(
        "F1",
        "encounter",
        f"Admission {admission.hadm_id}, {iso(admission.admitted)} to {iso(admission.discharged)}, age "
        f"{admission.age}: {state}.",
        name=str(admission.hadm_id),
        value=state,
        time=iso(admission.admitted),
        evidence=[admission.ref, *admission.dialysis[: status.SHOWN]],
        policy=[session.policy(LOCAL, "2.1 Evaluable"), session.policy(AUDIT, "6.4 Encounter")],
    )


def _end_stage(chart: Chart, admission: Admission) -> bool:
    """Dialysed with end-stage disease coded: creatinine then swings with the sessions."""
    coded = kidney.codes_in(chart.codes_of(admission.hadm_id), kidney.ESRD_CODES)
    return bool(coded and admission.dialysis) and not admission.aki_stated


def _values(session: Session, draft: Draft, admission: Admission, *, end_stage: bool) -> None:
    """F2 and F3 of one admission."""
    name, rules = str(admission.hadm_id), [session.policy(LOCAL, "2 Admission-level")]
    if not admission.values:
        draft.add(
            "F2",
            "absence",
            f"Admission {name} has no valid serum creatinine.",
            name=name,
            value="none",
            evidence=[admission.ref],
            policy=rules,
        )
        return
    low, peak, last = admission.lowest, admission.peak, admission.last
    use = "" if admission.evaluable else f"; not used as a baseline: {admission.why_not}"
    draft.add(
        "F2",
        "baseline",
        f"Admission {name}: lowest valid creatinine {low.value} mg/dL at {iso(low.time)}{use}.",
        name=name,
        value=float(low.value),
        unit="mg/dL",
        time=iso(low.time),
        evidence=[low.ref],
        policy=rules,
    )
    draft.add(
        "F2",
        "peak",
        f"Admission {name}: peak creatinine {peak.value} mg/dL at {iso(peak.time)}.",
        name=name,
        value=float(peak.value),
        unit="mg/dL",
        time=iso(peak.time),
        evidence=[peak.ref],
        policy=rules,
    )
    draft.add(
        "F2",
        "measurement",
        f"Admission {name}: discharge creatinine {last.value} mg/dL at {iso(last.time)}, the last of "
        f"{number(len(admission.values), 'value')}.",
        name=f"discharge creatinine {name}",
        value=float(last.value),
        unit="mg/dL",
        time=iso(last.time),
        evidence=[last.ref],
        policy=rules,
    )
    if admission.aki and end_stage:
        draft.add(
            "F2",
            "status",
            f"Admission {name}: creatinine {low.value} to {peak.value} mg/dL on dialysis, end-stage disease coded; the "
            f"swing between sessions is not read as acute kidney injury.",
            name=f"aki {name}",
            value="not read",
            evidence=[peak.ref, low.ref, last.ref],
            policy=[session.policy(LOCAL, "2.1 Evaluable")],
        )
    elif admission.aki:
        ratio = f"{peak.value / low.value:.1f} "
        stated = " (and stated in the summary)" if admission.aki_stated else ""
        settled = (
            "not settled"
            if "not settled" in admission.why_not
            else "settled"
            if admission.evaluable
            else "with dialysis or too few values to settle"
        )
        draft.add(
            "F2",
            "status",
            f"Admission {name} holds acute kidney injury, {settled}: peak {peak.value} is {ratio}x the lowest "
            f"{low.value}, discharge {last.value} mg/dL{stated}.",
            name=f"aki {name}",
            value=settled,
            evidence=[peak.ref, low.ref, last.ref],
            policy=[session.policy(LOCAL, "2.2 Settled")],
        )
    if admission.evaluable:
        draft.add(
            "F3",
            "computation",
            f"Admission {name}: CKD-EPI 2021 creatinine equation on {low.value} mg/dL, age {admission.age}, "
            f"{'female' if admission.female else 'male'}: eGFR {rounded(admission.egfr)} mL/min/1.73 m2, "
            f"{admission.category}.",
            name="CKD-EPI 2021",
            value=round(admission.egfr, 1),
            unit="mL/min/1.73 m2",
            time=iso(low.time),
            evidence=[low.ref, f"patients:{session.brief.subject_id}", admission.ref],
            policy=[session.policy(EQUATION, "3 Creatinine equation"), session.policy(CKD, "GFR categor")],
        )


def _trend(chart: Chart, draft: Draft) -> None:
    rules = [
        chart.session.policy(LOCAL, "4.2 Sustained decline"),
        chart.session.policy(LOCAL, "3 Reference and latest"),
        chart.session.policy(CKD, "5.1 What counts"),
    ]
    trend = chart.trend
    if trend is None:
        evidence = [a.ref for a in chart.admissions]
        draft.add(
            "F3",
            "absence",
            f"Evaluable admissions: {len(chart.evaluable)} of {len(chart.admissions)}; fewer than two, so no eGFR is "
            f"compared.",
            name="evaluable admissions",
            value=len(chart.evaluable),
            evidence=evidence,
            policy=[chart.session.policy(LOCAL, "7 Lack of data")],
        )
        draft.add(
            "F4",
            "absence",
            "No percentage or category change can be given with fewer than two evaluable admissions.",
            name="decline",
            value="not computable",
            evidence=evidence,
            policy=rules,
        )
        return
    days = (trend.latest.admitted - trend.reference.admitted).days
    draft.add(
        "F4",
        "trend",
        f"From admission {trend.reference.hadm_id} to {trend.latest.hadm_id}, {days} days apart: eGFR "
        f"{trend.reference.egfr:.1f} to {trend.latest.egfr:.1f}, {trend.words}, {trend.reference.category} to "
        f"{trend.latest.category}.",
        name="decline",
        value=round(100 * trend.decline, 1),
        unit="%",
        time=iso(trend.latest.admitted),
        evidence=[trend.reference.lowest.ref, trend.latest.lowest.ref],
        policy=rules,
    )


def _inflections(chart: Chart, draft: Draft) -> None:
    rule = [chart.session.policy(LOCAL, "9 Reporting")]
    injured = [a for a in chart.admissions if a.aki and not _end_stage(chart, a)]
    for admission in injured:
        spans = [n.span(s.start, s.end) for n in chart.notes_of(admission.hadm_id) if (s := kidney.stated_aki(n.text))]
        reason = (
            "the discharge summary speaks of it"
            if spans
            else "no passage of a discharge summary explains it"
            if chart.discharge.items
            else "there is no discharge summary that could explain it"
        )
        draft.add(
            "F5",
            "trend",
            f"Turning point at admission {admission.hadm_id}: creatinine to {admission.peak.value} mg/dL; {reason}.",
            name="inflection",
            time=iso(admission.peak.time),
            evidence=[admission.peak.ref, *(spans or chart.discharge.evidence[: 0 if chart.discharge.items else 1])],
            policy=rule,
        )
    if not injured:
        draft.add(
            "F5",
            "absence",
            "No turning point by acute kidney injury."
            + (
                " No passage speaks of one."
                if chart.discharge.items
                else " There is no discharge summary to explain one."
            ),
            name="inflection",
            value="none",
            evidence=chart.discharge.evidence,
            policy=rule,
        )
