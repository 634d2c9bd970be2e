"""Five slips of an auditor who knows CAR-04."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.classes import BETA, MRA, RAS, SGLT2
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.investigation import Reading, investigate


@investigate.slip
def newest_edition(reading: Reading, draft: Draft) -> None:
    """Asks for an SGLT2 inhibitor of everyone."""
    if reading.regimen is not None and SGLT2 not in reading.regimen.present:
        draft.findings.pop("F6", None)
        draft.add(
            "F6", "status", "No SGLT2 inhibitor is on the discharge list.", name=SGLT2, value="missing",
            evidence=[reading.regimen.ref],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "An SGLT2 inhibitor is missing.")


@investigate.slip
def unshifted(reading: Reading, draft: Draft) -> None:
    """Reads the anchor year group as the years of the encounter."""
    group = reading.chart.patient.get("anchor_year_group")
    draft.findings.pop("F2", None)
    draft.add(
        "F2", "status", f"The encounter lies in {group}.", name="candidate edition", value=str(group),
        evidence=[str(reading.chart.patient["ref"])],
    )  # fmt: skip
    draft.conclude(Verdict.YES, f"Judged by the edition of {group}.")


@investigate.slip
def any_metoprolol(reading: Reading, draft: Draft) -> None:
    """Takes one beta-blocker for another."""
    if reading.regimen is not None and reading.regimen.other:
        note = reading.chart.mine
        entry = reading.regimen.other[0]
        draft.findings.pop("F4", None)
        draft.add(
            "F4", "medication", f"On the list: {entry.text.strip()}.", name=BETA, value="present",
            evidence=[note.span(entry.start, entry.end)] if note else [],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "A beta-blocker is on the discharge list.")


@investigate.slip
def old_reason(reading: Reading, draft: Draft) -> None:
    """Lets a reason of another stay excuse, or takes over what an earlier summary says."""
    others = [n for n in reading.chart.discharge.items if n is not reading.chart.mine]
    if others and reading.regimen is not None:
        draft.findings.pop("F8", None)
        draft.add(
            "F8", "status", "MRA: excused by hyperkalaemia told before.", name=f"excuse of {MRA}", value="excused",
            evidence=[others[0].ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "The omission is excused by an earlier reason.")


@investigate.slip
def ward_chart(reading: Reading, draft: Draft) -> None:
    """Takes the last inpatient orders for the list."""
    orders = [r for r in reading.chart.orders.rows if "carvedilol" in str(r.get("drug")).lower()]
    if orders:
        draft.findings.pop("F4", None)
        draft.add(
            "F4", "medication", "Carvedilol was active at discharge.", name=BETA, value="present",
            evidence=[str(orders[0]["ref"])],
        )  # fmt: skip
        draft.conclude(Verdict.YES, f"{RAS} and {BETA} are present.")


MISTAKES = (newest_edition, unshifted, any_metoprolol, old_reason, ward_chart)
