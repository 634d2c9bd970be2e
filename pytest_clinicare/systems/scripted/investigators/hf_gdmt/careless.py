"""Five slips of an auditor who knows CAR-04."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hf_gdmt import findings
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.chart import gather
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.classes import BETA, MRA, RAS, SGLT2
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.investigation import Reading, decide, look
from pytest_clinicare.systems.scripted.session import Session


def _begin(session: Session) -> tuple[Reading | None, Draft]:
    draft = Draft(titles=findings.TITLES)
    chart = gather(session)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return None, draft
    reading = look(chart)
    decide(reading, draft)
    findings.write(reading, draft)
    return reading, draft


def newest_edition(session: Session) -> Draft:
    """Asks for an SGLT2 inhibitor of everyone."""
    reading, draft = _begin(session)
    if reading is not None and reading.regimen is not None and SGLT2 not in reading.regimen.present:
        draft.findings.pop("F6", None)
        draft.add(
            "F6", "status", "No SGLT2 inhibitor is on the discharge list.", name=SGLT2, value="missing",
            evidence=[reading.regimen.ref],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "An SGLT2 inhibitor is missing.")
    return draft


def unshifted(session: Session) -> Draft:
    """Reads the anchor year group as the years of the encounter."""
    reading, draft = _begin(session)
    if reading is not None:
        group = reading.chart.patient.get("anchor_year_group")
        draft.findings.pop("F2", None)
        draft.add(
            "F2", "status", f"The encounter lies in {group}.", name="candidate edition", value=str(group),
            evidence=[str(reading.chart.patient["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.YES, f"Judged by the edition of {group}.")
    return draft


def any_metoprolol(session: Session) -> Draft:
    """Takes one beta-blocker for another."""
    reading, draft = _begin(session)
    if reading is not None and reading.regimen is not None and reading.regimen.other:
        note = reading.chart.mine
        entry = reading.regimen.other[0]
        draft.findings.pop("F4", None)
        draft.add(
            "F4", "medication", f"On the list: {entry.text.strip()}.", name=BETA, value="present",
            evidence=[note.span(entry.start, entry.end)] if note else [],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "A beta-blocker is on the discharge list.")
    return draft


def old_reason(session: Session) -> Draft:
    """Lets a reason of another stay excuse, or takes over what an earlier summary says."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
    others = [n for n in reading.chart.discharge.items if n is not reading.chart.mine]
    if others and reading.regimen is not None:
        draft.findings.pop("F8", None)
        draft.add(
            "F8", "status", "MRA: excused by hyperkalaemia told before.", name=f"excuse of {MRA}", value="excused",
            evidence=[others[0].ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The omission is excused by an earlier reason.")
    return draft


def ward_chart(session: Session) -> Draft:
    """Takes the last inpatient orders for the list."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
    orders = [r for r in reading.chart.orders.rows if "carvedilol" in str(r.get("drug")).lower()]
    if orders:
        draft.findings.pop("F4", None)
        draft.add(
            "F4", "medication", "Carvedilol was active at discharge.", name=BETA, value="present",
            evidence=[str(orders[0]["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.YES, f"{RAS} and {BETA} are present.")
    return draft


MISTAKES = (newest_edition, unshifted, any_metoprolol, old_reason, ward_chart)
