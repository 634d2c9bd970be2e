"""Last-known-well as the sources state it (NEU-01 2.2 and 2.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, sentences
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.chart import Chart

_WELL = re.compile(
    r"last (?:known|seen) (?:to be )?(?:well|normal|at baseline)|last known normal|\bLKW\b|went to bed|"
    r"(?:symptom )?onset (?:was )?(?:witnessed )?at|(?:symptoms?|deficits?|weakness) (?:began|started)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
_AGO = re.compile(
    r"(\d+(?:\.\d+)?) ?(h|hours?|hrs?|min|minutes?)\b ?(?:ago|before arrival|prior to arrival|earlier)", re.IGNORECASE
)
_FOUND = re.compile(r"\b(?:found|woke|awoke|noticed|discovered)\b", re.IGNORECASE)
_UNKNOWN = re.compile(r"\b(?:unknown|not known|unclear|could not be (?:fixed|established|determined))\b", re.IGNORECASE)
_APART = timedelta(minutes=30)


@dataclass(frozen=True)
class Statement:
    """One source's last-known-well; ``time`` is None where the source says that it is unknown."""

    source: str
    time: datetime | None
    text: str
    ref: str
    found: datetime | None = None


@dataclass
class Onset:
    """``conflict`` are statements more than 30 minutes apart of which none mentions the other source."""

    statements: list[Statement] = field(default_factory=list)
    settled: bool = False

    @property
    def timed(self) -> list[Statement]:
        return [s for s in self.statements if s.time is not None]

    @property
    def chosen(self) -> Statement | None:
        """The summary's time, else the triage text's."""
        return next(iter(self.timed), None)

    @property
    def unknown(self) -> Statement | None:
        return next((s for s in self.statements if s.time is None), None)

    @property
    def conflict(self) -> list[Statement]:
        first = self.chosen
        if first is None or first.time is None or self.settled:
            return []
        others = [s for s in self.timed if s.time and abs(s.time - first.time) > _APART]
        return [first, *others] if others else []


def read_onset(chart: Chart) -> Onset:
    """Summary first, then triage, then radiology requests."""
    onset = Onset()
    for note in chart.discharge:
        for sentence in sentences(note.text):
            if sentence.section in BACKGROUND or not _WELL.search(sentence.text):
                continue
            ref = note.span(sentence.start, sentence.end)
            onset.settled |= re.search(r"\btriage\b", sentence.text, re.IGNORECASE) is not None
            onset.statements += _read("discharge summary", sentence.text, ref, chart.arrival)
    triage = str(chart.ed.get("chiefcomplaint") or "")
    if _WELL.search(triage):
        onset.statements += _read("triage", triage, str(chart.ed["triage_ref"]), chart.arrival)
    for note in chart.radiology:
        for sentence in sentences(note.text):
            if _WELL.search(sentence.text):
                ref = note.span(sentence.start, sentence.end)
                onset.statements += _read("radiology", sentence.text, ref, chart.arrival)
    return onset


def _read(source: str, text: str, ref: str, arrival: datetime) -> list[Statement]:
    """The time that belongs to being well: not one that follows a word of discovery."""
    marks = [(m.start(), _before(m, arrival)) for m in _CLOCK.finditer(text)]
    seen = [(m.start(), _back(m, arrival)) for m in _AGO.finditer(text)]
    finding = [m.end() for m in _FOUND.finditer(text)]
    late = [at for at, _ in marks if any(0 <= at - end <= 6 for end in finding)]
    found = next((time for at, time in marks if at in late), None)
    well = [time for at, time in sorted([*marks, *seen]) if at not in late]
    if well:
        return [Statement(source, well[0], text, ref, found)]
    return [Statement(source, None, text, ref, found)] if _UNKNOWN.search(text) else []


def _before(match: re.Match[str], arrival: datetime) -> datetime:
    """The last such clock time up to arrival."""
    time = arrival.replace(hour=int(match.group(1)), minute=int(match.group(2)), second=0)
    return time if time <= arrival else time - timedelta(days=1)


def _back(match: re.Match[str], arrival: datetime) -> datetime:
    amount = float(match.group(1))
    return arrival - timedelta(minutes=round(amount * (1 if match.group(2).lower().startswith("m") else 60)))
