"""Chest imaging and its cause (CC-07 2.2 and 2.3): what reports around a gas say, and what settles them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.radiology import own_body, title_of
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.session import Note

DAY = timedelta(hours=24)
_CHEST = re.compile(r"\bchest\b|\bCTA?\b.*\b(?:chest|thorax|torso)\b|\bCXR\b", re.IGNORECASE)
_OPACITY = r"(?:opacit\w+|infiltrat\w+|consolidat\w+|airspace|ground[- ]glass)"
_SIDES = r"(?:bilateral\w*|both (?:lungs|sides)|throughout both|right lung and in the left)"
_BILATERAL = re.compile(rf"{_SIDES}[^.]*{_OPACITY}|{_OPACITY}[^.]*{_SIDES}", re.IGNORECASE)
_CARDIAC = re.compile(
    r"pulmonary o?edema|cardiogenic|(?:heart|cardiac) failure|(?:volume|fluid) overload|hydrostatic", re.IGNORECASE
)
_RISK = re.compile(r"pneumonia|infecti\w+|aspiration|\bARDS\b|sepsis|contusion|pancreatitis", re.IGNORECASE)
_COLLAPSE = re.compile(r"atelectasis|collapse", re.IGNORECASE)
_OPEN = re.compile(r"versus|\bvs\b|cannot exclude|can ?not be excluded|mixed|could not be (?:settled|separated)", re.I)
_EXPLAINED = re.compile(
    r"(?:due|attributed|owing|secondary) (?:only |solely |entirely )?to [^.]*?"
    r"(?:pulmonary o?edema|heart failure|cardiogenic|overload|effusions?|atelectasis)",
    re.IGNORECASE,
)
_ABOUT_LUNGS = re.compile(rf"{_OPACITY}|o?edema|hypox\w+|respiratory failure", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"due to|attributed|because of|caused by|explained|secondary to|felt to be|reflect\w*", re.I)
_SKIP = frozenset({"past medical history", "pmh", "family history", "social history", "allergies", "physical exam"})


@dataclass(frozen=True)
class Report:
    """``reads`` is bilateral or other; ``cause`` is risk, cardiac, open or unstated."""

    time: datetime
    reads: str
    cause: str
    told: str
    span: str


@dataclass(frozen=True)
class Origin:
    """What the summary says of the cause: ``side`` is risk, cardiac, open or unstated."""

    side: str
    told: str
    span: str


def reports(notes: Sequence[Note]) -> list[Report]:
    """Chest reports in order of time."""
    found = []
    for note in notes:
        time = parse_time(note.charttime)
        if time is None or not _CHEST.search(title_of(note.text)):
            continue
        body = own_body(note.text)
        bilateral = asserted(_BILATERAL, body)
        told = next(
            (s for s in sentences(note.text) if asserted(_BILATERAL, s.text) and "//" not in s.text), None
        ) or next((s for s in sentences(note.text) if re.search(_OPACITY, s.text, re.I) and "//" not in s.text), None)
        span = note.span(told.start, told.end) if told else note.ref
        text = " ".join(told.text.split()) if told else "no opacity"
        found.append(Report(time, "bilateral" if bilateral else "other", _cause(body), text, span))
    return sorted(found, key=lambda report: report.time)


def _cause(text: str) -> str:
    """The first sentence of a report that names a cause, read with what leaves it open."""
    cause = "unstated"
    for sentence in re.split(r"(?<=[.;])\s+|\n", text):
        cardiac, risk = _CARDIAC.search(sentence), asserted(_RISK, sentence)
        if _OPEN.search(sentence) and ((cardiac and risk) or (_COLLAPSE.search(sentence) and "infiltrat" in sentence)):
            return "open"
        if _EXPLAINED.search(sentence) and not risk:
            cause = "cardiac"
        elif risk:
            cause = "risk"
    return cause


def origin(notes: Sequence[Note]) -> Origin:
    """A sentence of the summary that attributes the opacities or the failing lungs."""
    for note in notes:
        for sentence in sentences(note.text, _SKIP):
            text, span = sentence.text, note.span(sentence.start, sentence.end)
            if not _ABOUT_LUNGS.search(text):
                continue
            cardiac, risk = _CARDIAC.search(text), _RISK.search(text)
            if _OPEN.search(text) and cardiac:
                return Origin("open", text, span)
            if _EXPLAINED.search(text) and not risk:
                return Origin("cardiac", text, span)
            if _ATTRIBUTES.search(text) and risk and not cardiac:
                return Origin("risk", text, span)
    return Origin("unstated", "", "")


def risk_factor(notes: Sequence[Note]) -> tuple[str, str] | None:
    """A recognised risk factor that the summary asserts, with its span."""
    for note in notes:
        for sentence in sentences(note.text, _SKIP):
            if found := asserted(_RISK, sentence.text, history=False):
                return found.group(0).lower(), note.span(sentence.start, sentence.end)
    return None


@dataclass(frozen=True)
class Imaging:
    """``status`` is established, open, excluded or absent for one gas; ``report`` the one that decides."""

    status: str
    report: Report | None
    why: str


def judge(found: Sequence[Report], gas: datetime, summary: Origin) -> Imaging:
    """Reports within a day of the gas; if they disagree, the nearest decides, the one before at equal distance."""
    near = [r for r in found if abs(r.time - gas) <= DAY]
    if not near:
        return Imaging("absent", None, "no chest imaging within 24 h of the gas")
    deciding = min(near, key=lambda r: (abs(r.time - gas), r.time > gas))
    if deciding.reads != "bilateral":
        return Imaging("absent", deciding, "the report nearest to the gas describes no bilateral opacities")
    if summary.side == "cardiac":
        return Imaging("excluded", deciding, "the summary attributes them to cardiac failure or overload alone")
    opened = [r for r in near if r.cause == "open"]
    if opened or summary.side == "open":
        settled = [r for r in near if opened and r.time > opened[0].time and r.cause in ("risk", "cardiac")]
        side = summary.side if summary.side == "risk" else settled[-1].cause if settled else "open"
        if side == "open":
            return Imaging("open", opened[0] if opened else deciding, "cause left undecided")
        if side == "cardiac":
            return Imaging("excluded", settled[-1], "a later report names cardiac edema")
        return Imaging("established", deciding, "a later report or the summary names a risk factor")
    if deciding.cause == "cardiac":
        return Imaging("excluded", deciding, "the report attributes them to cardiac edema, overload or collapse alone")
    return Imaging("established", deciding, "bilateral opacities without a sole cardiac cause")
