"""Slips of an auditor who knows TH-09."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification import findings
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.investigation import decide, look
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.reading import Reading
from pytest_clinicare.systems.scripted.session import Session, refs


def _begin(session: Session) -> tuple[Reading | None, Draft]:
    draft = Draft(titles=findings.TITLES)
    reading = look(session, draft)
    if reading is not None:
        decide(reading, draft)
        findings.write(reading, draft)
    return reading, draft


def code_confirms(session: Session) -> Draft:
    """Takes the code for the scan."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
    draft.findings["F1"] = []
    rows = [r for r in reading.chart.diagnoses.rows if str(r.get("icd_code")).startswith("I26")]
    draft.add("F1", "status", "Acute PE by its code.", name="acute PE", value="confirmed", evidence=refs(rows))
    if reading.chart.ct is None and rows:
        draft.conclude(Verdict.YES, "Embolism was treated at once.")
    return draft


def any_dose(session: Session) -> Draft:
    """Takes every charted dose, prophylactic or maintenance, for treatment."""
    reading, draft = _begin(session)
    if reading is None or reading.dose is not None:
        return draft
    doses = reading.treatment.doses
    for one in [d for d in doses if not d.treatment][:1]:
        draft.findings["F7"] = []
        draft.add(
            "F7", "medication", f"{one.agent} was given.", name="anticoagulant", value="treatment dose",
            evidence=one.evidence,
        )  # fmt: skip
        if draft.verdict is Verdict.NO:
            draft.conclude(Verdict.YES, f"{one.agent} was given in time.")
    return draft


def order_counts(session: Session) -> Draft:
    """Takes the order of an anticoagulant for its dose."""
    reading, draft = _begin(session)
    if reading is None or reading.dose is not None:
        return draft
    words = ("Heparin", "Enoxaparin", "Apixaban", "Rivaroxaban")
    orders = [r for r in reading.chart.orders.rows if str(r.get("drug")).startswith(words)]
    if orders:
        draft.findings["F7"] = []
        draft.add(
            "F7", "medication", f"{orders[0]['drug']} was ordered.", name="anticoagulant", value="treatment dose",
            evidence=refs(orders[:1]),
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The anticoagulant was ordered at once.")
    return draft


def wants_lysis(session: Session) -> Draft:
    """Calls every embolism above the low class high-risk and asks for thrombolysis."""
    reading, draft = _begin(session)
    classes = [c for c in draft.findings.get("F6", []) if str(c.value or "").startswith("intermediate")]
    if reading is None or reading.chart.ct is None or not classes:
        return draft
    note = reading.chart.ct.note.ref
    draft.findings["F6"] = []
    draft.add("F6", "status", "High class by strain or score.", name="ESC class", value="high", evidence=[note])
    draft.add("F8", "status", "Thrombolysis was needed.", name="thrombolysis", value="needed", evidence=[note])
    if draft.verdict.definitive:
        draft.conclude(Verdict.YES if reading.systemic else Verdict.NO, "Thrombolysis was needed.")
    return draft


MISTAKES = (code_confirms, any_dose, order_counts, wants_lysis)
