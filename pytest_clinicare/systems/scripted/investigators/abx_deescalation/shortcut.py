"""Orders are therapy: the broad prescriptions ended within two days of the first report of growth, or they did not."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of
from pytest_clinicare.systems.scripted.clinical.cultures import cultures
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.abx_deescalation.need import INDEX_AGENTS
from pytest_clinicare.systems.scripted.session import Session, refs


def guess(session: Session) -> Draft:
    """The report of the guess."""
    draft, hadm_id = Draft(), session.brief.hadm_id
    rows = session.query("get_microbiology", hadm_id=hadm_id).rows
    grown = [i for c in cultures(rows) for i in c.isolates if i.final]
    orders = [
        r
        for r in session.query("get_medication_orders", hadm_id=hadm_id).rows
        if agent_of(str(r["drug"])) in INDEX_AGENTS
    ]
    if not grown or not orders:
        draft.conclude(Verdict.LACK, "No positive culture or no broad antibiotic was found.")
        return draft
    final = grown[0].final
    assert final is not None
    draft.add(
        "F2", "index_time", f"Susceptibilities were final at {final}.", name="T_final", value=str(final),
        time=str(final), evidence=refs(list(grown[0].rows[:2])),
    )  # fmt: skip
    ends = [stop for r in orders if (stop := parse_time(r.get("stoptime")))]
    for row in orders:
        draft.add(
            "F4", "medication", f"{row['drug']} was stopped at {row['stoptime']}.", name=str(row["drug"]).lower(),
            value=str(row["stoptime"]), evidence=refs([row]),
        )  # fmt: skip
    late = [stop for stop in ends if stop > final + timedelta(hours=54)]
    draft.conclude(
        Verdict.NO if late else Verdict.YES,
        "A broad order ran past two days after the panel." if late else "Every broad order ended in time.",
    )
    return draft
