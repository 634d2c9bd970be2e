"""Events that make an undocumented stop, hold or reduction plausible (PT-014 6.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.egfr import ckd_epi_2021
from pytest_clinicare.systems.scripted.clinical.notes import find_asserted
from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure

CREATININE, POTASSIUM, PLATELETS, GLUCOSE, ALT, AST, NEUTROPHILS = 50912, 50971, 51265, 50931, 50861, 50878, 52075
ITEMS = (CREATININE, POTASSIUM, PLATELETS, GLUCOSE, ALT, AST, NEUTROPHILS)

_QUIET = frozenset(
    {
        "allergies",
        "family history",
        "social history",
        "past medical history",
        "pmh",
        "discharge instructions",
        "followup instructions",
        "follow-up instructions",
        "pertinent results",
        "medications on admission",
        "discharge medications",
        "physical exam",
    }
)
_BLEEDING = re.compile(
    r"\b(?:bleed\w*|GIB|ha?emorrhag\w*|ha?ematemesis|melena|hematochezia|ha?ematoma)\b", re.IGNORECASE
)
_PROCEDURE = re.compile(
    r"\b(?:scheduled|planned|plan) (?:for|to)\b[^.]{0,60}\b(?:procedure|surgery|colonoscopy|EGD|biopsy"
    r"|catheterization)",
    re.IGNORECASE,
)
_INFECTION = re.compile(
    r"\b(?:sepsis|pneumonia|bacteremia|osteomyelitis|endocarditis|meningitis|abscess|pyelonephritis)\b", re.IGNORECASE
)
_TOXICITY = re.compile(r"\b(?:overdose|toxicity|intoxication|supratherapeutic)\b", re.IGNORECASE)
_RHABDO = re.compile(r"\brhabdomyolysis\b", re.IGNORECASE)
_QTC = re.compile(r"\bQTc?\D{0,15}(\d{3})\b")
_DISCHARGE_EXAM = re.compile(r"discharge (?:physical )?exam\w*|exam\w* (?:at|on|upon) discharge", re.IGNORECASE)
_PRESSURE = re.compile(r"\bBP:?\s*(\d{2,3})/\d{2,3}|\b(\d{2,3})/\d{2,3}\b")
_PULSE = re.compile(r"\b(?:HR|pulse|P):?\s*(\d{2,3})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Event:
    """Something that makes intent plausible; ``evidence`` is a row ref or a span (start, end) of the summary."""

    text: str
    evidence: str | tuple[int, int]


@dataclass(frozen=True)
class Findings:
    """What the admission's last values and its summary show."""

    labs: Sequence[Row]
    start: datetime
    admitted: datetime
    discharged: datetime
    note: str
    age: int
    female: bool

    def series(self, item: int, first: datetime, last: datetime) -> list[tuple[datetime, Decimal, Row]]:
        """Numeric results of an item from ``first`` to ``last``, in order."""
        found = [
            (t, v, row)
            for row in self.labs
            if row.get("itemid") == item
            and (t := parse_time(row.get("charttime")))
            and first <= t <= last
            and (v := reported_figure(row)) is not None
        ]
        return sorted(found, key=lambda entry: entry[0])

    def last(self, item: int) -> tuple[Decimal, Row] | None:
        """Last value of the admission."""
        found = self.series(item, self.start, self.discharged)
        return (found[-1][1], found[-1][2]) if found else None

    @property
    def creatinine_baseline(self) -> Decimal | None:
        """Lowest of the 12 months before admission; without one, the lowest of the admission."""
        before = self.series(CREATININE, self.admitted - timedelta(days=365), self.start - timedelta(seconds=1))
        values = before or self.series(CREATININE, self.start, self.discharged)
        return min((v for _, v, _ in values), default=None)

    def vitals(self) -> tuple[tuple[int, tuple[int, int]] | None, tuple[int, tuple[int, int]] | None]:
        """Systolic pressure and heart rate of the discharge examination, each with its span."""
        mark = next(iter(_DISCHARGE_EXAM.finditer(self.note)), None)
        if mark is None:
            return None, None
        part = self.note[mark.end() : mark.end() + 600]
        pressure, pulse = _PRESSURE.search(part), _PULSE.search(part)
        return (
            (int(pressure.group(1) or pressure.group(2)), (mark.end() + pressure.start(), mark.end() + pressure.end()))
            if pressure
            else None,
            (int(pulse.group(1)), (mark.end() + pulse.start(), mark.end() + pulse.end())) if pulse else None,
        )

    def stated(self, pattern: re.Pattern[str], text: str) -> list[Event]:
        found = find_asserted(pattern, self.note, history=False, skip=_QUIET)
        return [Event(text, (found.start, found.end))] if found else []


def plausible(ingredient: str, drug_class: str, findings: Findings) -> list[Event]:
    """Events of the table row of the drug's class that are still present at the last value."""
    checks: dict[str, Callable[[Findings, str], list[Event]]] = {
        "anticoagulant": _antithrombotic,
        "antiplatelet": _antithrombotic,
        "ace-inhibitor": _renal,
        "arb": _renal,
        "mra": _renal,
        "diuretic": _renal,
        "beta-blocker": _haemodynamic,
        "calcium-blocker": _haemodynamic,
        "nitrate": _haemodynamic,
        "glucose-lowering": _glucose,
        "statin": _statin,
        "immunosuppressant": _immune,
        "psychotropic": _psychotropic,
        "antiepileptic": _psychotropic,
    }
    check = checks.get(drug_class)
    return check(findings, ingredient) if check else []


def _antithrombotic(findings: Findings, _: str) -> list[Event]:
    events = findings.stated(_BLEEDING, "bleeding in this admission") + findings.stated(
        _PROCEDURE, "a procedure is planned"
    )
    return events + _beyond(findings, PLATELETS, "platelets", lambda v: v < 50)


def _renal(findings: Findings, _: str) -> list[Event]:
    base, events = findings.creatinine_baseline, []
    if base is not None:
        events += _beyond(
            findings, CREATININE, f"creatinine against a baseline of {base}", lambda v: v >= Decimal("1.5") * base
        )
    return events + _beyond(findings, POTASSIUM, "potassium", lambda v: v > Decimal("5.5")) + _low_pressure(findings)


def _haemodynamic(findings: Findings, _: str) -> list[Event]:
    pulse = findings.vitals()[1]
    slow = (
        [Event(f"heart rate {pulse[0]}/min in the discharge examination", pulse[1])] if pulse and pulse[0] < 55 else []
    )
    return slow + _low_pressure(findings)


def _low_pressure(findings: Findings) -> list[Event]:
    pressure = findings.vitals()[0]
    return (
        [Event(f"systolic {pressure[0]} mmHg in the discharge examination", pressure[1])]
        if pressure and pressure[0] < 100
        else []
    )


def _glucose(findings: Findings, ingredient: str) -> list[Event]:
    final = findings.series(GLUCOSE, findings.discharged - timedelta(hours=48), findings.discharged)
    events = [Event(f"glucose {v} mg/dL in the final 48 h", str(row["ref"])) for _, v, row in final if v < 70][:1]
    last = findings.last(CREATININE)
    if ingredient == "metformin" and last and ckd_epi_2021(float(last[0]), findings.age, findings.female) < 30:
        events.append(Event(f"eGFR below 30 (creatinine {last[0]} mg/dL)", str(last[1]["ref"])))
    return events


def _statin(findings: Findings, _: str) -> list[Event]:
    events = findings.stated(_RHABDO, "rhabdomyolysis in this admission")
    for item, name in ((ALT, "ALT"), (AST, "AST")):
        last = findings.last(item)
        upper = last[1].get("ref_range_upper") if last else None
        if last and last[0] > 3 * Decimal(str(upper or 40)):
            events.append(Event(f"{name} {last[0]} IU/L, above 3 x the upper limit", str(last[1]["ref"])))
    return events


def _immune(findings: Findings, _: str) -> list[Event]:
    return findings.stated(_INFECTION, "serious infection treated in this admission") + _beyond(
        findings, NEUTROPHILS, "neutrophils", lambda v: v < 1
    )


def _psychotropic(findings: Findings, _: str) -> list[Event]:
    long = [m for m in _QTC.finditer(findings.note) if int(m.group(1)) > 500]
    return findings.stated(_TOXICITY, "overdose or toxicity in this admission") + [
        Event(f"QTc {m.group(1)} ms", m.span()) for m in long[-1:]
    ]


def _beyond(findings: Findings, item: int, name: str, test: Callable[[Decimal], bool]) -> list[Event]:
    last = findings.last(item)
    return [Event(f"last {name}: {last[0]}", str(last[1]["ref"]))] if last and test(last[0]) else []
