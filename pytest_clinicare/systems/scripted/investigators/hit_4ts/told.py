"""What the summary and the reports tell of other causes, clots, bleeding and reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.session import Note

_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_CHEMO = re.compile(r"chemotherapy|radiation", re.IGNORECASE)
_DAYS = re.compile(rf"\b(\d+|{'|'.join(_NUMBERS)}) days before (?:admission|arrival)", re.IGNORECASE)
_DIC = re.compile(r"\bDIC\b|disseminated intravascular", re.IGNORECASE)
_SEPSIS = re.compile(r"\bsepsis\b|septic shock", re.IGNORECASE)
_VENTILATED = re.compile(r"intubated|mechanical ventilation", re.IGNORECASE)
_CLOT = re.compile(
    r"(?:new|acute)[^.]{0,40}(?:thromb\w+|embol\w+|DVT)|(?:thromb\w+|DVT)[^.]{0,40}\b(?:new|acute)|occlusive thrombus",
    re.I,
)
_BLEED = re.compile(r"intracranial h(?:a)?emorrhage|active (?:major )?bleeding|major bleed\w*", re.IGNORECASE)
_REASON = re.compile(r"because of|on account of|due to|given the|withheld for", re.IGNORECASE)
_RISK = re.compile(r"high (?:risk of bleeding|bleeding risk)", re.IGNORECASE)
_NECROSIS = re.compile(r"skin necrosis|necrotic (?:skin|plaque)", re.IGNORECASE)
_STAY = ("history of present illness", "brief hospital course", "hospital course")


@dataclass(frozen=True)
class Told:
    """A sentence and where it stands."""

    text: str
    ref: str


def _find(notes: list[Note], pattern: re.Pattern[str]) -> list[Told]:
    return [
        Told(" ".join(s.text.split()), note.span(s.start, s.end))
        for note in notes
        for s in sentences(note.text)
        if s.section in _STAY and asserted(pattern, s.text)
    ]


def chemotherapy(notes: list[Note]) -> tuple[int, Told] | None:
    """Days between chemotherapy or radiation and the admission, where a note says."""
    for said in _find(notes, _CHEMO):
        if found := _DAYS.search(said.text):
            word = found.group(1).lower()
            return (int(word) if word.isdigit() else _NUMBERS.index(word)), said
    return None


def coagulopathy(notes: list[Note]) -> list[Told]:
    return _find(notes, _DIC)


def sepsis(notes: list[Note]) -> list[Told]:
    return _find(notes, _SEPSIS)


def ventilated(notes: list[Note]) -> list[Told]:
    return _find(notes, _VENTILATED)


def necrosis(notes: list[Note]) -> list[Told]:
    return _find(notes, _NECROSIS)


def bleeding_risk(notes: list[Note]) -> list[Told]:
    return _find(notes, _RISK)


def reason(notes: list[Note]) -> list[Told]:
    """Active major or intracranial bleeding as the reason why no alternative was given."""
    found = [
        Told(" ".join(s.text.split()), note.span(s.start, s.end))
        for note in notes
        for s in sentences(note.text)
        if s.section in _STAY and _BLEED.search(s.text) and _REASON.search(s.text)
    ]
    return [told for told in found if re.search(r"\bno |\bnot |withheld|avoid", told.text, re.IGNORECASE)]


def clots(notes: list[Note]) -> list[tuple[datetime, Told]]:
    """Reports that confirm a new thrombosis, with their time."""
    out = []
    for note in notes:
        time = parse_time(note.charttime)
        for said in sentences(note.text):
            if time and "//" not in said.text and asserted(_CLOT, said.text):
                out.append((time, Told(" ".join(said.text.split()), note.span(said.start, said.end))))
                break
    return out
