"""Reading a discharge summary: its sections, its sentences, and what is asserted in them (QA-001 2.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_HEADERS = (
    "Allergies",
    "Attending",
    "Chief Complaint",
    "Major Surgical or Invasive Procedure",
    "History of Present Illness",
    "Past Medical History",
    "PMH",
    "Past Surgical History",
    "Social History",
    "Family History",
    "Physical Exam",
    "Discharge Physical Exam",
    "Discharge Exam",
    "Physical Exam on Discharge",
    "Pertinent Results",
    "Brief Hospital Course",
    "Hospital Course",
    "Medications on Admission",
    "Discharge Medications",
    "Discharge Disposition",
    "Discharge Diagnosis",
    "Discharge Diagnoses",
    "Discharge Condition",
    "Discharge Instructions",
    "Followup Instructions",
    "Follow-up Instructions",
    "Transitional Issues",
    "Facility",
    "Addendum",
    "Service",
    "Sex",
)
_HEADER = re.compile(rf"^[ \t]*({'|'.join(map(re.escape, _HEADERS))})[ \t]*:", re.IGNORECASE | re.MULTILINE)
_BREAK = re.compile(
    r"(?<=[.;!?])\s+(?=[A-Z\"(\[#_-])|\n[ \t]*\n|\n(?=[ \t]*(?:[-#*•]|\[ ?\]|\d{1,2}[.)]\s))|(?<=:)[ \t]*\n"
)
_NEGATION = re.compile(
    r"\b(no|not|without|denie[sd]|deny|negative for|never|neither|nor|absence of|rule[sd]? out|ruled out|unlikely|"
    r"did not|does not|was not|avoid(?:ed|ing)?|risk (?:of|for)|(?:may|might|could) (?:need|require)|if|future|"
    r"eventual|prepar\w+ for|plan(?:ning)? for|discuss\w*|evaluat\w+ for|candidate|work-?up|listed for|concern for|"
    r"possible|possibly|question of|screen\w*)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"\b(history of|h/o|hx of|prior|previous(?:ly)?|past|years? ago|months? ago|remote|family|mother|father"
    r"|brother|sister)\b",
    re.IGNORECASE,
)
BACKGROUND = frozenset(
    {"allergies", "social history", "family history", "past medical history", "pmh", "past surgical history"}
)
NEVER_PATIENT = frozenset({"family history", "allergies"})
_MASKED = re.compile(r"[\s_.\-*:0-9]*")


@dataclass(frozen=True)
class Section:
    """A part of a note; ``start`` and ``end`` are character positions of the body in the whole text."""

    name: str
    start: int
    end: int
    text: str

    @property
    def masked(self) -> bool:
        """Nothing readable: empty, or de-identification masks only."""
        return _MASKED.fullmatch(self.text) is not None


@dataclass(frozen=True)
class Sentence:
    """``section`` is lower case, empty ahead of the first header."""

    text: str
    start: int
    end: int
    section: str


@lru_cache(maxsize=8)
def sections(text: str) -> tuple[Section, ...]:
    """Sections by the headers that MIMIC discharge summaries use, in order."""
    found = list(_HEADER.finditer(text))
    if not found:
        return ()
    ends = [match.start() for match in found[1:]] + [len(text)]
    return tuple(
        Section(" ".join(match.group(1).lower().split()), match.end(), end, text[match.end() : end])
        for match, end in zip(found, ends, strict=True)
    )


def section(text: str, *names: str) -> Section | None:
    """The first section with one of the names (lower case)."""
    return next((part for part in sections(text) if part.name in names), None)


# An investigation looks for many things in the few notes of its chart.
@lru_cache(maxsize=64)
def sentences(text: str, skip: frozenset[str] = frozenset()) -> tuple[Sentence, ...]:
    """Sentences of a note with their positions, without those of the sections in ``skip``."""
    return tuple(_sentences(text, skip))


def _sentences(text: str, skip: frozenset[str]) -> Iterator[Sentence]:
    parts = sections(text)
    first = parts[0].start if parts else len(text)
    for part in [Section("", 0, first, text[:first]), *parts]:
        if part.name in skip:
            continue
        at = 0
        for stop in [*(match.span() for match in _BREAK.finditer(part.text)), (len(part.text), len(part.text))]:
            piece = part.text[at : stop[0]]
            if piece.strip():
                lead = len(piece) - len(piece.lstrip())
                start = part.start + at + lead
                yield Sentence(piece.strip(), start, start + len(piece.strip()), part.name)
            at = stop[1]


def asserted(pattern: re.Pattern[str], text: str, *, history: bool = True) -> re.Match[str] | None:
    """First match that is not negated, hypothetical or (unless ``history``) past, judged on the clause before it."""
    for match in pattern.finditer(text):
        clause = re.split(r"\bbut\b|\bhowever\b|[;:]|\. ", text[: match.start()])[-1]
        if _NEGATION.search(clause[-80:]) or (not history and _HISTORY.search(clause[-60:])):
            continue
        return match
    return None


def find_asserted(
    pattern: re.Pattern[str], text: str, *, history: bool = True, skip: frozenset[str] = NEVER_PATIENT
) -> Sentence | None:
    """First sentence of a note in which ``pattern`` is asserted of the patient."""
    return next((s for s in sentences(text, skip) if asserted(pattern, s.text, history=history)), None)
