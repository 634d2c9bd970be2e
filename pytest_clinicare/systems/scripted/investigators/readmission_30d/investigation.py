"""Countable unplanned readmission, decided in the order of QA-011 section 5."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.readmission_30d import findings
from pytest_clinicare.systems.scripted.investigators.readmission_30d.chart import WINDOW, Chart, Stay, day_of, gather
from pytest_clinicare.systems.scripted.investigators.readmission_30d.lists import (
    acute,
    always_planned_diagnosis,
    always_planned_procedure,
    excluded_diagnosis,
    potentially_planned,
)
from pytest_clinicare.systems.scripted.investigators.readmission_30d.statements import (
    Outside,
    Said,
    outside_stays,
    scheduled,
)
from pytest_clinicare.systems.scripted.session import Row

_EMERGENCY = ("EW EMER.", "DIRECT EMER.", "URGENT", "OBSERVATION ADMIT")


@dataclass(frozen=True)
class Class:
    """Result of the algorithm: ``step`` of cms-hwr-planned-readmission 4.2, what decides it, the rows it rests on."""

    step: int
    planned: bool
    why: str
    rows: tuple[Row, ...]


@dataclass
class Reading:
    """``last`` is the stay whose dischtime starts the window: the index, or a same-day return that continues it."""

    chart: Chart
    last: Stay
    zero: datetime | None = None
    same_day: list[tuple[Stay, bool]] = field(default_factory=list)
    excluded: tuple[str, Row] | None = None
    candidate: Stay | None = None
    outside: list[Outside] = field(default_factory=list)
    result: Class | None = None
    scheduled: Said | None = None
    conflict: str | None = None

    @property
    def elsewhere(self) -> Outside | None:
        """An outside stay told with class, date and reason that comes before any candidate of this record."""
        told = [o for o in self.outside if o.clear and o.on]
        first = min(told, key=lambda o: str(o.on), default=None)
        if first and first.on and (self.candidate is None or first.on.date() < self.candidate.admit.date()):
            return first
        return None


def look(chart: Chart) -> Reading:
    """Index, window, candidate and its class."""
    reading = Reading(chart, chart.index)
    if chart.index.leaves is None or chart.index.leaves < chart.index.admit:
        return reading
    reading.zero = chart.index.leaves
    _merge(reading)
    reading.excluded = _exclusion(reading)
    reading.candidate = next(
        (s for s in chart.later(reading.zero) if s.candidate_class and day_of(s.admit, reading.zero) <= WINDOW),
        None,
    )
    reading.outside = outside_stays(chart, reading.zero)
    if reading.candidate:
        reading.result = classify(chart, reading.candidate)
        reading.scheduled = scheduled(chart, reading.candidate)
        reading.conflict = _conflict(reading)
    return reading


def _merge(reading: Reading) -> None:
    """Same-day returns for the same condition continue the index (2.4); the window then starts from their end."""
    chart, code = reading.chart, reading.chart.first_listed(reading.chart.index)
    for stay in chart.later(reading.last.leaves or reading.last.admit):
        if reading.zero is None or not stay.inpatient or day_of(stay.admit, reading.zero) != 0:
            continue
        if stay.admit < reading.zero:
            continue
        other = chart.first_listed(stay)
        same = bool(code and other and code[0].version == other[0].version and code[0].value[:3] == other[0].value[:3])
        reading.same_day.append((stay, same))
        if not same or stay.leaves is None:
            return
        reading.last, reading.zero = stay, stay.leaves


def _exclusion(reading: Reading) -> tuple[str, Row] | None:
    """QA-011 2.1; discharge is judged on the last of merged stays."""
    chart, index, last = reading.chart, reading.chart.index, reading.last
    age = chart.age(index)
    if age is not None and age < 18:
        return f"the patient was {age} years old", index.row
    where = str(last.row.get("discharge_location") or "")
    if where == "DIED" or last.row.get("hospital_expire_flag") == 1:
        return "the patient died in hospital", last.row
    if where == "AGAINST ADVICE":
        return "the patient left against advice", last.row
    if where == "ACUTE HOSPITAL":
        return "the patient was transferred to another acute hospital", last.row
    if not index.inpatient:
        return f"the index is an observation-class stay ({index.type})", index.row
    first = chart.first_listed(index)
    why = excluded_diagnosis(first[0], [code for code, _ in chart.done(index)]) if first else None
    return (why, first[1]) if why and first else None


def classify(chart: Chart, stay: Stay) -> Class | None:
    """The sequence of 4.2; None where there is neither a first-listed code nor a summary."""
    first, done = chart.first_listed(stay), chart.done(stay)
    if first is None and chart.summary(stay) is None:
        return None
    leading = (first[1],) if first else ()
    rows = (*leading, *(row for _, row in done))
    always = next((row for code, row in done if always_planned_procedure(code)), None)
    if always:
        return Class(1, True, f"procedure {always.get('icd_code')} is always planned", (always, *leading))
    if first and always_planned_diagnosis(first[0]):
        return Class(2, True, f"first-listed {first[0].value} is always planned", rows)
    listed = next(((row, name) for code, row in done if (name := potentially_planned(code))), None)
    if listed is None:
        return Class(3, False, "no procedure is potentially planned", rows)
    name = acute(first[0]) if first else None
    if first and name:
        return Class(4, False, f"{listed[1]} was done, but first-listed {first[0].value} is acute ({name})", rows)
    return Class(5, True, f"{listed[1]} was done and the first-listed diagnosis is not acute", rows)


def _conflict(reading: Reading) -> str | None:
    """QA-011 3.4."""
    stay, result = reading.candidate, reading.result
    if stay is None or result is None:
        return None
    emergency = reading.chart.emergency(stay) is not None and stay.type in _EMERGENCY
    if result.step == 5 and emergency and reading.scheduled is None:
        return (
            f"conflict (a): planned by step 5, but begun in the ED as {stay.type}, and no summary says that it was "
            "scheduled"
        )
    if result.step in (3, 4) and reading.scheduled is not None:
        return f"conflict (b): unplanned by step {result.step}, but a summary states that it was scheduled or staged"
    return None


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    zero, stay, result = reading.zero, reading.candidate, reading.result
    if zero is None:
        draft.reopens = "A usable discharge time of the index."
        return draft.conclude(Verdict.LACK, "The index dischtime is missing or earlier than its admittime.")
    if reading.excluded:
        draft.reopens = "An index admission that the measure includes."
        return draft.conclude(
            Verdict.LACK,
            f"The index is excluded, {reading.excluded[0]}: the premise is unmet and the measure has no outcome.",
            Verdict.YES if result and not result.planned else Verdict.NO,
        )
    if reading.elsewhere and not reading.conflict:
        planned = "scheduled" in reading.elsewhere.said.text.lower()
        return draft.conclude(
            Verdict.NO if planned else Verdict.YES,
            f"The first readmission was to another hospital and {'scheduled' if planned else 'unplanned'}.",
        )
    if stay is None and any(not told.clear for told in reading.outside):
        draft.reopens = "The papers of the other hospital: class, date and reason."
        return draft.conclude(
            Verdict.LACK,
            "No candidate here, and a later text tells of a stay at another hospital without class, date and reason.",
            Verdict.NO,
        )
    if stay is None:
        return draft.conclude(Verdict.NO, f"No inpatient-class admission begins on day 0 to {WINDOW}.")
    day = day_of(stay.admit, zero)
    if result is None:
        draft.reopens = "Codes or a summary of the candidate."
        return draft.conclude(
            Verdict.LACK,
            f"The admission of day {day} has neither a first-listed diagnosis nor a discharge summary.",
            Verdict.YES,
        )
    if reading.conflict:
        draft.reopens = "The physician reviewer's word on whether the admission was scheduled."
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"The admission of day {day}: {reading.conflict}.",
            Verdict.NO if result.planned else Verdict.YES,
        )
    how = "planned" if result.planned else "unplanned"
    return draft.conclude(
        Verdict.NO if result.planned else Verdict.YES,
        f"The first readmission, on day {day}, is {how} by step {result.step}: {result.why}.",
    )


investigate = Investigation(findings.TITLES, gather, look, decide, findings.write)
