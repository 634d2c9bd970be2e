"""What the notes tell of transfusion, bleeding, heart and symptoms (TM-02 sections 2 and 4 to 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.session import Note

_ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DAY = re.compile(
    rf"hospital day (?:#\s*)?(\d+|{'|'.join(_CARDINALS)})\b|\bHD ?#?(\d+)|({'|'.join(_ORDINALS)}) hospital day", re.I
)
_CELLS = re.compile(r"\b(?:packed|red (?:blood )?cells?|prbcs?|units?)\b", re.IGNORECASE)
_GAVE = re.compile(r"\b(?:transfus\w+|received|given|gave|administered|hung|went in)\b", re.IGNORECASE)
_NOT_GIVEN = re.compile(
    r"\b(?:returned|sent back|unused|never|not needed|let go|cancel\w*|operating room|intraoperative\w*)\b", re.I
)
_RULE = re.compile(r"\b(?:rule|threshold|practice|standing order)\b", re.IGNORECASE)
_BLEED = re.compile(
    r"hemateme\w+|melen\w+|hematochezia|coffee[- ]ground|vomited (?:bright red |fresh )?blood|"
    r"(?:bright red|fresh) blood|\bbleed\w*|hemorrhag\w+|blood loss",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\b(?:not (?:found|seen|present)|absent|ruled out|negative|two years ago|years ago)\b", re.I)
_ACS = re.compile(
    r"\b(?:N?STEMI|(?:non-)?ST[- ]elevation myocardial infarction|acute myocardial infarction|type 1|"
    r"unstable angina|acute coronary syndrome)",
    re.IGNORECASE,
)
_DEMAND = re.compile(r"demand|type (?:2|II)\b", re.IGNORECASE)
_VESSELS = re.compile(
    r"coronary (?:artery )?disease|\bCAD\b|myocardial infarction|heart failure|\bCHF\b|cardiomyopathy|"
    r"peripheral (?:arterial|artery|vascular) disease|\bPAD\b|claudication|(?<!heat )\bstrokes?\b|cerebrovascular|"
    r"transient ischemic|carotid",
    re.IGNORECASE,
)
_SYMPTOM = re.compile(r"orthostatic hypotension|(?:cardiac|anginal) chest pain|\bangina\b|tachycardia", re.IGNORECASE)
_CAUSED = re.compile(r"(?:attributed|due|ascribed|laid|secondary) to|because of|explained by", re.IGNORECASE)
_PROGRAMME = re.compile(
    r"(?:chronic|exchange|regular) (?:red cell )?(?:transfusion|exchange)|transfusion program", re.I
)
_OF_THIS_STAY = ("chief complaint", "history of present illness", "brief hospital course", "hospital course")
_OF_BEFORE = ("past medical history", "pmh", "history of present illness")
OPERATION = "major surgical or invasive procedure"


@dataclass(frozen=True)
class Told:
    """A sentence and where it stands."""

    text: str
    ref: str
    section: str


def _of(note: Note, *names: str) -> list[Told]:
    return [
        Told(" ".join(s.text.split()), note.span(s.start, s.end), s.section)
        for s in sentences(note.text)
        if s.section in names
    ]


def day_named(text: str) -> int | None:
    """The hospital day that a sentence names; that of arrival is the first."""
    found = _DAY.search(text)
    if not found:
        return None
    word = next(group for group in found.groups() if group).lower()
    if word.isdigit():
        return int(word)
    return (_CARDINALS if word in _CARDINALS else _ORDINALS).index(word)


def transfusions(note: Note) -> list[Told]:
    """Statements that a red-cell unit was given outside the operating room."""
    return [
        told
        for told in _of(note, *_OF_THIS_STAY)
        if _CELLS.search(told.text)
        and asserted(_GAVE, told.text)
        and not _NOT_GIVEN.search(told.text)
        and not _RULE.search(told.text)
    ]


def bleedings(note: Note) -> list[Told]:
    """Overt bleeding of this stay: neither negated nor of the past."""
    return [
        told
        for told in _of(note, *_OF_THIS_STAY)
        if asserted(_BLEED, told.text, history=False) and not _AFTER.search(told.text)
    ]


def is_bleeding(text: str) -> bool:
    """Whether a triage complaint or the impression of a report names blood loss."""
    return asserted(_BLEED, text, history=False) is not None


def dismissed_bleeding(note: Note) -> list[Told]:
    """Mentions of bleeding that are negated or of the past."""
    shown = {told.ref for told in bleedings(note)}
    return [
        t for t in _of(note, *_OF_THIS_STAY, "past medical history") if _BLEED.search(t.text) and t.ref not in shown
    ]


def coronary_syndromes(note: Note) -> list[Told]:
    """Type 1 infarction or unstable angina diagnosed in this stay."""
    wanted = (*_OF_THIS_STAY, "discharge diagnosis", "discharge diagnoses")
    return [t for t in _of(note, *wanted) if asserted(_ACS, t.text, history=False) and not _DEMAND.search(t.text)]


def demand(note: Note) -> list[Told]:
    """A troponin rise that is called demand or type 2."""
    return [t for t in _of(note, *_OF_THIS_STAY) if asserted(_DEMAND, t.text)]


def vessel_disease(note: Note) -> list[Told]:
    """Disease of heart or vessels from before this stay."""
    return [t for t in _of(note, *_OF_BEFORE) if asserted(_VESSELS, t.text) and not _DEMAND.search(t.text)]


def symptoms(note: Note) -> list[Told]:
    """Symptoms of section 7 that the summary lays to the anaemia."""
    found = []
    for told in _of(note, *_OF_THIS_STAY):
        said = asserted(_SYMPTOM, told.text)
        if said and _CAUSED.search(told.text) and re.search(r"an(?:a)?emia", told.text, re.IGNORECASE):
            found.append(told)
    return found


def programmes(note: Note) -> list[Told]:
    """A chronic or exchange transfusion programme."""
    return [t for t in _of(note, *_OF_BEFORE, *_OF_THIS_STAY) if asserted(_PROGRAMME, t.text)]


def operations(note: Note) -> list[Told]:
    """The lines of the section on procedures."""
    return [t for t in _of(note, OPERATION) if t.text.strip(" .").lower() != "none"]


def operation_day(note: Note) -> tuple[int, Told] | None:
    """The hospital day on which the note places the operation."""
    for told in _of(note, *_OF_THIS_STAY):
        if re.search(r"operat|surgery|procedure", told.text, re.IGNORECASE) and (day := day_named(told.text)):
            return day, told
    return None
