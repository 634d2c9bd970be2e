"""The five items: positive, negative, missing or undecided (RQ-05 sections 3 to 6)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.notes import Section, asserted, section
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, valid_values
from pytest_clinicare.systems.scripted.clinical.vital_signs import Sign, readings
from pytest_clinicare.systems.scripted.investigators.pneumonia_curb65.chart import ORIENTATION, UREA, VERBAL, Chart
from pytest_clinicare.systems.scripted.session import Note

POSITIVE, NEGATIVE, MISSING, UNDECIDED = "positive", "negative", "missing", "undecided"
_ABNORMAL = re.compile(
    r"\bconfus\w+|disorient\w+|\b(?:oriented|A&?O|AAO) ?(?:x ?[012]\b|to (?:self|person|name) only|times (?:one|two))|"
    r"altered mental|encephalopath\w+|obtunded|delirious|delirium|letharg\w+|not oriented",
    re.IGNORECASE,
)
_NORMAL = re.compile(
    r"\balert and oriented\b|\b(?:oriented|A&?O|AA&?O) ?x ?[34]\b|oriented (?:times three|to person, place)|"
    r"mental status (?:is |was )?(?:normal|intact)",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\bnew(?:ly)? (?:confus|disorient|altered)\w*|acute(?:ly)? confus\w+|more confused than|"
    r"oriented x ?[34] at baseline|(?:oriented|lucid|clear) at baseline",
    re.IGNORECASE,
)
_BASELINE = re.compile(
    r"at (?:\w+ )?baseline|from baseline|baseline (?:per|mental)|(?:usual|chronic|long-?standing)\b", re.IGNORECASE
)
_CHRONIC = re.compile(r"dementia|alzheimer|cognitive impairment|lewy body", re.IGNORECASE)
_LEAVING = re.compile(
    r"(?:discharge|day of discharge)[^\n]*(?:exam|:)|^at discharge|exam\w* (?:at|on) discharge", re.I | re.M
)
_COMPLAINT = re.compile(r"confus\w+|altered mental|\bAMS\b|disorient\w+|delirium", re.IGNORECASE)


@dataclass(frozen=True)
class Item:
    """``told`` says what was found, in words; ``evidence`` where it stands."""

    state: str
    told: str
    evidence: tuple[str, ...]

    @property
    def points(self) -> tuple[int, int]:
        """At least, at most."""
        return {POSITIVE: (1, 1), NEGATIVE: (0, 0)}.get(self.state, (0, 1))


@dataclass
class Items:
    age: int
    points: dict[str, Item]
    urea: Value | None = None
    rate: Sign | None = None
    systolic: Sign | None = None
    diastolic: Sign | None = None
    others: list[Sign] = field(default_factory=list)

    @property
    def least(self) -> int:
        return sum(item.points[0] for item in self.points.values())

    @property
    def most(self) -> int:
        return sum(item.points[1] for item in self.points.values())

    def open(self, *states: str) -> list[str]:
        return [name for name, item in self.points.items() if item.state in states]


def score(chart: Chart) -> Items:
    """Every item on its own."""
    found = Items(_age(chart), {})
    found.points["confusion"] = _confusion(chart)
    inside = valid_values(chart.labs.rows, UREA, high=400)
    found.urea = inside[0] if inside else None
    if found.urea:
        high = found.urea.value > 19
        found.points["urea"] = Item(POSITIVE if high else NEGATIVE, f"{found.urea.value} mg/dL", (found.urea.ref,))
    else:
        found.points["urea"] = Item(MISSING, "no urea nitrogen from T0 to T0 + 24 h", chart.labs.evidence)
    breaths = readings("respiratory rate", chart.ed_stay, chart.vitals.rows, chart.t0, _before_tube(chart))
    found.rate = max(breaths, key=lambda s: s.value, default=None)
    if found.rate:
        state = POSITIVE if found.rate.value >= 30 else NEGATIVE
        found.points["respiratory rate"] = Item(state, f"highest {found.rate.value:f} per minute", (found.rate.ref,))
    else:
        found.points["respiratory rate"] = Item(MISSING, "no respiratory rate in 6 h", _looked(chart))
    _pressure(chart, found)
    state = POSITIVE if found.age >= 65 else NEGATIVE
    found.points["age"] = Item(state, f"{found.age} years", (*chart.patient.evidence, str(chart.admission["ref"])))
    return found


def _age(chart: Chart) -> int:
    row = chart.patient.rows[0]
    admitted = parse_time(chart.admission["admittime"])
    assert admitted is not None
    return int(row["anchor_age"]) + admitted.year - int(row["anchor_year"])


def _before_tube(chart: Chart) -> datetime:
    return min(chart.six, chart.intubated) if chart.intubated else chart.six


def _looked(chart: Chart) -> tuple[str, ...]:
    """The empty search; other rows that it found say nothing of the item."""
    return (f"call:{chart.vitals.call}",) if not chart.vitals.rows else chart.vitals.evidence[:10]


def _pressure(chart: Chart, found: Items) -> None:
    for name in ("systolic", "diastolic"):
        signs = readings(f"{name} pressure", chart.ed_stay, chart.vitals.rows, chart.t0, chart.six)
        setattr(found, name, min(signs, key=lambda s: s.value, default=None))
    known = [s for s in (found.systolic, found.diastolic) if s]
    if not known:
        found.points["blood pressure"] = Item(MISSING, "no blood pressure in 6 h", _looked(chart))
        return
    low = (found.systolic and found.systolic.value < 90) or (found.diastolic and found.diastolic.value <= 60)
    told = ", ".join(
        f"lowest {name} {sign.value:f} mmHg"
        for name, sign in (("systolic", found.systolic), ("diastolic", found.diastolic))
        if sign
    )
    state = POSITIVE if low else NEGATIVE if len(known) == 2 else MISSING
    found.points["blood pressure"] = Item(state, told, tuple(s.ref for s in known))


def _confusion(chart: Chart) -> Item:
    """The presentation first, then charting before intubation, then the complaint at triage; a lower level only where
    the higher ones are silent."""
    chronic = any(_CHRONIC.search(note.text) for note in chart.mine)
    for note in chart.mine:
        said = _presentation(note, chronic)
        if said:
            return said
    charted = _charted(chart, chronic)
    if charted:
        return charted
    complaint = str((chart.ed_stay or {}).get("chiefcomplaint") or "")
    if _COMPLAINT.search(complaint):
        state = UNDECIDED if chronic else POSITIVE
        return Item(state, f'triage complaint "{complaint}"', (str((chart.ed_stay or {})["triage_ref"]),))
    refs = tuple(n.ref for n in chart.mine) or chart.discharge.evidence
    return Item(MISSING, "no statement on mental status in the presentation, charting or triage", refs)


def _presentation(note: Note, chronic: bool) -> Item | None:
    normal: Item | None = None
    for part in _arrival_parts(note.text):
        at = part.start
        for line in re.split(r"(?<=\.)\s|\n", part.text):
            start = note.text.index(line, at) if line.strip() else at
            span = (note.span(start, start + len(line)),)
            if asserted(_ABNORMAL, line):
                if _NEW.search(line):
                    return Item(POSITIVE, f'"{line.strip()}": new', span)
                if _BASELINE.search(line):
                    return Item(NEGATIVE, f'"{line.strip()}": the stated baseline', span)
                state = UNDECIDED if chronic else POSITIVE
                told = "nothing on the baseline, chronic cognitive disorder" if chronic else "no chronic disorder"
                return Item(state, f'"{line.strip()}": {told}', span)
            if _NORMAL.search(line):
                normal = normal or Item(NEGATIVE, f'"{line.strip()}"', span)
            at = start + len(line)
    return normal


def _arrival_parts(text: str) -> list[Section]:
    """History of the present illness, and the examination up to that at discharge."""
    parts = [p for p in (section(text, "history of present illness"), section(text, "physical exam")) if p]
    out = []
    for part in parts:
        leaving = _LEAVING.search(part.text)
        body = part.text[: leaving.start()] if leaving else part.text
        out.append(Section(part.name, part.start, part.start + len(body), body))
    return out


def _charted(chart: Chart, chronic: bool) -> Item | None:
    end = _before_tube(chart)
    rows = [r for r in chart.vitals.rows if r.get("itemid") in (VERBAL, *ORIENTATION)]
    rows = [r for r in rows if (time := parse_time(r.get("charttime"))) and chart.t0 <= time <= end]
    rows = [r for r in rows if "ETT" not in str(r.get("value"))]
    if not rows:
        return None
    wrong = [r for r in rows if not _oriented(str(r.get("value") or ""))]
    seen = tuple(str(r["ref"]) for r in (wrong or rows)[:4])
    if not wrong:
        return Item(NEGATIVE, "charted as oriented", seen)
    return Item(UNDECIDED if chronic else POSITIVE, f"charted as {wrong[0]['value']}", seen)


def _oriented(value: str) -> bool:
    return value.strip().lower() in ("oriented", "yes", "1", "correct")
