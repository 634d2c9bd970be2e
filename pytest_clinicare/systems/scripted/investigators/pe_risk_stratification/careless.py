"""Slips of an auditor who knows TH-09."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.investigation import investigate
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.reading import Reading
from pytest_clinicare.systems.scripted.session import refs


@investigate.slip
def code_confirms(reading: Reading, draft: Draft) -> None:
    """Takes the code for the scan."""
    draft.findings["F1"] = []
    rows = [r for r in reading.chart.diagnoses.rows if str(r.get("icd_code")).startswith("I26")]
    draft.add("F1", "status", "Acute PE by its code.", name="acute PE", value="confirmed", evidence=refs(rows))
    if reading.chart.ct is None and rows:
        draft.conclude(Verdict.YES, "Embolism was treated at once.")


@investigate.slip
def any_dose(reading: Reading, draft: Draft) -> None:
    """Takes every charted dose, prophylactic or maintenance, for treatment."""
    if reading.dose is not None:
        return
    doses = reading.treatment.doses
    for one in [d for d in doses if not d.treatment][:1]:
        draft.findings["F7"] = []
        draft.add(
            "F7", "medication", f"{one.agent} was given.", name="anticoagulant", value="treatment dose",
            evidence=one.evidence,
        )  # fmt: skip
        if draft.verdict is Verdict.NO:
            draft.conclude(Verdict.YES, f"{one.agent} was given in time.")


@investigate.slip
def order_counts(reading: Reading, draft: Draft) -> None:
    """Takes the order of an anticoagulant for its dose."""
    if reading.dose is not None:
        return
    words = ("Heparin", "Enoxaparin", "Apixaban", "Rivaroxaban")
    orders = [r for r in reading.chart.orders.rows if str(r.get("drug")).startswith(words)]
    if orders:
        draft.findings["F7"] = []
        draft.add(
            "F7", "medication", f"{orders[0]['drug']} was ordered.", name="anticoagulant", value="treatment dose",
            evidence=refs(orders[:1]),
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The anticoagulant was ordered at once.")


@investigate.slip
def wants_lysis(reading: Reading, draft: Draft) -> None:
    """Calls every embolism above the low class high-risk and asks for thrombolysis."""
    classes = [c for c in draft.findings.get("F6", []) if str(c.value or "").startswith("intermediate")]
    if reading.chart.ct is None or not classes:
        return
    note = reading.chart.ct.note.ref
    draft.findings["F6"] = []
    draft.add("F6", "status", "High class by strain or score.", name="ESC class", value="high", evidence=[note])
    draft.add("F8", "status", "Thrombolysis was needed.", name="thrombolysis", value="needed", evidence=[note])
    if draft.verdict.definitive:
        draft.conclude(Verdict.YES if reading.systemic else Verdict.NO, "Thrombolysis was needed.")


MISTAKES = (code_confirms, any_dose, order_counts, wants_lysis)
