"""Class of the episode (ASC-14 section 4): values around collection, shock and its attribution, recurrence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.kidney import stated_maintenance
from pytest_clinicare.systems.scripted.clinical.notes import sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.chart import (
    CREATININE,
    HOUR,
    WHITE,
    Assay,
    Chart,
)
from pytest_clinicare.systems.scripted.investigators.cdi_treatment.stool import Ileus, ileus
from pytest_clinicare.systems.scripted.session import Row, refs

_SHOCK = re.compile(r"shock|hypotens|norepinephrine|pressor|levophed", re.IGNORECASE)
_CDIFF = re.compile(r"c\.? ?diff|difficile", re.IGNORECASE)
_OTHER = re.compile(
    r"cardiogenic|hemorrhag|hypovol\w+ from|pneumonia|urosepsis|pulmonary embol|tamponade|adrenal", re.I
)
_AGENTS = ("vancomycin", "fidaxomicin", "metronidazole")
_DAY = timedelta(days=1)


@dataclass
class Severity:
    """``worst`` holds the worst white count and creatinine; ``shock`` rows of low pressures and vasopressors.

    ``attribution`` is c-difficile, other, open or unstated. ``earlier`` is the last positive from before the index,
    ``prior`` the agent that treated it.
    """

    white: Value | None = None
    creatinine: Value | None = None
    dialysis: bool = False
    shock: list[Row] = field(default_factory=list)
    ileus: Ileus | None = None
    attribution: str = "unstated"
    attributed: tuple[str, ...] = ()
    earlier: Assay | None = None
    days: int | None = None
    prior: str = ""
    prior_evidence: tuple[str, ...] = ()

    @property
    def severe(self) -> bool | None:
        """None where neither value was measured."""
        if self.white is None and (self.creatinine is None or self.dialysis):
            return None
        high = self.creatinine is not None and not self.dialysis and self.creatinine.value > Decimal("1.5")
        return high or (self.white is not None and self.white.value >= 15)

    @property
    def fulminant(self) -> bool:
        return self.ileus is not None or (bool(self.shock) and self.attribution != "other")

    @property
    def disputed(self) -> bool:
        """Shock, left open between C. difficile and another cause, is the only fulminant feature."""
        return self.ileus is None and bool(self.shock) and self.attribution == "open"

    @property
    def recurrent(self) -> bool:
        return self.days is not None and 15 <= self.days <= 56

    @property
    def name(self) -> str:
        if self.fulminant:
            return "fulminant"
        if self.recurrent:
            return "first recurrence"
        return {True: "initial, severe", False: "initial, non-severe", None: "initial, severity unknown"}[self.severe]


def classify(chart: Chart) -> Severity:
    assert chart.index is not None
    at = chart.index.collected
    white = [v for v in valid_values(chart.labs.rows, WHITE, "k/ul", high=500) if abs(v.time - at) <= _DAY]
    creatinine = [v for v in valid_values(chart.labs.rows, CREATININE) if abs(v.time - at) <= _DAY]
    found = Severity(
        max(white, key=lambda v: v.value, default=None), max(creatinine, key=lambda v: v.value, default=None)
    )
    found.dialysis = any(stated_maintenance(n.text) for n in chart.mine)
    found.shock = [*chart.inputs.rows, *_low(chart.pressures.rows)]
    found.ileus = ileus(chart, 24)
    if found.shock:
        _attribute(chart, found)
    _recurrence(chart, found)
    return found


def _low(rows: list[Row]) -> list[Row]:
    """Systolic pressures below 90 mmHg, if two of them lie 30 min or more apart."""
    low: list[tuple[datetime, Row]] = []
    for row in rows:
        time, value = parse_time(row.get("charttime")), row.get("valuenum")
        if time and value is not None and 0 < float(value) < 90:
            low.append((time, row))
    low.sort(key=lambda pair: pair[0])
    return [row for _, row in low] if len(low) > 1 and low[-1][0] - low[0][0] >= HOUR / 2 else []


def _attribute(chart: Chart, found: Severity) -> None:
    for note in chart.mine:
        for sentence in sentences(note.text):
            if not _SHOCK.search(sentence.text):
                continue
            ours, others = bool(_CDIFF.search(sentence.text)), bool(_OTHER.search(sentence.text))
            if ours or others:
                found.attribution = "open" if ours and others else "c-difficile" if ours else "other"
                found.attributed = (note.span(sentence.start, sentence.end),)
                return


def _recurrence(chart: Chart, found: Severity) -> None:
    assert chart.index is not None
    before = [a for a in chart.assays if a.result == "positive" and a.collected < chart.index.collected]
    if not before:
        return
    found.earlier = before[-1]
    found.days = (chart.index.collected - before[-1].collected).days
    hadm_id = before[-1].row.get("hadm_id")
    for note in chart.discharge.items:
        if note.hadm_id is None or note.hadm_id != hadm_id:
            continue
        for sentence in sentences(note.text):
            named = [a for a in _AGENTS if a in sentence.text.lower()]
            if named and re.search(r"diff|days|treated", sentence.text, re.IGNORECASE):
                found.prior, found.prior_evidence = named[0], (note.span(sentence.start, sentence.end),)
                return
    rows = (
        chart.session.query("get_medication_administrations", hadm_id=hadm_id, drug="vancomycin").rows
        if hadm_id
        else []
    )
    if any("oral" in str(r.get("drug")).lower() for r in rows):
        found.prior, found.prior_evidence = "vancomycin", refs(rows[:1])
