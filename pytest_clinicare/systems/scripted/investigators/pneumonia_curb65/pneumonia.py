"""Whether community-acquired pneumonia is established (RQ-05 section 2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_clinicare.systems.scripted.clinical.notes import Sentence, asserted, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.session import Note

_SHADOW = re.compile(r"consolidation|infiltrate|opacit\w+|pneumonia", re.IGNORECASE)
_CHEST = re.compile(r"chest|thorax|CTA? ", re.IGNORECASE)
_PNEUMONIA = re.compile(r"pneumonia", re.IGNORECASE)
_OTHER = re.compile(r"\bCHF\b|heart failure|o?edema|infarct|atelectasis|tumou?r|malignan\w+", re.IGNORECASE)
_OPEN = re.compile(
    r"not (?:distinguished|settled|separated|decided)|could not be (?:told|distinguished)|undecided|unclear whether",
    re.IGNORECASE,
)
_IN_HOSPITAL = re.compile(
    r"(?:hospital|ventilator)[- ]acquired pneumonia|developed pneumonia|"
    r"new (?:\w+ )?(?:shadowing|consolidation|infiltrate)[^.]*not been there",
    re.IGNORECASE,
)
_TREATED = frozenset({"brief hospital course", "hospital course", "discharge diagnosis", "discharge diagnoses"})


@dataclass(frozen=True)
class Pneumonia:
    """``status`` is transfer, hospital, open, unestablished or community; ``film`` and ``told`` are spans."""

    status: str
    film: tuple[str, ...]
    film_told: str
    told: tuple[str, ...]
    text: str


def establish(chart: Chart) -> Pneumonia:
    """In the order of section 8: transfer or hospital onset, undecided, not established."""
    early, late = _films(chart, late=False), _films(chart, late=True)
    film = early or late
    shown = (film[0],) if film else tuple(n.ref for n in chart.radiology.items)
    film_told = film[1] if film else "no opacity"
    treated, open_, onset = _summary(chart)
    told = open_ or treated
    spans = (told[0],) if told else tuple(n.ref for n in chart.mine)
    text = told[1] if told else "pneumonia is not named as treated"
    status = "community"
    if str(chart.admission.get("admission_location") or "").upper() == "TRANSFER FROM HOSPITAL":
        status = "transfer"
    elif early is None and (late or onset) and treated:
        status = "hospital"
    elif early and open_:
        status = "open"
    elif early is None or treated is None:
        status = "unestablished"
    if status == "hospital" and onset:
        spans, text = (onset[0],), onset[1]
    return Pneumonia(status, shown, film_told, spans, text)


def _films(chart: Chart, *, late: bool) -> tuple[str, str] | None:
    """The first chest report with an opacity inside the window, or after it."""
    for note in sorted(chart.radiology.items, key=lambda n: n.charttime):
        time = parse_time(note.charttime)
        if time is None or not _CHEST.search(note.text[:200]):
            continue
        hours = (time - chart.t0) / HOUR
        if (hours > 48) if late else (-24 <= hours <= 48):
            found = _shadow(note)
            if found:
                return found
    return None


def _shadow(note: Note) -> tuple[str, str] | None:
    body = own_body(note.text)
    for sentence in sentences(note.text):
        if sentence.text in body and "//" not in sentence.text and asserted(_SHADOW, sentence.text):
            return note.span(sentence.start, sentence.end), f"{note.charttime}: {sentence.text}"
    return None


def _summary(chart: Chart) -> tuple[tuple[str, str] | None, ...]:
    """Sentences that name pneumonia as treated, that leave it open, and that place its onset in hospital."""
    treated: tuple[str, str] | None = None
    open_: tuple[str, str] | None = None
    onset: tuple[str, str] | None = None
    for note in chart.mine:
        for sentence in sentences(note.text):
            if sentence.section not in _TREATED:
                continue
            text = sentence.text
            found = (note.span(sentence.start, sentence.end), text)
            beside = _around(note.text, sentence) if _OPEN.search(text) else ""
            if _OTHER.search(beside) and _PNEUMONIA.search(beside):
                open_ = open_ or found
            elif asserted(_PNEUMONIA, text) and sentence.text.strip("# :").lower() != "pneumonia":
                treated = treated or found
            if _IN_HOSPITAL.search(text):
                onset = onset or found
    return treated, open_, onset


def _around(text: str, sentence: Sentence) -> str:
    return text[max(0, sentence.start - 120) : sentence.end + 120]
