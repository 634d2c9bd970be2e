"""Suspected infection (CC-SEP-02 section 2): cultures, courses of antibiotics, and their pairs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.antibiotics import Dose
from pytest_clinicare.systems.scripted.clinical.cultures import Culture
from pytest_clinicare.systems.scripted.clinical.notes import asserted, sentences
from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.chart import HOUR, Chart

NEW_AFTER = timedelta(hours=72)
_NOT_SYSTEMIC = ("fidaxomicin",)
_CARDIAC = re.compile(r"\bheart\b|coronary|aort|valve|cardiac", re.IGNORECASE)
_LONG_TERM = re.compile(r"prophyla", re.IGNORECASE)


@dataclass(frozen=True)
class Course:
    """Doses of one agent with less than 72 h between them."""

    agent: str
    doses: tuple[Dose, ...]

    @property
    def first(self) -> datetime:
        return self.doses[0].time

    @property
    def last(self) -> datetime:
        return self.doses[-1].time


@dataclass(frozen=True)
class Pair:
    """``settled`` is false where it depends on the hour of a culture of which only the date is known."""

    culture: Culture
    course: Course
    onset: datetime
    settled: bool = True

    @property
    def hours(self) -> float:
        """From the culture to the antibiotic; negative where the antibiotic came first."""
        return (self.course.first - self.culture.collected) / HOUR

    @property
    def window(self) -> tuple[datetime, datetime]:
        return self.onset - 48 * HOUR, self.onset + 24 * HOUR


@dataclass
class Suspicion:
    """``set_aside`` are courses given for prophylaxis, with why."""

    diagnostic: list[Culture]
    screens: list[Culture]
    courses: list[Course]
    set_aside: list[tuple[Course, str]]
    pairs: list[Pair]
    unsettled: list[Pair]


def suspect(chart: Chart) -> Suspicion:
    screens = [c for c in chart.cultures if c.screen]
    diagnostic = [c for c in chart.cultures if not c.screen]
    operations = _operations(chart.procedures.rows)
    kept, aside = [], []
    for course in _courses(chart.doses):
        why = _prophylaxis(chart, course, operations)
        if why:
            aside.append((course, why))
        else:
            kept.append(course)
    found = [pair for culture in diagnostic for course in kept if (pair := _pair(culture, course))]
    first, last = chart.period
    inside = [pair for pair in found if first <= pair.onset <= last]
    inside.sort(key=lambda pair: (pair.onset, pair.course.first, pair.culture.collected))
    return Suspicion(
        diagnostic, screens, kept, aside, [p for p in inside if p.settled], [p for p in inside if not p.settled]
    )


def _courses(doses: list[Dose]) -> list[Course]:
    """By agent; a dose 72 h or more after the last one of the agent begins another course."""
    systemic = [
        d
        for d in doses
        if d.agent not in _NOT_SYSTEMIC and d.route != "rectal" and not (d.agent == "vancomycin" and d.route == "oral")
    ]
    found: dict[str, list[list[Dose]]] = {}
    for dose in systemic:
        runs = found.setdefault(dose.agent, [])
        if runs and dose.time - runs[-1][-1].time <= NEW_AFTER:
            runs[-1].append(dose)
        else:
            runs.append([dose])
    courses = [Course(agent, tuple(run)) for agent, runs in found.items() for run in runs]
    return sorted(courses, key=lambda course: course.first)


def _operations(rows: list[Row]) -> list[tuple[date, bool]]:
    """Dates of operations, and whether the heart was operated on."""
    found = []
    for row in rows:
        day = parse_time(row.get("chartdate"))
        code, version = str(row.get("icd_code") or ""), row.get("icd_version")
        surgical = code.startswith("0") if version == 10 else bool(code) and code[:2] <= "86"
        if row.get("source") == "procedures_icd" and day and surgical:
            cardiac = code.startswith("02") if version == 10 else "35" <= code[:2] <= "37"
            found.append((day.date(), cardiac or bool(_CARDIAC.search(str(row.get("label") or "")))))
    return found


def _prophylaxis(chart: Chart, course: Course, operations: list[tuple[date, bool]]) -> str:
    """Why the course is prophylaxis; empty where it is not."""
    for day, cardiac in operations:
        if course.first.date() == day and (course.last.date() - day).days <= (2 if cardiac else 1):
            return "perioperative: begun on the day of an operation and ended in time"
    if course.agent in ("trimethoprim-sulfamethoxazole",) and _told_prophylaxis(chart, course.agent):
        return "long-term prophylaxis by the summary"
    return ""


def _told_prophylaxis(chart: Chart, agent: str) -> bool:
    words = re.compile(agent.split("-")[0] + r"|bactrim", re.IGNORECASE)
    return any(
        words.search(s.text) and asserted(_LONG_TERM, s.text) for note in chart.mine for s in sentences(note.text)
    )


def _pair(culture: Culture, course: Course) -> Pair | None:
    """Antibiotic at most 72 h after the culture, culture at most 24 h after the antibiotic; both limits included."""

    def holds(collected: datetime) -> bool:
        return -24 * HOUR <= course.first - collected <= 72 * HOUR

    collected = culture.collected
    if culture.timed:
        return Pair(culture, course, min(collected, course.first)) if holds(collected) else None
    latest = collected + 24 * HOUR - timedelta(seconds=1)
    sure, possible = holds(collected) and holds(latest), holds(collected) or holds(latest)
    return Pair(culture, course, min(collected, course.first), settled=sure) if possible else None
