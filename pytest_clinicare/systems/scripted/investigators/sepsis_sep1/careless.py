"""Three slips of an auditor who knows QD-SEP-03; all relax its standards."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.elements import first_doses
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import refs


def standards_relaxed(reading: Reading, draft: Draft) -> None:
    """Takes DNR for comfort care and vancomycin for broad."""
    dnr = [r for r in reading.chart.status.rows if str(r.get("value")).startswith(("DNR", "Do not"))]
    if dnr:
        draft.add(
            "F2", "status", "The patient was DNR: excluded as comfort care.", name="exclusion, comfort care",
            value="holds", evidence=refs(dnr),
        )  # fmt: skip
        draft.conclude(Verdict.LACK, "DNR is an exclusion.")
    given = first_doses(reading.chart, reading.zero.time) if reading.zero else []
    if given and {d.agent for d in given} <= {"vancomycin", "metronidazole"}:
        draft.add(
            "F5", "status", "The antibiotic element: vancomycin is broad.", name="antibiotic element", value="met",
            evidence=[d.ref for d in given],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "All elements were delivered.")


def ordered_is_done(reading: Reading, draft: Draft) -> None:
    """Reads orders as doses."""
    named = ("cef", "pip", "sodium chloride 0.9%", "lactated")
    orders = [r for r in reading.chart.orders.rows if str(r.get("drug")).lower().startswith(named)]
    if orders:
        draft.add(
            "F5", "status", "Antibiotic and fluid were ordered in time: element met.", name="element E3", value="met",
            evidence=refs(orders),
        )  # fmt: skip
        if draft.verdict is Verdict.NO and draft.why.startswith(("E3", "E5")):
            draft.conclude(Verdict.YES, "Everything was ordered in time.")


def arrival_is_zero(reading: Reading, draft: Draft) -> None:
    """Starts the clock at the door, as the one-hour bundle does."""
    stay = reading.chart.ed
    if stay is None:
        return
    draft.findings.pop("F1", None)
    draft.add(
        "F1", "index_event", f"Time zero is arrival, {stay['intime']}.", name="time zero", value="arrival",
        time=str(stay["intime"]), evidence=[str(stay["triage_ref"])],
    )  # fmt: skip
    if draft.verdict is Verdict.YES:
        draft.conclude(Verdict.NO, "The antibiotic came more than three hours after arrival.")


def coded_is_sepsis(reading: Reading, draft: Draft) -> None:
    """Takes the code for the condition and leaves the limbs alone."""
    codes = [r for r in reading.chart.diagnoses.rows if str(r["icd_code"]).startswith(("A41", "R65"))]
    if codes:
        draft.findings.pop("F1", None)
        draft.add(
            "F1", "status", "Severe sepsis is coded, so the bundle applies from admission.", name="severe sepsis",
            value="present", evidence=refs(codes),
        )  # fmt: skip


MISTAKES = tuple(
    investigate.slip(standards_relaxed, more) for more in (ordered_is_done, arrival_is_zero, coded_is_sepsis)
)
