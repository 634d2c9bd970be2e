"""The findings F6 to F9 of a renal trajectory report: replacement therapy, stage codes, muscle mass, drugs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.systems.scripted.clinical import kidney
from pytest_clinicare.systems.scripted.clinical.drugs import renally_active
from pytest_clinicare.systems.scripted.clinical.egfr import in_stage_or_worse
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.session import Row, refs

if TYPE_CHECKING:
    from pytest_clinicare.systems.scripted.investigators.renal_trajectory.investigation import Chart, Onset

LOCAL = "refhosp-renal-trajectory-review"
EQUATION = "ckd-epi-2021"
CKD = "kdigo-ckd-2012"
AUDIT = "refhosp-chart-audit-standard"
SHOWN = 4
"""Rows of one kind that a statement cites at most."""


def replacement_status(chart: Chart, draft: Draft, onset: Onset | None, present: tuple[str, ...]) -> None:
    rules = [chart.session.policy(LOCAL, "4.1 Replacement therapy")]
    temporary = [a for a in chart.admissions if a.dialysis]
    if onset:
        draft.add(
            "F6",
            "status",
            f"Onset of replacement therapy within the record: {onset.what}, first documented at admission "
            f"{onset.hadm_id} of {onset.admitted:%Y-%m-%d}.",
            name="replacement therapy",
            value="onset",
            evidence=onset.evidence,
            policy=rules,
        )
        _before_onset(chart, draft, onset, rules)
    elif present:
        draft.add(
            "F6",
            "status",
            "Replacement therapy was present when the first admission began; there is no onset in the record.",
            name="replacement therapy",
            value="present from the start",
            evidence=present,
            policy=rules,
        )
    elif temporary:
        draft.add(
            "F6",
            "status",
            f"Dialysis is charted, coded or ordered at {number(len(temporary), 'admission')} "
            f"({', '.join(str(a.hadm_id) for a in temporary)}) and no onset of maintenance dialysis or transplant is "
            f"documented: it counts as temporary.",
            name="replacement therapy",
            value="temporary",
            evidence=[ref for a in temporary for ref in a.dialysis],
            policy=rules,
        )
    else:
        looked = [
            *chart.diagnoses.evidence[:5],
            f"call:{chart.procedures.call}",
            f"call:{chart.dialysis_orders.call}",
            *chart.discharge.evidence,
        ]
        stated = (
            "nor stated in a discharge summary"
            if chart.discharge.items
            else "and there is no discharge summary that could state it"
        )
        draft.add(
            "F6",
            "status",
            f"No replacement therapy: none in codes, procedures or dialysis orders, {stated}.",
            name="replacement therapy",
            value="none",
            evidence=looked,
            policy=rules,
        )


def _before_onset(chart: Chart, draft: Draft, onset: Onset, rules: list[str]) -> None:
    """What points to replacement therapy at earlier admissions and documents no onset by itself."""
    for admission in (a for a in chart.admissions if a.admitted < onset.admitted):
        coded = kidney.codes_in(chart.codes_of(admission.hadm_id), kidney.ESRD_CODES | kidney.TRANSPLANT_CODES)
        if not coded and not admission.dialysis:
            continue
        text = (
            f"end-stage disease or dialysis status is coded ({', '.join(kidney.code_of(r) for r in coded)}), with no "
            f"treatment or statement in that admission to document it"
            if coded
            else "dialysis without an end-stage code, which is not yet an onset"
        )
        draft.add(
            "F6",
            "status",
            f"Before that, admission {admission.hadm_id} of {admission.admitted:%Y-%m-%d}: {text}.",
            name=f"dialysis {admission.hadm_id}",
            value="before onset",
            evidence=(*refs(coded), *admission.dialysis[:SHOWN]),
            policy=rules,
        )


def stage_codes(chart: Chart, draft: Draft) -> None:
    rules = [chart.session.policy(LOCAL, "6.2 Codes against"), chart.session.policy(CKD, "8 Coding")]
    parts: list[str] = []
    evidence: list[str] = []
    for admission in chart.admissions:
        rows = [r for r in chart.codes_of(admission.hadm_id) if kidney.is_ckd_code(r)]
        evidence += refs(rows)
        evidence += [
            n.span(f[1].start, f[1].end)
            for n in chart.notes_of(admission.hadm_id)
            if (f := kidney.stated_stage(n.text))
        ]
        coded = ", ".join(kidney.code_of(r) for r in rows)
        parts.append(
            f"{admission.hadm_id}: "
            f"{f'stage {admission.stage}' if admission.stage else 'no stage'}{f' ({coded})' if coded else ''}"
        )
    agree = _agreement(chart)
    draft.add(
        "F7",
        "status",
        f"CKD stages by admission: {'; '.join(parts) or 'none'}. Codes and laboratory values: {agree}.",
        name="ckd stage codes",
        value=agree,
        evidence=evidence or chart.diagnoses.evidence[:5],
        policy=rules,
    )


def _agreement(chart: Chart) -> str:
    """The stages of evaluable admissions against their eGFR; a stage of another admission has no eGFR beside it."""
    staged = [a for a in chart.admissions if a.stage]
    if not staged:
        return "no stage to compare"
    measured = [(a, a.stage) for a in staged if a.evaluable and a.stage]
    off = [
        f"{a.hadm_id} (stage {stage}, eGFR {a.egfr:.0f})"
        for a, stage in measured
        if not in_stage_or_worse(a.egfr, stage)
    ]
    unseen = [str(a.hadm_id) for a in staged if not a.evaluable]
    beside = f"; no eGFR to compare at {', '.join(unseen)}" if unseen else ""
    if not measured:
        return "no eGFR to compare" + (f" at {', '.join(unseen)}" if unseen else "")
    if off:
        return f"disagree, the eGFR being better than the stage, at {', '.join(off)}{beside}"
    return f"agree at {', '.join(str(a.hadm_id) for a, _ in measured)}{beside}"


def muscle(chart: Chart, draft: Draft) -> None:
    rules = [chart.session.policy(LOCAL, "6.1 Mild decline"), chart.session.policy(EQUATION, "5.1 Muscle mass")]
    weights = sorted(
        (r for r in chart.weights.rows if parse_time(r.get("chartdate"))), key=lambda r: str(r["chartdate"])
    )
    if len({r["chartdate"] for r in weights}) == 1:
        only = weights[0]
        text = f"Outpatient weight is recorded on one day, {only['result_value']} lb on {only['chartdate']}: no trend."
        draft.add("F8", "status", text, name="weight", value="one", evidence=refs(weights)[:SHOWN], policy=rules)
    elif weights:
        text = (
            f"Weight went from {weights[0]['result_value']} to {weights[-1]['result_value']} lb "
            f"({weights[0]['chartdate']} to {weights[-1]['chartdate']}, outpatient weights of "
            f"{number(len({r['chartdate'] for r in weights}), 'day')})."
        )
        draft.add(
            "F8",
            "status",
            text,
            name="weight",
            value=_change(weights),
            unit="%",
            evidence=[*refs([weights[0], weights[-1]])],
            policy=rules,
        )
    else:
        draft.add(
            "F8",
            "status",
            "No outpatient weight is recorded.",
            name="weight",
            value="absent",
            evidence=[f"call:{chart.weights.call}"],
            policy=rules,
        )
    _weight_of_trend(chart, draft, rules)
    measured = [r for r in chart.cystatin.rows if str(r.get("ref", "")).startswith("labevents:")]
    if measured:
        draft.add(
            "F8",
            "status",
            f"Cystatin C was measured {len(measured)} time(s).",
            name="cystatin C",
            value="present",
            evidence=refs(measured),
            policy=rules,
        )
    else:
        draft.add(
            "F8",
            "status",
            "Cystatin C is not in the laboratory dictionary of this chart; it was not measured.",
            name="cystatin C",
            value="absent",
            evidence=[f"call:{chart.cystatin_items.call}"],
            policy=rules,
        )


def _weight_of_trend(chart: Chart, draft: Draft, rules: list[str]) -> None:
    """The two weights that the protocol compares."""
    if chart.trend is None or not chart.weights.rows:
        return
    near = [chart.weight_near(a) for a in (chart.trend.reference, chart.trend.latest)]
    rows = [found[1] for found in near if found]
    if len(rows) < 2 or near[0] is None or near[1] is None:
        text = "No weight lies within 180 days of both compared admissions: a weight loss cannot be told."
        value = "not available"
    else:
        change = 100 * (near[1][0] - near[0][0]) / near[0][0] if near[0][0] else 0.0
        value = f"{change:+.1f}"
        text = (
            f"Nearest to the two compared admissions: {near[0][0]:g} lb ({rows[0]['chartdate']}) and {near[1][0]:g} lb "
            f"({rows[1]['chartdate']}), {value}%."
        )
    evidence = refs(rows) or (f"call:{chart.weights.call}",)
    draft.add("F8", "status", text, name="weight compared", value=value, unit="%", evidence=evidence, policy=rules)


def _change(weights: list[Row]) -> str:
    try:
        before, after = float(weights[0]["result_value"]), float(weights[-1]["result_value"])
    except (TypeError, ValueError):
        return "not numeric"
    return f"{100 * (after - before) / before:+.1f}" if before else "not numeric"


def drugs(chart: Chart, draft: Draft) -> None:
    rule = [chart.session.policy(LOCAL, "9 Reporting")]
    found = False
    for admission in chart.admissions:
        rows = [
            r
            for r in chart.drugs.rows
            if r.get("hadm_id") == admission.hadm_id and renally_active(str(r.get("drug") or ""))
        ]
        names = sorted({str(r["drug"]) for r in rows})
        if names:
            found = True
            draft.add(
                "F9",
                "medication",
                f"Admission {admission.hadm_id}: renally active drugs ordered: {', '.join(names)}.",
                name="renally active drugs",
                value=", ".join(names),
                time=iso(admission.admitted),
                evidence=refs(rows)[:12],
                policy=rule,
            )
    if not found:
        evidence = [f"call:{chart.drugs.call}"]
        draft.add(
            "F9",
            "absence",
            "No renally active drug was ordered in any admission.",
            name="renally active drugs",
            value="none",
            evidence=evidence,
            policy=rule,
        )
