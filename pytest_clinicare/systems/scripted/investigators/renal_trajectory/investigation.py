"""Renal function over all admissions, as RH-NEPH-05 directs: gathering the record and deciding."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import creatinine, kidney
from pytest_clinicare.systems.scripted.clinical.egfr import ckd_epi_2021_cystatin, g_category, lower_category
from pytest_clinicare.systems.scripted.clinical.times import encounter_start, parse_time
from pytest_clinicare.systems.scripted.clinical.trajectory import (
    LONG_STAY,
    Admission,
    Trend,
    appearing_stage,
    concordant_progression,
    contradicted,
    evaluate,
    rising_stage,
    within,
)
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.draft import Draft, number
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.renal_trajectory import findings
from pytest_clinicare.systems.scripted.investigators.renal_trajectory.status import SHOWN
from pytest_clinicare.systems.scripted.session import Found, Note, Notes, Row, Session, refs

_NEAR_WEIGHT = timedelta(days=180)


@dataclass
class Chart:
    """What the tools returned for the patient, and the admissions made of it."""

    session: Session
    patient: Row
    admissions: list[Admission]
    labs: Found
    diagnoses: Found
    procedures: Found
    dialysis_orders: Found
    weights: Found
    bmi: Found
    cystatin: Found
    cystatin_items: Found
    drugs: Found
    discharge: Notes
    evaluable: list[Admission] = field(default_factory=list)

    def notes_of(self, hadm_id: int) -> list[Note]:
        return [n for n in self.discharge.items if n.hadm_id == hadm_id]

    def codes_of(self, hadm_id: int) -> list[Row]:
        return [r for r in self.diagnoses.of("diagnoses_icd") if r.get("hadm_id") == hadm_id]

    def weight_near(self, admission: Admission) -> tuple[float, Row] | None:
        """Outpatient weight (lb) nearest to an admission, within 180 days."""
        near: list[tuple[timedelta, float, Row]] = []
        for row in self.weights.rows:
            day, text = parse_time(row.get("chartdate")), str(row.get("result_value") or "")
            if (
                day
                and text.replace(".", "", 1).isdigit()
                and abs(day - admission.admitted) <= _NEAR_WEIGHT
                and "weight" in str(row.get("result_name")).lower()
            ):
                near.append((abs(day - admission.admitted), float(text), row))
        best = min(near, key=lambda item: item[0], default=None)
        return (best[1], best[2]) if best else None

    @property
    def trend(self) -> Trend | None:
        return Trend(self.evaluable[0], self.evaluable[-1]) if len(self.evaluable) >= 2 else None


@dataclass(frozen=True)
class Onset:
    """Replacement therapy that began within the record."""

    what: str
    hadm_id: int
    admitted: datetime
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """``present`` is what shows replacement therapy from the start of the record."""

    chart: Chart
    onset: Onset | None
    present: tuple[str, ...]


def gather(session: Session) -> Chart:
    patient = next(iter(session.query("get_patient").rows), {})
    listed = session.query("list_admissions").rows
    ed_stays = session.query("list_ed_stays").rows
    labs = session.query("get_labs", items=[creatinine.SERUM_CREATININE])
    items = session.query("search_lab_items", text="cystatin")
    ids = [int(r["itemid"]) for r in items.rows if r.get("itemid")]
    chart = Chart(
        session,
        patient,
        [],
        labs,
        session.query("get_diagnoses"),
        session.query("get_procedures"),
        _dialysis_orders(session),
        session.query("get_outpatient_measurements", name="Weight"),
        session.query("get_outpatient_measurements", name="BMI"),
        session.query("get_labs", items=ids) if ids else items,
        items,
        session.query("get_medication_orders"),
        session.notes("discharge"),
    )
    values = creatinine.serum_values(labs.rows)
    chart.admissions = [a for row in listed if (a := _admission(chart, row, ed_stays, values))]
    chart.admissions.sort(key=lambda a: a.admitted)
    chart.evaluable = evaluate(chart.admissions)
    return chart


def _dialysis_orders(session: Session) -> Found:
    """Orders of their own type, and those that a ward enters as general care."""
    own = session.query("get_orders", order_type="Hemodialysis")
    general = session.query("get_orders", order_subtype="dialysis")
    seen = set(refs(own.rows))
    return Found([*own.rows, *(r for r in general.rows if r["ref"] not in seen)], own.call)


def _admission(chart: Chart, row: Row, ed_stays: list[Row], values: list[Value]) -> Admission | None:
    admitted = parse_time(row.get("admittime"))
    start = encounter_start(row, ed_stays, timedelta())
    if admitted is None or start is None:
        return None
    hadm_id = int(row["hadm_id"])
    discharged = parse_time(row.get("dischtime")) or admitted
    notes = chart.notes_of(hadm_id)
    staged = [found[0] for n in notes if (found := kidney.stated_stage(n.text))]
    staged += [s for r in chart.codes_of(hadm_id) if (s := kidney.coded_stage(r))]
    return Admission(
        hadm_id,
        str(row["ref"]),
        start,
        admitted,
        discharged,
        int(chart.patient["anchor_age"]) + admitted.year - int(chart.patient["anchor_year"]),
        str(chart.patient["gender"]).upper() == "F",
        within(values, start, discharged),
        any(kidney.stated_aki(n.text) for n in notes),
        refs(dialysis_in(chart, hadm_id, start, discharged)),
        max(staged, default=None),
    )


def dialysis_in(chart: Chart, hadm_id: int, start: datetime, end: datetime) -> list[Row]:
    """Rows that show dialysis in an admission: charted, coded, or ordered (a D/C row is no order of its own)."""
    delivered = [r for r in chart.procedures.rows if kidney.is_dialysis_delivery(r) and r.get("hadm_id") == hadm_id]
    ordered = [
        r
        for r in chart.dialysis_orders.rows
        if kidney.is_dialysis_order(r)
        and str(r.get("transaction_type") or "").upper() != "D/C"
        and (
            r.get("hadm_id") == hadm_id
            or (r.get("hadm_id") is None and start <= (parse_time(r.get("ordertime")) or end) <= end)
        )
    ]
    return delivered + ordered


def replacement(chart: Chart) -> tuple[Onset | None, tuple[str, ...]]:
    """Onset of replacement therapy within the record, or what shows it present from the start (4.1)."""
    if not chart.admissions:
        return None, ()
    first = chart.admissions[0]
    begun = [n for n in chart.notes_of(first.hadm_id) if kidney.stated_start_of_dialysis(n.text)]
    found = [_documented(chart, a) for a in chart.admissions]
    # A code at the first admission counts as present from its start (4.1).
    coded = refs(kidney.codes_in(chart.codes_of(first.hadm_id), kidney.ESRD_CODES | kidney.TRANSPLANT_CODES))
    standing = (found[0][1] if found[0] else ()) or coded
    if standing and not begun and not _transplanted_in(chart, first):
        return None, standing
    for admission, documented in zip(chart.admissions, found, strict=True):
        if documented:
            return Onset(documented[0], admission.hadm_id, admission.admitted, documented[1]), ()
    return None, ()


def _transplanted_in(chart: Chart, admission: Admission) -> list[Row]:
    return [
        r
        for r in chart.procedures.of("procedures_icd")
        if r.get("hadm_id") == admission.hadm_id and kidney.code_of(r) in kidney.TRANSPLANT_PROCEDURE_CODES
    ]


def _documented(chart: Chart, admission: Admission) -> tuple[str, tuple[str, ...]] | None:
    """Documentation of replacement therapy in one admission: a statement, or a code with a treatment or a statement."""
    notes = chart.notes_of(admission.hadm_id)
    grafts = [n.span(s.start, s.end) for n in notes if (s := kidney.stated_transplant(n.text))]
    steady = [n.span(s.start, s.end) for n in notes if (s := kidney.stated_maintenance(n.text))]
    codes = chart.codes_of(admission.hadm_id)
    esrd = kidney.codes_in(codes, kidney.ESRD_CODES)
    operation = _transplanted_in(chart, admission)
    if grafts or operation:
        return "kidney transplantation", (
            *grafts,
            *refs(operation),
            *refs(kidney.codes_in(codes, kidney.TRANSPLANT_CODES)),
        )
    ended = [n.span(s.start, s.end) for n in notes if (s := kidney.stated_end_stage(n.text))]
    if steady or (esrd and (admission.dialysis or ended)):
        return "maintenance dialysis", (*steady, *ended, *refs(esrd), *admission.dialysis[:SHOWN])
    return None


def cystatin_sustained(chart: Chart) -> bool | None:
    """Whether eGFRcr-cys shows a sustained decline; None without cystatin C at two evaluable admissions."""
    items = {int(r["itemid"]) for r in chart.cystatin_items.rows if r.get("itemid")}
    values = [v for item in items for v in valid_values(chart.cystatin.rows, item, "mg/l")]
    figures = [
        (a, ckd_epi_2021_cystatin(float(a.lowest.value), float(min(v.value for v in c)), a.age, a.female))
        for a in chart.evaluable
        if (c := within(values, a.start, a.discharged))
    ]
    if len(figures) < 2:
        return None
    before, after = figures[0][1], figures[-1][1]
    decline = (before - after) / before
    return decline >= 0.30 or (decline >= 0.25 and lower_category(g_category(after), g_category(before)))


def weight_loss(chart: Chart, trend: Trend) -> float | None:
    """Fraction of weight lost from the reference to the latest admission; None without both weights."""
    before, after = chart.weight_near(trend.reference), chart.weight_near(trend.latest)
    return (before[0] - after[0]) / before[0] if before and after and before[0] else None


def _few(chart: Chart) -> str:
    """Too few evaluable admissions, and why the others are not."""
    reasons = Counter(a.why_not for a in chart.admissions if a.why_not)
    told = "; ".join(f"{why} in {count}" for why, count in reasons.items())
    return f"{len(chart.evaluable)} of {len(chart.admissions)} admissions can be evaluated ({told})"


def look(chart: Chart) -> Reading:
    return Reading(chart, *replacement(chart))


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.discharge.items:
        draft.missing.append("There is no discharge summary of any admission.")
    findings.write(reading.chart, draft, reading.onset, reading.present)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, onset = reading.chart, reading.onset
    trend = chart.trend
    lean = Verdict.YES if trend and trend.decline >= 0.15 else Verdict.NO
    if len(chart.admissions) < 2:
        draft.reopens = "A second admission with creatinine on two dates."
        on_record = number(len(chart.admissions), "hospital admission")
        return draft.conclude(Verdict.LACK, f"{on_record} on record; two are needed.", lean)
    if onset:
        return draft.conclude(
            Verdict.YES,
            f"Replacement therapy ({onset.what}) began within the record: first documented at admission "
            f"{onset.hadm_id} of {onset.admitted:%Y-%m-%d}.",
        )
    if trend is None or not trend.apart:
        why = (
            _few(chart)
            if trend is None
            else "the first and last evaluable admission are "
            f"{(trend.latest.admitted - trend.reference.admitted).days} days apart, and 90 are needed"
        )
        draft.reopens = (
            "Nothing that a chart holds: replacement therapy was there from the start (F6)."
            if reading.present and all(a.dialysis for a in chart.admissions)
            else "Two admissions 90 days or more apart, each settled, without dialysis, with creatinine on two dates."
        )
        return draft.conclude(Verdict.LACK, f"No per-admission baselines to compare: {why}.", Verdict.YES)
    cystatin = cystatin_sustained(chart)
    change = (
        f"baseline eGFR went from {trend.reference.egfr:.0f} ({trend.reference.category}) to "
        f"{trend.latest.egfr:.0f} ({trend.latest.category}), {trend.words}"
    )
    if trend.sustained or cystatin:
        return draft.conclude(Verdict.YES, f"Sustained decline: {change}.")
    risen = rising_stage(chart.admissions)
    if concordant_progression(trend, risen):
        return draft.conclude(Verdict.YES, f"CKD stage rose to {risen} and the laboratory agrees: {change}.")
    for stage in (risen, appearing_stage(chart.admissions, trend.reference)):
        if contradicted(trend, stage):
            return draft.conclude(
                Verdict.AMBIGUOUS,
                f"The record asserts CKD stage {stage}, newly or risen, which the measurements do not show: {change}.",
                lean,
            )
    if trend.decline < 0.15:
        return draft.conclude(Verdict.NO, f"Flat or improving: {change}.")
    lost = weight_loss(chart, trend)
    long = [a for a in chart.evaluable if a.discharged - a.admitted >= LONG_STAY]
    if cystatin is None and (trend.latest.age >= 65 or (lost is not None and lost >= 0.05) or long):
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"A mild decline in which muscle loss may hide more: {change}; age {trend.latest.age}.",
            lean,
        )
    return draft.conclude(
        Verdict.NO,
        f"Below the margin that the protocol calls worsening, without age, weight or long-stay features: {change}.",
    )


investigate = Investigation(findings.TITLES, gather, look, decide, write)
