"""Medication lists of a discharge summary: entries with dose, route, frequency and duration (PT-014 2 and 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.drugs import class_of, main_ingredients
from pytest_clinicare.systems.scripted.clinical.notes import Section

_ENTRY = re.compile(r"^[ \t]*\d{1,2}[.)]\s+", re.MULTILINE)
_PREAMBLE = re.compile(
    r"^\s*the (?:pre-?admission|following)[^\n]*(?:accurate|complete|medications?)[^\n]*$", re.IGNORECASE
)
_DOSE = re.compile(
    r"(?<![\w.])(\d+(?:,\d{3})*(?:\.\d+)?)(?:\s*[-\u2013]\s*(\d+(?:\.\d+)?))?\s*(mg|mcg|ug|g|gm|units?|meq|ml|puffs?|tabs?|caps?|drops?)\b",
    re.IGNORECASE,
)
_TO_MG = {"mg": Decimal(1), "mcg": Decimal("0.001"), "ug": Decimal("0.001"), "g": Decimal(1000), "gm": Decimal(1000)}
_PER_DAY: tuple[tuple[str, str], ...] = (
    (r"\bq\s?([1-9]\d?)\s?h(?:rs?|ours?)?\b|\bevery ([1-9]\d?) hours", ""),
    (r"\bevery other day\b|\bqod\b", "0.5"),
    (r"\bweekly\b|\b1x/week\b|\bqweek\b|\bonce a week\b", "0.142857"),
    (r"\bqid\b|\bfour times\b|\b4x/day\b", "4"),
    (r"\btid\b|\bthree times\b|\b3x/day\b", "3"),
    (r"\bbid\b|\btwice\b|\b2x/day\b", "2"),
    (r"\bdaily\b|\bqd\b|\bq[ap]m\b|\bqhs\b|\bonce\b|\bat bedtime\b|\beach morning\b", "1"),
)
_ROUTE = re.compile(r"\b(PO/NG|PO|IV|SC|SQ|SUBCUT|IM|IH|INH|SL|TD|PR|BOTH EYES|LEFT EYE|RIGHT EYE|TP|NAS|by mouth)\b")
_AS_NEEDED = re.compile(r"\bPRN\b|\bas needed\b", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:stopped|not taking|no longer|discontinued|self-?discontinued|stopped taking|completed)\b", re.IGNORECASE
)
_LENGTH = re.compile(
    r"duration:?\s*\d+\s*(?:days?|weeks?|doses?)|(?:for|x|another|remaining)\s*\d+\s*(?:more\s+)?(?:days?"
    r"|weeks?|doses?)|\b\d+[- ]day course|"
    r"\b\d+ (?:more |additional )?(?:days?|doses?|weeks?)\b|"
    r"\b(?:until|through|thru|end(?:s|ing)?(?: date)?|stop(?: date)?|last (?:day"
    r"|dose)|to finish)\b[^.\n]{0,40}(?:\d|___)|"
    r"Disp\s*#\s*\*?\d+|\btaper\b[^.\n]{0,80}\d",
    re.IGNORECASE,
)
_EXTENDED = re.compile(r"\b(?:XL|XR|ER|SR|CR|CD|LA|extended|succinate|MS contin|oxycontin)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """One entry; ``start`` and ``end`` are positions in the note, doses are in ``unit`` (mg where convertible)."""

    text: str
    start: int
    end: int
    ingredients: tuple[str, ...]
    dose: Decimal | None
    unit: str
    per_day: Decimal | None
    route: str
    as_needed: bool
    stopped: bool
    duration: str

    @property
    def daily_dose(self) -> Decimal | None:
        """Dose times administrations a day."""
        return self.dose * self.per_day if self.dose is not None and self.per_day is not None else None

    @property
    def extended(self) -> bool:
        return bool(_EXTENDED.search(self.text))


def entries(section: Section) -> list[Entry]:
    """Entries of a list section: numbered items with what follows them, else one a line."""
    marks = list(_ENTRY.finditer(section.text))
    if marks:
        ends = [m.start() for m in marks[1:]] + [len(section.text)]
        spans = [(m.end(), end) for m, end in zip(marks, ends, strict=True)]
    else:
        spans = [m.span() for m in re.finditer(r"[^\n]+", section.text)]
    out = []
    for start, end in spans:
        text = section.text[start:end].rstrip()
        if (
            re.search(r"[A-Za-z]{3}", text)
            and not _PREAMBLE.match(text)
            and not re.match(r"\s*none\b", text, re.IGNORECASE)
        ):
            out.append(parse_entry(text, section.start + start))
    return out


def parse_entry(text: str, start: int = 0) -> Entry:
    """Read one entry; the sentence of an RX line is read for its duration only."""
    head = re.split(r"\bRX \*|\n", text, maxsplit=1)[0]
    dose, unit = _dose(head)
    route = _ROUTE.search(head)
    length = _LENGTH.search(text)
    return Entry(
        text,
        start,
        start + len(text),
        main_ingredients(text),
        dose,
        unit,
        per_day(head),
        _route(route.group(1) if route else ""),
        bool(_AS_NEEDED.search(head)),
        bool(_STOPPED.search(text)),
        length.group(0) if length else "",
    )


def per_day(text: str) -> Decimal | None:
    """Administrations a day of a written frequency."""
    for pattern, times in _PER_DAY:
        if match := re.search(pattern, text, re.IGNORECASE):
            return Decimal(times) if times else Decimal(24) / Decimal(next(g for g in match.groups() if g))
    return None


def duration_in(text: str) -> re.Match[str] | None:
    """Days, doses, or a stop date stated in a text."""
    return _LENGTH.search(text)


def in_milligrams(amount: Decimal, unit: str) -> tuple[Decimal, str]:
    """Mass units as mg, others under their own name."""
    name = unit.lower().rstrip("s")
    return (amount * _TO_MG[name], "mg") if name in _TO_MG else (amount, name)


def _dose(text: str) -> tuple[Decimal | None, str]:
    if match := _DOSE.search(text):
        amount = Decimal((match.group(2) or match.group(1)).replace(",", ""))
        return in_milligrams(amount, match.group(3))
    return None, ""


def _route(text: str) -> str:
    return {"BY MOUTH": "PO", "PO/NG": "PO", "SQ": "SC", "SUBCUT": "SC", "INH": "IH"}.get(text.upper(), text.upper())


def changed(home: Entry, leaving: Entry) -> str:
    """What differs between two entries of one drug (PT-014 3): ``''``, or dose, frequency or route in words."""
    if home.as_needed != leaving.as_needed:
        return "as-needed against scheduled use"
    if home.route and leaving.route and home.route != leaving.route:
        return f"route {home.route} to {leaving.route}"
    before, after = home.daily_dose, leaving.daily_dose
    if before is None or after is None or home.unit != leaving.unit:
        return ""
    if before != after:
        return f"total daily dose {before.normalize():f} to {after.normalize():f} {home.unit}"
    if home.per_day != leaving.per_day and home.extended == leaving.extended:
        return "frequency"
    return ""


def time_limited(entry: Entry, at_home: bool, after_surgery: bool) -> str:
    """The kind of high-significance course that an entry of the discharge list is (PT-014 5.1), or ``''``."""
    if at_home or not entry.ingredients:
        return ""
    kind = class_of(entry.ingredients[0])
    if kind in ("antibacterial", "antifungal"):
        return "anti-infective"
    if kind == "corticosteroid":
        return "corticosteroid"
    if kind == "opioid":
        return "opioid for acute pain"
    return "anticoagulant prophylaxis after surgery" if kind == "anticoagulant" and after_surgery else ""
