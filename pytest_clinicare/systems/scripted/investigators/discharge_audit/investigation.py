"""A discharge summary audited in the order of HIM-007 section 6."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.discharge_audit import findings
from pytest_clinicare.systems.scripted.investigators.discharge_audit.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.discharge_audit.concordance import (
    Drug,
    Pending,
    Procedure,
    contradiction,
    drugs,
    group_of_location,
    group_of_wording,
    pending,
    procedures,
)
from pytest_clinicare.systems.scripted.investigators.discharge_audit.elements import Element, elements
from pytest_clinicare.systems.scripted.investigators.discharge_audit.principal import Principal, principal


@dataclass
class Reading:
    """What the checks found; without a note only the record's side."""

    chart: Chart
    pending: Pending
    principal: Principal | None
    elements: list[Element] = field(default_factory=list)
    drugs: list[Drug] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)

    def element(self, number: str) -> Element | None:
        return next((e for e in self.elements if e.id == number), None)

    @property
    def told(self) -> str:
        """Group of the note's disposition."""
        found = self.element("E6")
        return group_of_wording(found.text) if found and found.state in ("readable", "elsewhere") else ""

    @property
    def recorded(self) -> str:
        return group_of_location(self.chart.location)

    def deficiencies(self) -> list[str]:
        """Every deficiency of sections 3 and 4."""
        out = [f"{e.id}, {e.name}, has no content anywhere" for e in self.elements if e.state == "empty"]
        if self.told and self.recorded and self.told != self.recorded:
            out.append(f"the note's disposition is {self.told}, discharge_location {self.chart.location}")
        if not self.chart.died:
            if not self.pending.masked:
                out += [f"a pending {c.specimen.lower()} is not named" for c in self.pending.unnamed]
                out += [f"a pending {r.get('label')} is not named" for r in self.pending.unnamed_labs]
            if not self._list_masked:
                out += [f"{d.name}: {contradiction(d)}" for d in self.drugs if contradiction(d)]
        out += [f"{p.row.get('label')} is not named" for p in self.procedures if p.second and not p.named]
        found = self.principal
        if found and found.note == "silent" and found.evidence:
            out.append(f"{found.name} is measured and never mentioned")
        return out

    @property
    def _list_masked(self) -> bool:
        found = self.element("E7")
        return bool(found and found.state == "masked")

    def impossible(self) -> list[str]:
        """Checks that cannot be made (section 5)."""
        out = []
        if self.principal is None:
            out.append("C5: the admission has no diagnosis codes")
        if not self.recorded or not self.told:
            out.append("C1: a disposition is empty or masked")
        if not self.chart.died and self.pending.masked and (self.pending.unnamed or self.pending.unnamed_labs):
            out.append("C2: a result was pending and the statement on pending results is masked")
        if not self.chart.died and self._list_masked:
            out.append("C3: the medication list is masked")
        return out


def look(chart: Chart) -> Reading:
    reading = Reading(chart, pending(chart), principal(chart))
    reading.procedures = procedures(chart)
    if chart.note:
        left, hospice = chart.location == "AGAINST ADVICE", chart.location == "HOSPICE"
        reading.elements = elements(chart.note, died=chart.died, left=left, hospice=hospice)
        reading.drugs = drugs(chart, chart.note)
    return reading


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    if reading.chart.note is None:
        draft.reopens = "The discharge summary of this admission."
        return draft.conclude(Verdict.LACK, "This admission has no discharge summary.")
    wrong = reading.deficiencies()
    if wrong:
        return draft.conclude(Verdict.NO, f"Deficiency: {'; '.join(wrong)}.")
    cannot = reading.impossible()
    if cannot:
        draft.reopens = "The source that the check needs."
        return draft.conclude(
            Verdict.LACK, f"No deficiency, but a check is not possible: {'; '.join(cannot)}.", Verdict.YES
        )
    found = reading.principal
    if found and (found.note == "unresolved" or (found.note == "excludes" and found.evidence)):
        told = "left as one possibility among others" if found.note == "unresolved" else "excluded against evidence"
        return draft.conclude(Verdict.AMBIGUOUS, f"{found.name}, coded first, is {told} in the note.", Verdict.YES)
    return draft.conclude(Verdict.YES, "Every element is documented and every check agrees.")


investigate = Investigation(findings.TITLES, gather, look, decide, findings.write)
