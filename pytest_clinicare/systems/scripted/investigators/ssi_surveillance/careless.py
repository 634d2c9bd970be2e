"""Four slips of an auditor who knows IP-012."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance import findings
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.criteria import SPACE, SUPERFICIAL
from pytest_clinicare.systems.scripted.investigators.ssi_surveillance.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import Session, refs


def index_stay_only(session: Session) -> Draft:
    """Reads the index admission and no more."""
    draft, hadm_id = Draft(titles=findings.TITLES), session.brief.hadm_id
    notes = session.notes("discharge", hadm_id=hadm_id)
    cultures = session.query("get_microbiology", hadm_id=hadm_id)
    session.query("get_procedures", hadm_id=hadm_id)
    draft.add(
        "F3", "absence", "The stay holds no sign of infection at the site.", name="site", value="none",
        evidence=[*(n.ref for n in notes.items), *cultures.evidence[:6]],
    )  # fmt: skip
    draft.conclude(Verdict.NO, "Nothing happened before discharge.")
    return draft


@investigate.slip
def one_year(reading: Reading, draft: Draft) -> None:
    """Remembers the definitions of 1992: a year after an implant, and the longest period for every level."""
    index = reading.index
    if index is None:
        return
    draft.findings["F1"] = [c for c in draft.findings["F1"] if not (c.name or "").startswith("period")]
    rule = reading.chart.session.policy("cdc-ssi-definitions-1992", "2 Main differences")
    for name in ("period for superficial infection", "period for deep and organ/space infection"):
        draft.add(
            "F1", "status", "Infections count for one year.", name=name, value=365, evidence=[index.ref], policy=[rule],
        )  # fmt: skip
    met = [e for e, taken in reading.events if e.status == "met" and taken is None]
    if met:
        draft.conclude(Verdict.YES, f"{met[0].level.capitalize()} infection within a year: {met[0].element}.")


@investigate.slip
def any_sign(reading: Reading, draft: Draft) -> None:
    """Takes redness or a collection for an infection."""
    failed = [e for e, _ in reading.events if e.status == "not met"]
    for event in failed:
        if event.level in (SUPERFICIAL, SPACE):
            draft.add(
                "F6", "status", f"Criterion met: {event.element}.", name="criterion", value="met",
                evidence=event.evidence,
            )  # fmt: skip
            draft.conclude(Verdict.YES, f"There was {event.element}.")


@investigate.slip
def exempt(reading: Reading, draft: Draft) -> None:
    """Lets infection at the operation excuse what follows, and believes in codes otherwise."""
    patos = [said for site in reading.sites for said in site.patos]
    if patos:
        draft.add(
            "F8", "status", "Peritonitis at the operation: a later infection is no SSI.",
            name="infection present at surgery", value="exempts", evidence=[patos[0].ref],
        )  # fmt: skip
        draft.conclude(Verdict.NO, "The abdomen was infected already at the operation.")
    elif reading.chart.codes:
        draft.findings["F6"] = []
        draft.add(
            "F6", "status", "The code establishes a surgical-site infection.", name="criterion", value="coded",
            evidence=refs(reading.chart.codes),
        )  # fmt: skip
        draft.conclude(Verdict.YES, "Infection after a procedure is coded.")


MISTAKES = (index_stay_only, one_year, any_sign, exempt)
