"""Three slips of an auditor who knows QD-SEP-03; all take DNR for comfort care and vancomycin for broad."""

from __future__ import annotations

from collections.abc import Callable

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1 import findings
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.chart import gather
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.elements import first_doses
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.investigation import Reading, decide, look
from pytest_clinicare.systems.scripted.session import Session, refs


def _begin(session: Session) -> tuple[Reading | None, Draft]:
    draft = Draft(titles=findings.TITLES)
    chart = gather(session)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return None, draft
    reading = look(chart)
    decide(reading, draft)
    findings.write(reading, draft)
    _loose(reading, draft)
    return reading, draft


def _loose(reading: Reading, draft: Draft) -> None:
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


def ordered_is_done(session: Session) -> Draft:
    """Reads orders as doses."""
    reading, draft = _begin(session)
    listed = reading.chart.orders.rows if reading else []
    orders = [
        r for r in listed if str(r.get("drug")).lower().startswith(("cef", "pip", "sodium chloride 0.9%", "lactated"))
    ]
    if orders:
        draft.add(
            "F5", "status", "Antibiotic and fluid were ordered in time: element met.", name="element E3", value="met",
            evidence=refs(orders),
        )  # fmt: skip
        if draft.verdict is Verdict.NO and draft.why.startswith(("E3", "E5")):
            draft.conclude(Verdict.YES, "Everything was ordered in time.")
    return draft


def arrival_is_zero(session: Session) -> Draft:
    """Starts the clock at the door, as the one-hour bundle does."""
    reading, draft = _begin(session)
    stay = reading.chart.ed if reading else None
    if reading is None or stay is None:
        return draft
    draft.findings.pop("F1", None)
    draft.add(
        "F1", "index_event", f"Time zero is arrival, {stay['intime']}.", name="time zero", value="arrival",
        time=str(stay["intime"]), evidence=[str(stay["triage_ref"])],
    )  # fmt: skip
    if draft.verdict is Verdict.YES:
        draft.conclude(Verdict.NO, "The antibiotic came more than three hours after arrival.")
    return draft


def coded_is_sepsis(session: Session) -> Draft:
    """Takes the code for the condition and leaves the limbs alone."""
    reading, draft = _begin(session)
    codes = (
        [r for r in reading.chart.diagnoses.rows if str(r["icd_code"]).startswith(("A41", "R65"))] if reading else []
    )
    if codes:
        draft.findings.pop("F1", None)
        draft.add(
            "F1", "status", "Severe sepsis is coded, so the bundle applies from admission.", name="severe sepsis",
            value="present", evidence=refs(codes),
        )  # fmt: skip
    return draft


MISTAKES: tuple[Callable[[Session], Draft], ...] = (ordered_is_done, arrival_is_zero, coded_is_sepsis)
