"""The findings F1 to F9 of an embolism report."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.notes import asserted, section
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.clinical.vital_signs import UNITS, Sign, readings
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.chart import TROPONIN, Chart
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.reading import Reading
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.treatment import hours_from
from pytest_clinicare.systems.scripted.session import refs

LOCAL, ESC, AUDIT = "refhosp-pe-audit", "esc-pe-2019", "refhosp-chart-audit-standard"
TITLES = {
    "F1": "Acute embolism on CT",
    "F2": "Haemodynamic status",
    "F3": "sPESI",
    "F4": "Right ventricle",
    "F5": "Troponin",
    "F6": "ESC class",
    "F7": "Anticoagulant",
    "F8": "Reperfusion",
    "F9": "Filter and contraindication",
}
_HISTORY = (
    ("cancer", re.compile(r"cancer|carcinoma|lymphoma|leuk[a]?emia|metasta|malignan", re.IGNORECASE)),
    ("chronic heart or lung disease", re.compile(r"heart failure|cardiomyopathy|\bCOPD\b|chronic obstructive|asthma"
     r"|pulmonary fibrosis|interstitial lung", re.IGNORECASE)),
)  # fmt: skip
_LABORATORY_LIMIT = Decimal("0.01")


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    embolism(reading.chart, draft)
    pressure(reading, draft)
    points = score(reading.chart, draft)
    strain, raised = ventricle(reading.chart, draft), troponin(reading.chart, draft)
    classed(reading, draft, points, strain, raised)
    anticoagulant(reading, draft)
    reperfusion(reading, draft)
    contraindication(reading, draft)


def embolism(chart: Chart, draft: Draft) -> None:
    """F1."""
    out = draft.finding("F1", chart.session.policy(LOCAL, "2.1 Report"))
    ct = chart.ct
    if ct is None:
        looked = [ref for r in chart.cts for ref in r.evidence] or list(chart.radiology.evidence)
        why = [
            "the addendum withdraws it" if r.acute and r.retracted else "chronic only" if r.chronic else "not reported"
            for r in chart.cts
        ]
        out.absence(f"Acute PE is not confirmed: {'; '.join(why) or 'no CT report'}.", looked, "acute PE")
        codes = [r for r in chart.diagnoses.rows if str(r.get("icd_code")).startswith(("I26", "4151", "I2782"))]
        if codes:
            policy = chart.session.policy(LOCAL, "2.2 Not confirmation")
            out.claim(
                "other", "A code of embolism stands in the record and confirms nothing.", refs(codes), policy,
                name="code",
            )  # fmt: skip
        return
    told = f" Addendum: {ct.addendum}" if ct.addendum else " There is no addendum."
    out.claim(
        "index_time", f"Acute PE is confirmed by the final CT report, examination {iso(ct.time)}: most proximal level "
        f"{ct.level}, {'single' if ct.single else 'not single'}.{told}",
        ct.evidence, name="acute PE", value="confirmed", time=iso(ct.time),
    )  # fmt: skip


def pressure(reading: Reading, draft: Draft) -> None:
    """F2."""
    chart, shock = reading.chart, reading.shock
    out = draft.finding(
        "F2", chart.session.policy(LOCAL, "3.2 Criterion"), chart.session.policy(ESC, "2 Haemodynamic instability")
    )
    if not shock.pressures:
        out.absence(
            "No systolic pressure is recorded from T_CT - 12 h to T_CT + 24 h in triage, ED or ICU rows.",
            chart.vitals.evidence[:6] if not chart.vitals.rows else refs(chart.vitals.rows)[:6], "systolic pressure",
        )  # fmt: skip
    else:
        low = min(shock.pressures, key=lambda s: (s.value, s.time))
        out.measurement(
            f"Lowest systolic pressure {low.value} mmHg at {iso(low.time)} of {len(shock.pressures)} readings.",
            Value(low.ref, low.time, low.value), "lowest systolic pressure", "mmHg",
        )  # fmt: skip
    if shock.run:
        length = (shock.run[-1].time - shock.run[0].time).total_seconds() / 60
        out.claim(
            "duration", f"Systolic pressure below 90 at {len(shock.run)} consecutive readings over {length:.0f} min "
            f"from {iso(shock.run[0].time)}.",
            [s.ref for s in shock.run], name="hypotension", value=length, unit="min", time=iso(shock.run[0].time),
        )  # fmt: skip
    if shock.pressors:
        rows = refs([r for _, r in shock.pressors][:4])
        out.status(f"A vasopressor ran from {iso(shock.pressors[0][0])}.", rows, "vasopressor", "given")
    shown = shock.evidence[:8] or [s.ref for s in shock.pressures[:8]] or list(chart.vitals.evidence[:4])
    state = "high-risk" if shock.high else "not high-risk"
    cause = f"; cause by the record: {shock.cause}" if shock.criterion else ""
    out.status(
        f"Haemodynamic status: {state}{cause}.", [*shown, *shock.said[:2]], "haemodynamic status", state,
        chart.session.policy(LOCAL, "3.3 Cause"),
    )  # fmt: skip


def _worst(chart: Chart, sign: str, *, least: bool) -> Sign | None:
    found = readings(sign, chart.ed_stay, chart.vitals.rows, chart.start, chart.t_ct)
    if not found:
        return None
    return min(found, key=lambda s: s.value) if least else max(found, key=lambda s: s.value)


def score(chart: Chart, draft: Draft) -> tuple[int, int]:
    """F3: points known, and items not recorded."""
    out = draft.finding("F3", chart.session.policy(ESC, "3 Simplified PESI"), chart.session.policy(LOCAL, "8 Class"))
    if chart.ct is None:
        out.absence("sPESI is not scored: acute PE is not confirmed.", chart.radiology.evidence[:6], "sPESI")
        return 0, 0
    known: list[tuple[str, bool]] = [("age over 80", chart.age > 80)]
    evidence = list(refs(chart.patient.rows))
    for name, words in _HISTORY:
        part = next((s for n in chart.mine if (s := section(n.text, "past medical history"))), None)
        match = asserted(words, part.text) if part else None
        known.append((name, match is not None))
        if part is not None:
            note = chart.mine[0]
            evidence.append(note.span(part.start, part.end))
    unknown = []
    signs = (("heart rate", "heart rate >= 110", False, 110), ("systolic pressure", "SBP < 100", True, 100))
    for sign, title, least, bound in (*signs, ("saturation", "saturation < 90", True, 90)):
        worst = _worst(chart, sign, least=least)
        if worst is None:
            unknown.append(title)
            continue
        evidence.append(worst.ref)
        known.append((f"{title} ({worst.value} {UNITS[sign]})", worst.value < bound if least else worst.value >= bound))
    points = sum(met for _, met in known)
    told = ", ".join(f"{name} {int(met)}" for name, met in known)
    rest = f"; not recorded: {', '.join(unknown)}" if unknown else ""
    out.claim(
        "computation", f"sPESI {points}: {told}{rest}.", evidence, name="sPESI", value=float(points)
    )  # fmt: skip
    return points, len(unknown)


def ventricle(chart: Chart, draft: Draft) -> str:
    """F4."""
    out = draft.finding("F4", chart.session.policy(ESC, "4.1 Right ventricle on CT"))
    report = chart.ct or (chart.cts[0] if chart.cts else None)
    state = report.strain if report else "not reported"
    evidence = report.evidence if report else chart.radiology.evidence
    out.status(f"Right-ventricular dysfunction on CT: {state}.", evidence, "right ventricle", state)
    return state


def troponin(chart: Chart, draft: Draft) -> str:
    """F5."""
    out = draft.finding("F5", chart.session.policy(ESC, "4 Classification of early risk"))
    values = valid_values(chart.labs.rows, TROPONIN, "ng/ml", low=-1)
    if not values:
        out.absence("Troponin T was not measured.", chart.labs.evidence[:4], "troponin")
        return "not measured"
    top = max(values, key=lambda v: v.value)
    flagged = {str(r["ref"]) for r in chart.labs.rows if str(r.get("flag") or "") == "abnormal"}
    raised = top.ref in flagged or top.value > _LABORATORY_LIMIT
    out.measurement(
        f"Highest troponin T {top.value} ng/mL at {iso(top.time)}, "
        f"{'flagged above' if raised else 'not above'} the laboratory's limit.", top, "troponin T", "ng/mL",
    )  # fmt: skip
    return "raised" if raised else "not raised"


def classed(reading: Reading, draft: Draft, score: tuple[int, int], strain: str, raised: str) -> None:
    """F6."""
    chart = reading.chart
    out = draft.finding("F6", chart.session.policy(ESC, "4 Classification of early risk"))
    if chart.ct is None:
        out.absence("No class: acute PE is not confirmed.", chart.radiology.evidence[:6], "ESC class")
        return
    evidence = [chart.ct.note.ref, *(s.ref for s in reading.shock.pressures[:2])]
    evidence += reading.shock.evidence[:8]
    points, unknown = score
    if not reading.shock.pressures:
        label = "not assigned, any class is possible"
    elif reading.shock.high:
        label = "high"
    elif strain == "present" and raised == "raised":
        label = "intermediate-high" if points else "intermediate-low"
    elif points or strain == "present" or raised == "raised":
        label = "intermediate-low"
    else:
        label = "low" if not unknown else "low to intermediate-low"
    if reading.shock.high and reading.shock.cause == "undecided":
        label = "high if PE is the cause of shock, else intermediate"
    out.status(f"ESC class: {label}.", evidence, "ESC class", label)


def anticoagulant(reading: Reading, draft: Draft) -> None:
    """F7."""
    chart, dose, policy = reading.chart, reading.dose, reading.chart.session.policy
    passages = policy(LOCAL, "4.2 Doses that count"), policy(ESC, "7 Doses of"), policy(AUDIT, "2.3 Order time")
    out = draft.finding("F7", *passages)
    if dose is not None:
        out.claim(
            "medication", f"First treatment dose of anticoagulant: {dose.agent} {dose.told} at {iso(dose.time)}, "
            f"{hours_from(dose.time, chart.t_ct)} from the CT.",
            dose.evidence, name="anticoagulant", value="treatment dose", time=iso(dose.time),
        )  # fmt: skip
    else:
        looked = refs(chart.given.rows)[:12] or chart.given.evidence
        out.absence(
            "No treatment-dose anticoagulant is recorded as performed in its window; an order is none.",
            looked,
            "anticoagulant",
        )
    since, until = chart.ct_hours(-24, 48)
    low = [d for d in reading.treatment.doses if not d.treatment and since <= d.time <= until]
    for one in low[:2]:
        out.status(
            f"{one.agent} {one.told} at {iso(one.time)} is not a treatment dose.", one.evidence, "other dose",
            "not treatment",
        )  # fmt: skip
    for row in reading.treatment.untreated[:2]:
        out.status(
            f"{row['drug']} at {row['charttime']}: {row['event_txt']}, no dose.", refs([row]), "missed dose",
            "not given", chart.session.policy(LOCAL, "4.3 Evidence"), chart.session.policy(AUDIT, "2.4 "),
        )  # fmt: skip
    later = [d for d in reading.treatment.doses if d.treatment]
    if dose is None and later:
        out.status(
            f"A treatment dose came later: {later[0].agent} at {iso(later[0].time)}, "
            f"{hours_from(later[0].time, chart.t_ct)} from the CT.", later[0].evidence, "later dose", "late",
        )  # fmt: skip


def reperfusion(reading: Reading, draft: Draft) -> None:
    """F8."""
    chart = reading.chart
    out = draft.finding(
        "F8", chart.session.policy(LOCAL, "5 Reperfusion"), chart.session.policy(ESC, "6.2 Thrombolysis")
    )
    onset: datetime | None = reading.shock.onset
    for time, amount, evidence in reading.lysis[:2]:
        mark = f"{hours_from(time, onset)} from onset" if onset else f"{hours_from(time, chart.t_ct)} from the CT"
        out.claim(
            "medication", f"Systemic thrombolysis, reperfusion with {amount} mg at {iso(time)}, {mark}.", evidence,
            name="reperfusion", value="given", time=iso(time),
        )  # fmt: skip
    for time, ref in reading.treatment.device[:2]:
        out.status(f"Catheter or surgical reperfusion at {iso(time)}.", [ref], "reperfusion", "given")
    if not reading.lysis and not reading.treatment.device:
        looked = refs(chart.given.rows)[:12] or chart.given.evidence
        out.absence("No reperfusion: no alteplase, catheter or surgical treatment is recorded.", looked, "reperfusion")
    if reading.treatment.spared:
        out.status("Reperfusion was contraindicated or refused.", reading.treatment.spared, "reperfusion spared", "yes")


def contraindication(reading: Reading, draft: Draft) -> None:
    """F9."""
    chart, treatment = reading.chart, reading.treatment
    out = draft.finding(
        "F9", chart.session.policy(LOCAL, "6 Contraindication and filter"), chart.session.policy(ESC, "8 Vena cava")
    )
    notes = [n.ref for n in chart.mine] or list(chart.discharge.evidence)
    if treatment.contraindication:
        out.status(
            "An absolute contraindication to anticoagulation is documented.", treatment.contraindication,
            "contraindication", "documented",
        )  # fmt: skip
    else:
        out.absence("No contraindication to anticoagulation is documented.", notes, "contraindication")
    if treatment.filter:
        time, ref = treatment.filter[0]
        out.claim(
            "imaging", f"Vena cava filter at {iso(time)}, {hours_from(time, chart.t_ct)} from the CT.", [ref],
            name="filter", value="placed", time=iso(time),
        )  # fmt: skip
    else:
        out.absence("No vena cava filter was placed.", notes, "filter")
    if treatment.doubt:
        out.status(
            "The record doubts the significance of the defect or chooses surveillance.", treatment.doubt, "doubt",
            "yes", chart.session.policy(LOCAL, "7 Lone subsegmental defect"),
        )  # fmt: skip
