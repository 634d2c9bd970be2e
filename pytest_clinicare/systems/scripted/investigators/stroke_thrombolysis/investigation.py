"""The thrombolysis decision, judged in the order of NEU-01 section 9."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign, readings
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis import findings
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.alteplase import Alteplase, read_alteplase
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.exclusions import (
    Reason,
    Severity,
    cautions,
    exclusions,
    known_labs,
    reasons,
    severity,
)
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.onset import Onset, read_onset

WINDOW, LATE, CAUTIOUS = 270, 210, 180
_STROKE = re.compile(
    r"restricted diffusion|acute (?:ischa?emic )?infarct\w*|ischa?emic stroke|acute lesion", re.IGNORECASE
)
_NAMED = re.compile(r"ischa?emic stroke|infarct\w*|lacunar stroke", re.IGNORECASE)
_INSIDE = re.compile(
    r"while (?:an )?(?:in-?patient|hospitali[sz]ed)|on the ward (?:with|when)|in-hospital onset", re.IGNORECASE
)
_THIRD = re.compile(r"(?:less than|below|under) (?:one|a) third", re.IGNORECASE)
_FLAIR = re.compile(r"(?:no|without)[^.]{0,30}FLAIR|FLAIR[^.]{0,20}(?:normal|negative)", re.IGNORECASE)


@dataclass
class Pressure:
    """One reading of both pressures."""

    systolic: Sign
    diastolic: Sign | None

    @property
    def told(self) -> str:
        return f"{self.systolic.value}/{self.diastolic.value if self.diastolic else '-'}"

    @property
    def over(self) -> bool:
        return self.systolic.value >= 185 or (self.diastolic is not None and self.diastolic.value >= 110)


@dataclass
class Reading:
    """All that the decision rests on; intervals are whole minutes."""

    chart: Chart
    onset: Onset
    alteplase: Alteplase
    stroke: tuple[str, str] | None
    inside: tuple[str, str] | None
    labs: dict[str, Value]
    score: Severity | None
    pressures: list[Pressure] = field(default_factory=list)
    excluded: list[Reason] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    cautions: list[tuple[str, str]] = field(default_factory=list)
    wake: tuple[str, str] | None = None

    @property
    def needle(self) -> datetime | None:
        return self.alteplase.needle

    @property
    def treated(self) -> bool:
        return self.alteplase.given

    def since(self, lkw: datetime | None, end: datetime | None) -> int | None:
        return None if lkw is None or end is None else round((end - lkw).total_seconds() / 60)

    @property
    def lkw(self) -> datetime | None:
        return self.onset.chosen.time if self.onset.chosen else None

    @property
    def to_arrival(self) -> int | None:
        return self.since(self.lkw, self.chart.arrival)

    @property
    def to_needle(self) -> int | None:
        return self.since(self.lkw, self.needle)

    @property
    def door(self) -> int | None:
        return self.since(self.chart.arrival, self.needle)

    @property
    def last_pressure(self) -> Pressure | None:
        """At or before the needle; of an untreated patient the last of the emergency department's first two hours."""
        end = self.needle or self.chart.arrival + timedelta(hours=2)
        return next((p for p in reversed(self.pressures) if p.systolic.time <= end), None)


def look(chart: Chart) -> Reading:
    alteplase = read_alteplase(chart)
    labs, score = known_labs(chart, alteplase.needle), severity(chart)
    reading = Reading(chart, read_onset(chart), alteplase, _shown(chart), _inside(chart), labs, score)
    start, end = chart.arrival - timedelta(hours=1), chart.left
    low = {s.time: s for s in readings("diastolic pressure", chart.ed, chart.vitals.rows, start, end)}
    reading.pressures = [
        Pressure(s, low.get(s.time)) for s in readings("systolic pressure", chart.ed, chart.vitals.rows, start, end)
    ]
    reading.excluded = exclusions(chart, alteplase.needle)
    reading.reasons = reasons(chart, score)
    reading.cautions = cautions(chart, score, labs)
    reading.wake = _wake(chart, reading)
    return reading


def _shown(chart: Chart) -> tuple[str, str] | None:
    """Acute ischaemic stroke by a report, else as the summary's diagnosis or course names it."""
    for note in chart.radiology:
        for sentence in sentences(note.text):
            if asserted(_STROKE, sentence.text):
                return sentence.text, note.span(sentence.start, sentence.end)
    for note in chart.discharge:
        for sentence in sentences(note.text):
            named = sentence.section in ("discharge diagnosis", "discharge diagnoses", "brief hospital course")
            if named and asserted(_NAMED, sentence.text):
                return sentence.text, note.span(sentence.start, sentence.end)
    return None


def _inside(chart: Chart) -> tuple[str, str] | None:
    for note in chart.discharge:
        for sentence in sentences(note.text):
            if _INSIDE.search(sentence.text) and asserted(_NAMED, sentence.text):
                return sentence.text, note.span(sentence.start, sentence.end)
    return None


def _wake(chart: Chart, reading: Reading) -> tuple[str, str] | None:
    """The MRI of the wake-up exception, with the needle at most 270 min after recognition."""
    needle = reading.needle
    found = next((s.found for s in reading.onset.statements if s.found), None)
    if needle is None or found is None or (reading.since(found, needle) or 0) > WINDOW:
        return None
    for note in chart.radiology:
        time = parse_time(note.charttime)
        if time and time <= needle and _THIRD.search(note.text) and _FLAIR.search(note.text):
            return "MRI with a lesion below one third and no FLAIR change", note.ref
    return None


def zone(minutes: int, caution: bool) -> Verdict:
    """Verdict of an untreated patient without a reason, by arrival after last-known-well (NEU-01 6)."""
    if minutes > WINDOW:
        return Verdict.YES
    if minutes > LATE or (minutes > CAUTIOUS and caution):
        return Verdict.AMBIGUOUS
    return Verdict.NO


def faults(reading: Reading) -> list[tuple[str, str]]:
    """Faults of a treatment besides its window: name and what was found."""
    out = [("exclusion", f"{r.name}: {r.told}") for r in reading.excluded]
    pressure, alteplase = reading.last_pressure, reading.alteplase
    if reading.needle and pressure and pressure.over:
        out.append(("pressure", f"last pressure before the needle {pressure.told}"))
    if alteplase.dose_fault:
        out.append(("dose", alteplase.dose_fault))
    return out


def accepted(reading: Reading) -> list[Reason]:
    return [*reading.excluded, *(r for r in reading.reasons if r.accepted)]


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    onset, alteplase = reading.onset, reading.alteplase
    if reading.stroke is None or reading.inside:
        told = "no acute ischaemic stroke is shown" if reading.stroke is None else "the stroke began in hospital"
        return draft.conclude(Verdict.LACK, f"Premise unmet: {told}.")
    if alteplase.outside and not alteplase.rows:
        told = "alteplase was begun at another hospital"
        return draft.conclude(Verdict.LACK, f'Premise unmet: {told}: "{alteplase.outside[0]}"', Verdict.YES)
    if reading.treated:
        return _treated(reading, draft)
    reason = next(iter(accepted(reading)), None)
    if reason or onset.unknown:
        told = f"{reason.name} ({reason.told})" if reason else "last-known-well is stated to be unknown"
        return draft.conclude(Verdict.YES, f"Not given, and justified: {told}.")
    minutes, caution = reading.to_arrival, bool(reading.cautions)
    if minutes is None:
        draft.reopens = "A last-known-well time from the emergency service or a witness."
        return draft.conclude(Verdict.LACK, "Not given, no reason, and no source states a last-known-well.", Verdict.NO)
    verdicts = {
        zone(reading.since(s.time, reading.chart.arrival) or 0, caution) for s in onset.conflict if s.time is not None
    }
    if len(verdicts) > 1:
        draft.reopens = "A note that explains the difference of the last-known-well times."
        return draft.conclude(Verdict.AMBIGUOUS, "The sources conflict on last-known-well, which decides.", Verdict.NO)
    verdict = zone(minutes, caution)
    with_caution = f" with {reading.cautions[0][0]}" if caution else ""
    told = f"Not given, no accepted reason, arrival {minutes} min after last-known-well{with_caution}"
    outcome = {
        Verdict.YES: "outside the window", Verdict.NO: "inside the zone in which treatment is expected",
        Verdict.AMBIGUOUS: "in a zone that leaves the decision open",
    }  # fmt: skip
    return draft.conclude(verdict, f"{told}: {outcome[verdict]}.", Verdict.NO if not verdict.definitive else None)


def _treated(reading: Reading, draft: Draft) -> None:
    wrong, minutes = faults(reading), reading.to_needle
    if reading.needle is None or (reading.lkw is None and not reading.wake):
        missing = "administered time" if reading.needle is None else "last-known-well"
        draft.reopens = f"The {missing}."
        return draft.conclude(Verdict.LACK, f"Alteplase was given here and no {missing} can be found.", Verdict.YES)
    sides = {(reading.since(s.time, reading.needle) or 0) > WINDOW for s in reading.onset.conflict}
    if len(sides) > 1 and not wrong and not reading.wake:
        return draft.conclude(Verdict.AMBIGUOUS, "Last-known-well times lie on both sides of the window.", Verdict.YES)
    if minutes is not None and minutes > WINDOW and not reading.wake:
        wrong.insert(0, ("window", f"needle {minutes} min after last-known-well"))
    if wrong:
        return draft.conclude(Verdict.NO, f"Alteplase was given with a fault: {'; '.join(t for _, t in wrong)}.")
    if reading.last_pressure is None or reading.alteplase.total is None:
        missing = "pressure before the needle" if reading.last_pressure is None else "dose"
        return draft.conclude(
            Verdict.LACK, f"Alteplase was given, no fault is shown and no {missing} is recorded.", Verdict.YES
        )
    total: Decimal = reading.alteplase.total
    return draft.conclude(
        Verdict.YES, f"Alteplase {total} mg was given {minutes} min after last-known-well with no exclusion."
    )  # fmt: skip


investigate = Investigation(
    findings.TITLES,
    gather,
    look,
    decide,
    findings.write,
    absent="The admission through the emergency department is not on record.",
)
