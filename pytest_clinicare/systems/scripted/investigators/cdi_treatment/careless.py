"""Three slips of an auditor who knows ASC-14."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.cdi_treatment import findings
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import HOUR, gather
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.investigation import Reading, decide, look, write
from pytest_clinicare.systems.scripted.session import Session, refs

_LABEL = re.compile(
    r"recurrent c\.? ?diff|(?:clostridium|c\.?) ?diff\w* colitis, ___|history of c\. diff", re.IGNORECASE
)


def _begin(session: Session) -> tuple[Reading | None, Draft]:
    draft = Draft(titles=findings.TITLES)
    chart = gather(session)
    if chart is None:
        draft.conclude(Verdict.LACK, "The admission is not on record.")
        return None, draft
    reading = look(chart)
    decide(reading, draft)
    write(reading, draft)
    return reading, draft


def any_vancomycin(session: Session) -> Draft:
    """Takes vancomycin for vancomycin, whatever its route."""
    reading, draft = _begin(session)
    if reading is None or reading.chart.index is None:
        return draft
    start = reading.chart.index.collected - 24 * HOUR
    given = [d for d in reading.chart.doses if d.agent == "vancomycin" and d.time >= start]
    if given and given[0].route == "IV":
        draft.add(
            "F7", "medication", f"First effective dose: vancomycin administered {iso(given[0].time)}.",
            name="first effective dose", value="vancomycin", time=iso(given[0].time), evidence=[given[0].ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "Vancomycin was started in time.")
    return draft


def metronidazole_first(session: Session) -> Draft:
    """Remembers the 2010 edition, where metronidazole treats mild to moderate disease."""
    reading, draft = _begin(session)
    if reading is not None and reading.regimen and {p[0] for p in reading.regimen.parts} == {"metronidazole"}:
        draft.conclude(Verdict.YES, "Metronidazole is first line in mild to moderate disease.")
    return draft


def labels_are_history(session: Session) -> Draft:
    """Calls an episode recurrent because a code or a note does."""
    reading, draft = _begin(session)
    if reading is None:
        return draft
    chart = reading.chart
    codes = [r for r in chart.diagnoses.rows if code_of(r) == "A0471"]
    notes = [n for n in chart.mine if _LABEL.search(n.text)]
    if not codes and not notes:
        return draft
    draft.findings.pop("F6", None)
    draft.add(
        "F6", "status", "The episode is a recurrence.", name="initial or recurrent", value="recurrence",
        evidence=[*refs(codes), *(n.ref for n in notes)],
    )  # fmt: skip
    draft.conclude(Verdict.NO, "A recurrence needs a taper or fidaxomicin.")
    return draft


MISTAKES = (any_vancomycin, metronidazole_first, labels_are_history)
