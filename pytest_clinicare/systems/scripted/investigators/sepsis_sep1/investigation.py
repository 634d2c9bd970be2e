"""The SEP-1 bundle, decided in the order of QD-SEP-03 section 7."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1 import findings
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.elements import (
    FAILED,
    Element,
    Exclusion,
    dark,
    e1,
    e2,
    e3,
    e4,
    e5,
    e6,
    exclusions,
    initial_lactate,
    restriction,
)
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.fluids import Fluids, read_fluids
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.limbs import Attribution, Limbs, Zero, read_limbs


@dataclass
class Reading:
    """``stopped`` says why elements are not scored; ``undecided`` is the attribution that leaves the case open."""

    chart: Chart
    limbs: Limbs
    zero: Zero | None
    fluids: Fluids = field(default_factory=Fluids)
    excluded: list[Exclusion] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    undecided: Attribution | None = None
    stopped: str = ""

    def element(self, name: str) -> Element:
        return next(e for e in self.elements if e.name == name)


def look(chart: Chart) -> Reading:
    limbs = read_limbs(chart)
    reading = Reading(chart, limbs, limbs.zero())
    if reading.zero is None:
        return reading
    at = reading.zero.time
    reading.fluids = read_fluids(chart, at, initial_lactate(chart, at))
    reading.excluded = exclusions(chart, at)
    reading.elements = [
        e1(chart, at), e2(chart, at), e3(chart, at), e4(chart, at), e5(chart, reading.fluids), e6(reading.fluids),
    ]  # fmt: skip
    kinds = {s.kind for s in reading.zero.dysfunction}
    open_ = [a for a in limbs.attributions if a.handling == "undecided" and a.kind in kinds]
    if open_ and not _completed(limbs, reading.zero, {a.kind for a in open_}):
        reading.undecided = open_[0]
    return reading


def _completed(limbs: Limbs, zero: Zero, without: set[str]) -> bool:
    """Whether another organ dysfunction lies within six hours of the other two limbs."""
    return any(s.kind not in without and abs(s.time - zero.time).total_seconds() <= 6 * 3600 for s in limbs.dysfunction)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, zero = reading.chart, reading.zero
    if zero is None:
        reading.stopped = "there is no time zero"
        return draft.conclude(Verdict.LACK, "The three limbs never fall inside six hours: no time zero.", Verdict.NO)
    held = next((e for e in reading.excluded if e.holds), None)
    if held:
        reading.stopped = f"the measure excludes the case ({held.name})"
        lean = Verdict.NO if any(e.status == FAILED for e in reading.elements) else Verdict.YES
        return draft.conclude(Verdict.LACK, f"Excluded: {held.name}, {held.told}.", lean)
    unseen = dark(chart, zero.time)
    if unseen:
        reading.stopped = unseen
        draft.reopens = "The administration record, or the cabinet log of the emergency department."
        return draft.conclude(Verdict.LACK, f"Administration cannot be seen: {unseen}.", Verdict.YES)
    fluids = reading.fluids
    if fluids.trigger and (fluids.weight is None or fluids.open_volume):
        reading.stopped = "no weight" if fluids.weight is None else "the volume is not established"
        return draft.conclude(Verdict.LACK, f"Crystalloid is required and {reading.stopped}.", Verdict.NO)
    if reading.undecided:
        told = reading.undecided.sentence.text
        return draft.conclude(Verdict.AMBIGUOUS, f'The only organ dysfunction is left undecided: "{told}"', Verdict.YES)
    for name in ("E1", "E2", "E3", "E4"):
        element = reading.element(name)
        if element.status == FAILED:
            return draft.conclude(Verdict.NO, f"{name} not met: {element.why}.")
    five, six, limited = reading.element("E5"), reading.element("E6"), restriction(chart)
    if five.status == FAILED and six.status != FAILED and limited and not limited[2]:
        return draft.conclude(
            Verdict.AMBIGUOUS, f'Crystalloid fell short and a reason without a volume is documented: "{limited[0]}"',
            Verdict.NO,
        )  # fmt: skip
    for element in (five, six):
        if element.status == FAILED:
            return draft.conclude(Verdict.NO, f"{element.name} not met: {element.why}.")
    return draft.conclude(Verdict.YES, "Every element that applies was delivered inside its window.")


investigate = Investigation(findings.TITLES, gather, look, decide, findings.write)
