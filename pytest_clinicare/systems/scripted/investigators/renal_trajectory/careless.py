"""Three slips of an auditor who knows RH-NEPH-05."""

from __future__ import annotations

from itertools import pairwise

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import kidney
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigators.renal_trajectory import findings, status
from pytest_clinicare.systems.scripted.investigators.renal_trajectory.investigation import (
    Reading,
    dialysis_in,
    gather,
    investigate,
    look,
)
from pytest_clinicare.systems.scripted.session import Row, Session, refs


@investigate.slip
def highest_value_is_the_baseline(reading: Reading, draft: Draft) -> None:
    """Takes the peak of an admission with acute kidney injury for its baseline."""
    chart = reading.chart
    injured = [a for a in chart.admissions if a.aki]
    for admission in injured:
        peak = admission.peak
        draft.add(
            "F2", "baseline", f"Admission {admission.hadm_id}: creatinine {peak.value} mg/dL.",
            name=str(admission.hadm_id), value=float(peak.value), unit="mg/dL", time=iso(peak.time),
            evidence=[peak.ref],
        )  # fmt: skip
    if injured:
        draft.conclude(Verdict.YES, f"Creatinine rose to {injured[-1].peak.value} mg/dL.")


@investigate.slip
def another_equation_at_the_end(reading: Reading, draft: Draft) -> None:
    """Reads the last estimate off a table of the MDRD equation, beside CKD-EPI before."""
    chart = reading.chart
    if not chart.evaluable:
        return
    last = chart.evaluable[-1]
    low = float(last.lowest.value)
    estimate = 175 * low**-1.154 * last.age**-0.203 * (0.742 if last.female else 1.0)
    draft.add(
        "F3", "computation", f"Admission {last.hadm_id}: MDRD eGFR {estimate:.0f} mL/min/1.73 m2.", name="MDRD",
        value=round(estimate, 1), unit="mL/min/1.73 m2", time=iso(last.lowest.time), evidence=[last.lowest.ref],
    )  # fmt: skip
    if chart.trend is not None and estimate <= 0.85 * chart.trend.reference.egfr:
        draft.conclude(Verdict.YES, f"eGFR fell to {estimate:.0f}.")


def codes_tell(session: Session) -> Draft:
    """Lets codes decide: any dialysis is its onset, a stage that rises is progression, and no stage is none."""
    draft, reading = Draft(titles=findings.TITLES), look(gather(session))
    chart = reading.chart
    status.replacement_status(chart, draft, reading.onset, reading.present)
    status.stage_codes(chart, draft)
    dialysis = [row for a in chart.admissions for row in dialysis_in(chart, a.hadm_id, a.start, a.discharged)]
    if dialysis:
        draft.add(
            "F6", "status", "Dialysis was begun.", name="replacement therapy", value="onset",
            evidence=refs(dialysis)[: status.SHOWN],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "Dialysis within the record is end-stage disease.")
        return draft
    draft.findings.pop("F6", None)
    stages = [max(found) for a in chart.admissions if (found := _coded(chart.codes_of(a.hadm_id)))]
    rises = any(later > earlier for earlier, later in pairwise(stages))
    told = f"{number(len(stages), 'stage')} coded"
    draft.conclude(
        Verdict.YES if rises else Verdict.NO,
        f"{told}, the last higher than the first." if rises else f"{told}, none higher than before.",
    )
    return draft


def _coded(rows: list[Row]) -> list[int]:
    return [stage for row in rows if (stage := kidney.coded_stage(row))]


MISTAKES = (highest_value_is_the_baseline, another_equation_at_the_end, codes_tell)
