"""Three slips of an auditor who knows ASC-14."""

from __future__ import annotations

import re

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.kidney import code_of
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import HOUR
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import refs

_LABEL = re.compile(
    r"recurrent c\.? ?diff|(?:clostridium|c\.?) ?diff\w* colitis, ___|history of c\. diff", re.IGNORECASE
)


@investigate.slip
def any_vancomycin(reading: Reading, draft: Draft) -> None:
    """Takes vancomycin for vancomycin, whatever its route."""
    if reading.chart.index is None:
        return
    start = reading.chart.index.collected - 24 * HOUR
    given = [d for d in reading.chart.doses if d.agent == "vancomycin" and d.time >= start]
    if given and given[0].route == "IV":
        draft.add(
            "F7", "medication", f"First effective dose: vancomycin administered {iso(given[0].time)}.",
            name="first effective dose", value="vancomycin", time=iso(given[0].time), evidence=[given[0].ref],
        )  # fmt: skip
        draft.conclude(Verdict.YES, "Vancomycin was started in time.")


@investigate.slip
def metronidazole_first(reading: Reading, draft: Draft) -> None:
    """Remembers the 2010 edition, where metronidazole treats mild to moderate disease."""
    if reading.regimen and {p[0] for p in reading.regimen.parts} == {"metronidazole"}:
        draft.conclude(Verdict.YES, "Metronidazole is first line in mild to moderate disease.")


@investigate.slip
def labels_are_history(reading: Reading, draft: Draft) -> None:
    """Calls an episode recurrent because a code or a note does."""
    chart = reading.chart
    codes = [r for r in chart.diagnoses.rows if code_of(r) == "A0471"]
    notes = [n for n in chart.mine if _LABEL.search(n.text)]
    if not codes and not notes:
        return
    draft.findings.pop("F6", None)
    draft.add(
        "F6", "status", "The episode is a recurrence.", name="initial or recurrent", value="recurrence",
        evidence=[*refs(codes), *(n.ref for n in notes)],
    )  # fmt: skip
    draft.conclude(Verdict.NO, "A recurrence needs a taper or fidaxomicin.")


MISTAKES = (any_vancomycin, metronidazole_first, labels_are_history)
