"""What summaries say of scheduling, staging and stays at other hospitals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, asserted, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.readmission_30d.chart import WINDOW, Chart, Stay, day_of
from pytest_clinicare.systems.scripted.session import Note

_SKIP = BACKGROUND | {
    "physical exam", "pertinent results", "medications on admission", "discharge medications", "discharge condition",
}  # fmt: skip
_SCHEDULED = re.compile(
    r"\bscheduled\b|\bstaged\b|second[- ]stage|\belective(?:ly)?\b|\bprearranged\b|\bplanned (?:re)?admission\b",
    re.IGNORECASE,
)
_STAY = re.compile(
    r"\badmission\b|\b(?:re)?admit|\breturns?\b|come in\b|came in\b|in hospital|surgery|operation|procedure|replacement"
    r"|arthroplasty|revision|cholecystectomy|gallbladder|catheterization|stent|transplant|\bcycle\b|chemotherapy",
    re.IGNORECASE,
)
_OFFICE = re.compile(r"appointment|\bclinic\b|\bvisits?\b|outpatient|nurse|follow-?up|blood work|\blabs?\b", re.I)
# Kinds of care that a plan may name, and how codes and text of an admission show that it is for it.
_CARE = {
    "hip": (r"\bhip\b", r"0S[RPW][9B]|0SR[RS]|815[13]|M16|T845|0QS6"),
    "knee": (r"\bknee\b", r"0S[RPW][CD]|815[45]|M17|T845"),
    "chemotherapy": (r"chemotherapy|\bcycle\b", r"Z511|V581"),
    "gallbladder": (r"gallbladder|cholecystectomy|gallstone", r"0F[BT]4|512|K80|K81|574"),
    "heart": (r"\bstent|angiogra|catheterization|angioplasty|bypass|valve", r"02[17R]|36[01]|0066|I25|I2[0-4]"),
    "transplant": (r"transplant", r"0TY|0FY|02YA|5569|302"),
    "hernia": (r"hernia", r"0WUF|0Y[QU]|53|K4[0-6]"),
    "bowel": (r"colectomy|ostomy|bowel", r"0D[BTWQ]|45|46|Z93|Z43"),
}
_ELSEWHERE = re.compile(r"\b(?:outside|another|different|other|local) hospital\b|\bOSH\b", re.IGNORECASE)
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_INPATIENT = re.compile(r"\badmitted\b|\binpatient\b|\bhospitalized\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:for|with|because of) (?:an? |the )?[a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    text: str
    ref: str


@dataclass(frozen=True)
class Outside:
    """A stay elsewhere; ``on`` and ``clear`` where date, inpatient class and reason are told."""

    said: Said
    on: datetime | None
    clear: bool


def _said(note: Note, sentence: object) -> Said:
    start, end, text = (getattr(sentence, name) for name in ("start", "end", "text"))
    return Said(text, note.span(start, end))


def scheduled(chart: Chart, stay: Stay) -> Said | None:
    """That the candidate was scheduled or staged, by its own summary or by an index plan for the care that it gave."""
    own = chart.summary(stay)
    for sentence in sentences(own.text, _SKIP) if own else ():
        here = sentence.section in ("history of present illness", "brief hospital course", "hospital course")
        if (
            here
            and own
            and _tells(sentence.text)
            and re.search(r"admi|came in|brought in|here for", sentence.text, re.I)
        ):
            return _said(own, sentence)
    plan = chart.summary(chart.index)
    for sentence in sentences(plan.text, _SKIP) if plan else ():
        if plan and _tells(sentence.text) and _same_care(chart, stay, sentence.text):
            return _said(plan, sentence)
    return None


def _tells(text: str) -> bool:
    return bool(asserted(_SCHEDULED, text) and _STAY.search(text) and not _OFFICE.search(text))


def _same_care(chart: Chart, stay: Stay, plan: str) -> bool:
    first = chart.first_listed(stay)
    codes = [code.value for code, _ in chart.done(stay)] + ([first[0].value] if first else [])
    named = [shown for words, shown in _CARE.values() if re.search(words, plan, re.IGNORECASE)]
    return any(re.match(f"(?:{shown})", code) for shown in named for code in codes)


def outside_stays(chart: Chart, zero: datetime) -> list[Outside]:
    """Stays at other hospitals after the index, in or possibly in the window, in texts of later encounters."""
    out = []
    for note in chart.discharge.items:
        written = parse_time(note.charttime)
        if note.hadm_id == chart.index.hadm_id or written is None or written.date() < zero.date():
            continue
        for sentence in sentences(note.text, frozenset(_SKIP)):
            if not asserted(_ELSEWHERE, sentence.text):
                continue
            date = _ISO.search(sentence.text)
            on = parse_time(date.group(1)) if date else None
            if on and not 0 <= day_of(on, zero) <= WINDOW:
                continue
            clear = bool(on and _INPATIENT.search(sentence.text) and _REASON.search(sentence.text))
            out.append(Outside(_said(note, sentence), on, clear))
    return out
