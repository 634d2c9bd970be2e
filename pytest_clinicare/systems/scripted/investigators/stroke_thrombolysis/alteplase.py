"""Stroke-dose alteplase: administrations, statements of the summary, dose check (NEU-01 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.administration import is_given
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, Sentence, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.investigators.stroke_thrombolysis.chart import (
    DAILY_WEIGHT,
    KILOGRAMS,
    POUNDS,
    Chart,
)
from pytest_clinicare.systems.scripted.session import Row

DRUG = r"(?:alteplase|\btPA\b|thrombolysis|thrombolytics?)"
_OTHER_ROUTE = re.compile(r"intra-?arterial|intra-?pleural|\bIA\b|chest tube", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"(?:referring|outside|another|transferring|local|community) (?:hospital|facility|emergency)|\bOSH\b", re.IGNORECASE
)
_DONE = re.compile(
    rf"{DRUG}[^.]{{0,80}}\b(?:given|administered|infused|begun|started)\b|"
    rf"\b(?:received|treated with|given)\b[^.]{{0,40}}{DRUG}",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:no|not|never|without|withheld|declined|refused|ineligible)\b", re.IGNORECASE)
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
LEAST, MOST, PER_KG, TOLERANCE = Decimal(20), Decimal(90), Decimal("0.9"), Decimal("0.1")
_POUND = Decimal("0.4536")


@dataclass
class Alteplase:
    """``rows`` of the stroke dose; ``told`` is a sentence that it was given here, ``outside`` that it was elsewhere."""

    rows: list[Row] = field(default_factory=list)
    small: list[Row] = field(default_factory=list)
    needle: datetime | None = None
    total: Decimal | None = None
    told: tuple[str, str] | None = None
    outside: tuple[str, str] | None = None
    weight: Decimal | None = None
    weight_ref: str = ""
    weight_told: str = ""

    @property
    def given(self) -> bool:
        """Administered here, by a row or by the summary."""
        return bool(self.rows or self.told)

    @property
    def expected(self) -> Decimal | None:
        return None if self.weight is None else min(PER_KG * self.weight, MOST)

    @property
    def dose_fault(self) -> str:
        """Why the dose is wrong, or empty."""
        if self.total is None:
            return ""
        if self.total > MOST:
            return f"{self.total} mg is above 90 mg"
        expected = self.expected
        if expected is not None and abs(self.total - expected) > TOLERANCE * expected:
            return f"{self.total} mg is more than 10 % away from {expected:.1f} mg"
        return ""


def read_alteplase(chart: Chart) -> Alteplase:
    """Rows first; the summary speaks where there is none."""
    found = Alteplase()
    listed = [r for r in chart.given.rows if re.search(r"alteplase|\btpa\b", str(r.get("drug")), re.IGNORECASE)]
    rows = [r for r in listed if _given(r) and not _OTHER_ROUTE.search(f"{r.get('drug')} {r.get('route')}")]
    rows.sort(key=lambda r: str(r["charttime"]))
    for source in ("emar", "inputevents"):
        mine = [r for r in rows if r.get("source") == source]
        strokes = _course(mine)
        if strokes and not found.rows:
            found.rows, found.needle = strokes, parse_time(strokes[0]["charttime"])
            found.total = sum((_amount(r) for r in strokes), Decimal(0))
    found.small = [r for r in rows if r not in found.rows]
    _tell(chart, found)
    _weigh(chart, found)
    return found


def _given(row: Row) -> bool:
    return is_given(row.get("event_txt")) if row.get("source") == "emar" else bool(row.get("amount"))


def _course(rows: list[Row]) -> list[Row]:
    """The first rows within two hours of one another that make 20 mg together."""
    for first in rows:
        start = parse_time(first["charttime"])
        if start is None:
            continue
        near = [
            r for r in rows if (t := parse_time(r["charttime"])) and start <= t <= start + timedelta(hours=2)
            and not re.search("clearance", str(r.get("drug")), re.IGNORECASE)
        ]  # fmt: skip
        if sum((_amount(r) for r in near), Decimal(0)) >= LEAST:
            return near
    return []


def _amount(row: Row) -> Decimal:
    for name in ("dose_given", "dose_due", "amount"):
        if row.get(name) not in (None, ""):
            return sum((Decimal(part) for part in str(row[name]).split(",") if part.strip()), Decimal(0))
    return Decimal(0)


def _tell(chart: Chart, found: Alteplase) -> None:
    for note in chart.discharge:
        for sentence in sentences(note.text):
            if sentence.section in BACKGROUND or not _DONE.search(sentence.text) or _denied(sentence):
                continue
            told = (sentence.text, note.span(sentence.start, sentence.end))
            if _ELSEWHERE.search(sentence.text):
                found.outside = found.outside or told
            elif "clear" not in sentence.text.lower():
                found.told = found.told or told
    clock = _CLOCK.search(found.told[0]) if found.told and not found.rows else None
    if clock:
        time = chart.arrival.replace(hour=int(clock.group(1)), minute=int(clock.group(2)), second=0)
        found.needle = time if time >= chart.arrival else time + timedelta(days=1)


def _denied(sentence: Sentence) -> bool:
    match = _DONE.search(sentence.text)
    return match is not None and _NOT.search(sentence.text[: match.end()]) is not None


def _weigh(chart: Chart, found: Alteplase) -> None:
    """The weight recorded nearest to arrival; kilograms before pounds of the same time."""
    ranked = []
    for row in chart.vitals.rows:
        item, figure, time = row.get("itemid"), reported_figure(row), parse_time(row.get("charttime"))
        if item not in (KILOGRAMS, POUNDS, DAILY_WEIGHT) or figure is None or time is None:
            continue
        value = figure * _POUND if item == POUNDS else figure
        if 25 <= value <= 300:
            ranked.append(
                (abs(time - chart.arrival), item == POUNDS, value, f"{figure} {'lb' if item == POUNDS else 'kg'}", row)
            )
    if ranked:
        _, _, found.weight, found.weight_told, row = min(ranked, key=lambda r: r[:2])
        found.weight_ref = str(row["ref"])
