"""The elements E1 to E9 of a discharge note: where their content stands, whatever its heading (HIM-007 2 and 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_clinicare.systems.scripted.clinical.notes import Section, section, sections, sentences
from pytest_clinicare.systems.scripted.session import Note

NAMES = {
    "E1": "reason for hospitalization",
    "E2": "discharge diagnosis",
    "E3": "hospital course",
    "E4": "procedures",
    "E5": "condition at discharge",
    "E6": "disposition",
    "E7": "discharge medications",
    "E8": "follow-up",
    "E9": "patient information",
}
_HEADINGS = {
    "E1": ("chief complaint", "history of present illness"),
    "E2": ("discharge diagnosis", "discharge diagnoses"),
    "E3": ("brief hospital course", "hospital course"),
    "E4": ("major surgical or invasive procedure",),
    "E5": ("discharge condition",),
    "E6": ("discharge disposition",),
    "E7": ("discharge medications",),
    "E8": ("followup instructions", "follow-up instructions"),
    "E9": ("discharge instructions",),
}
_ELSEWHERE = {
    "E1": r"\b(?:admitted|presented|present(?:s|ing)) (?:for|with|because)",
    "E2": r"\b(?:primary|principal|discharge|final) diagnos[ie]s\b\W+\w",
    "E3": r"\bhospital course\b\W+\w",
    "E4": r"\b(?:no|without) (?:invasive )?procedures?\b|\bunderwent\b|\bprocedures?: ",
    "E5": r"mental status|activity status|\balert\b|\boriented\b|\bambula\w+|\bstable\b"
    r"|in (?:good|fair|stable) condition|\bexpired\b|patient died|\bcoherent\b|condition at discharge",
    "E6": r"\bdischarged (?:to|home)\b|\bexpired\b|\btransferred to (?:a|another|the) ",
    "E7": r"\bdischarged on \w|\bno (?:discharge )?medications?\b|\bmedications? at discharge\b\W+\w",
    "E8": r"follow(?:ing)?[- ]?up (?:with|in|is|was)|\bappointment (?:with|in|on)\b|no follow-?up"
    r"|seen in (?:the )?clinic",
    "E9": r"\bdear\b|\byou (?:were|came|are|had)\b|\b(?:he|she|patient|family) (?:was|were) "
    r"(?:told|instructed|advised)",
}
# What does not describe the patient at discharge, or is told of another time.
_OTHER_TIMES = {
    "history of present illness", "past medical history", "pmh", "social history", "family history",
    "medications on admission", "pertinent results", "allergies", "physical exam",
}  # fmt: skip
_AT_DISCHARGE = re.compile(r"(?:DISCHARGE (?:PHYSICAL )?EXAM|AT DISCHARGE|ON DISCHARGE)[^\n]*\n", re.IGNORECASE)


@dataclass(frozen=True)
class Element:
    """``state`` is readable, elsewhere, masked, waived or empty; ``span`` cites it where it has a place."""

    id: str
    state: str
    span: str
    text: str

    @property
    def name(self) -> str:
        return NAMES[self.id]


def words_of(note: Note, *names: str) -> str:
    """Text of the first section with one of the names, empty where it has none."""
    part = section(note.text, *names)
    return part.text.strip() if part else ""


def elements(note: Note, *, died: bool, left: bool = False, hospice: bool = False) -> list[Element]:
    """E1 to E9 in order, with the exceptions of 3.1."""
    waived = {"E7", "E8", "E9"} if died or left else {"E8"} if hospice else set()
    return [_element(note, number, number in waived) for number in NAMES]


def _element(note: Note, number: str, waived: bool) -> Element:
    for name in _HEADINGS[number]:
        for part in sections(note.text):
            if part.name == name and part.text.strip():
                return Element(number, "masked" if _masks(part) else "readable", _span(note, part), part.text.strip())
    found = _elsewhere(note, number)
    if found:
        return found
    empty = section(note.text, *_HEADINGS[number])
    where = note.span(max(empty.start - 20, 0), empty.end) if empty else note.ref
    return Element(number, "waived" if waived else "empty", where, "")


def _masks(part: Section) -> bool:
    return re.fullmatch(r"[\s_.\-*:]*_[\s_.\-*:]*", part.text) is not None


def _span(note: Note, part: Section) -> str:
    lead = len(part.text) - len(part.text.lstrip())
    return note.span(part.start + lead, part.start + lead + len(part.text.strip()))


def _elsewhere(note: Note, number: str) -> Element | None:
    pattern = re.compile(_ELSEWHERE[number], re.IGNORECASE)
    leaving = _AT_DISCHARGE.search(note.text)
    exam = section(note.text, "physical exam")
    for sentence in sentences(note.text):
        late = bool(leaving and exam and exam.start <= leaving.end() <= sentence.start < exam.end)
        if (sentence.section not in _OTHER_TIMES or (late and number == "E5")) and pattern.search(sentence.text):
            return Element(number, "elsewhere", note.span(sentence.start, sentence.end), sentence.text)
    return None
