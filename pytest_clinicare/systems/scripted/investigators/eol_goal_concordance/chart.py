"""What a goals-of-care investigation gathers: goals as a timeline, treatment as spells, and what the summary tells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.notes import Sentence, sentences
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.session import Found, Notes, Row, Session

HOUR = timedelta(hours=1)
GAP = timedelta(minutes=60)
PRESSORS = frozenset({221906, 221289, 222315, 221749, 221662, 221653, 221986})
INTUBATION, EXTUBATION, INVASIVE, NONINVASIVE = 224385, 227194, 225792, 225794
RENAL = frozenset({225802, 225803, 225809, 225441})
ARREST, DEFIBRILLATION = 225466, 225464
NAMES = {"L0": "full treatment", "L1": "DNR", "L2": "DNR/DNI", "DNI": "DNI alone", "L3": "comfort measures only"}
_RANK = {"L0": 0, "L1": 1, "DNI": 1, "L2": 2, "L3": 3}
_CPR = re.compile(r"\bCPR for (\d+) minutes|\bchest compressions for|\bdefibrillated", re.IGNORECASE)
_DAY = re.compile(r"\bhospital day (\d+)", re.IGNORECASE)
_REASON = re.compile(
    r"\buntil (?:his|her|the|a) (?:daughter|son|wife|husband|family|sister|brother|children|relatives|chaplain)"
    r"|organ donation|while (?:the )?family travel",
    re.IGNORECASE,
)
_WAVER = re.compile(r"\bwavered\b|\basked for everything\b|\bdisagreed\b", re.IGNORECASE)
_PURPOSE = re.compile(r"\b(?:mask|ventilation|bipap)\b[^.]*\b(?:for comfort|to ease|until)\b", re.IGNORECASE)
_WITHHELD = re.compile(
    r"\b(?:CPR|resuscitation|intubation|dialysis) was (?:withheld|not (?:offered|attempted|done))", re.I
)
_TEXT_LEVELS = (
    (
        "L3",
        re.compile(
            r"comfort measures|\bcomfort (?:as the only aim|came first|became)|aim became comfort|kept comfortable",
            re.IGNORECASE,
        ),
    ),
    ("L2", re.compile(r"DNR ?/ ?DNI", re.I)),
    ("L1", re.compile(r"\bDNR\b|not want to be resuscitated|no chest compressions|no attempt at resuscitation", re.I)),
    ("L0", re.compile(r"\bfull code\b|full treatment was wanted|everything to be done|all measures were asked", re.I)),
)  # fmt: skip


@dataclass(frozen=True)
class Goal:
    """A code status as ordered or charted. ``level`` is empty for an order without a value."""

    time: datetime
    level: str
    ordered: bool
    transaction: str
    ref: str


@dataclass(frozen=True)
class Spell:
    """A treatment from start to stop; ``rows`` are its rows in order."""

    kind: str
    start: datetime
    stop: datetime
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """A goal that only the summary gives, with the date if it tells one."""

    level: str
    day: datetime | None
    ref: str
    text: str


@dataclass
class Chart:
    """What the tools returned, and what it amounts to."""

    session: Session
    admission: Row
    admitted: datetime
    end: datetime
    died: bool
    codes: Found
    infusions: Found
    procedures: Found
    administrations: Found
    diagnoses: Found
    summary: Notes
    goals: list[Goal] = field(default_factory=list)
    spells: list[Spell] = field(default_factory=list)

    @property
    def hospice(self) -> bool:
        return "HOSPICE" in str(self.admission.get("discharge_location") or "").upper()

    def said(self, pattern: re.Pattern[str]) -> list[tuple[Sentence, str]]:
        """Sentences of the summary, each with the span that cites it."""
        return [
            (sentence, note.span(sentence.start, sentence.end))
            for note in self.summary.items
            for sentence in sentences(note.text)
            if pattern.search(sentence.text)
        ]

    def day_of(self, text: str) -> datetime | None:
        found = _DAY.search(text)
        midnight = self.admitted.replace(hour=0, minute=0, second=0)
        return midnight + timedelta(days=int(found[1]) - 1) if found else None

    @property
    def told(self) -> list[Told]:
        """Goals of the summary, one for each sentence that names one."""
        out: list[Told] = []
        for level, pattern in _TEXT_LEVELS:
            for sentence, ref in self.said(pattern):
                if all(ref != other.ref for other in out):
                    out.append(Told(level, self.day_of(sentence.text), ref, sentence.text))
        return out

    @property
    def reasons(self) -> list[tuple[Sentence, str]]:
        return self.said(_REASON)

    @property
    def wavering(self) -> list[tuple[Sentence, str]]:
        return self.said(_WAVER)

    @property
    def mask_purpose(self) -> list[tuple[Sentence, str]]:
        return self.said(_PURPOSE)

    @property
    def withheld(self) -> list[tuple[Sentence, str]]:
        return self.said(_WITHHELD)

    @property
    def resuscitations(self) -> list[Spell]:
        """Attempts at resuscitation: a statement of compressions with the arrest it belongs to, or a defibrillation."""
        arrests = [s for s in self.spells if s.kind == "arrest"]
        out = [s for s in self.spells if s.kind == "defibrillation"]
        for sentence, ref in self.said(_CPR):
            day = self.day_of(sentence.text)
            mine = [a for a in arrests if day is None or a.start.date() == day.date()]
            if mine:
                out.append(Spell("resuscitation", mine[-1].start, mine[-1].stop, (*mine[-1].rows, ref)))
            elif day is not None:
                out.append(Spell("resuscitation", day, day + timedelta(hours=24), (ref,)))
        return out

    def level_at(self, time: datetime) -> tuple[str, Goal | None]:
        """The level in force just before a moment, and the row that set it (3.3)."""
        level, source, ordered = "L0", None, False
        for goal in (g for g in self.goals if g.time < time and (g.level or g.transaction == "D/C")):
            if goal.ordered:
                level, source, ordered = goal.level or "L0", goal, True
            elif (_RANK[goal.level] > _RANK[level] or not ordered) and (goal.level != level or source is None):
                level, source, ordered = goal.level, goal, False
        return level, source

    def in_force_since(self, time: datetime) -> Goal | None:
        return self.level_at(time)[1]

    def conflict(self, time: datetime) -> list[str]:
        """Evidence within 12 h before a moment of a goal less limiting than the order in force (section 6)."""
        orders = [g for g in self.goals if g.ordered and g.time < time and g.level]
        if not orders:
            return []
        order = orders[-1]
        loose = [
            g.ref
            for g in self.goals
            if not g.ordered
            and max(order.time, time - 12 * HOUR) <= g.time < time
            and _RANK[g.level] < _RANK[order.level]
        ]
        wavered = [ref for s, ref in self.wavering if (day := self.day_of(s.text)) and day.date() == time.date()]
        return [*loose, *wavered]

    @property
    def comfort(self) -> Goal | None:
        """The first row that shows comfort measures only, if it stays in force to the end."""
        level, source = self.level_at(self.end + HOUR)
        return source if level == "L3" else None


def gather(session: Session) -> Chart | None:
    """All required sources, in their required scope; None when the admission is not on record."""
    hadm_id = session.brief.hadm_id
    admission = next((r for r in session.query("list_admissions").rows if r["hadm_id"] == hadm_id), None)
    admitted = parse_time(admission.get("admittime")) if admission else None
    if admission is None or admitted is None:
        return None
    session.query("list_icu_stays", hadm_id=hadm_id)
    died = bool(admission.get("deathtime"))
    end = parse_time(admission.get("deathtime")) or parse_time(admission.get("dischtime")) or admitted
    chart = Chart(
        session,
        admission,
        admitted,
        end,
        died,
        session.query("get_code_status", hadm_id=hadm_id),
        session.query("get_fluid_balance", hadm_id=hadm_id),
        session.query("get_procedures", hadm_id=hadm_id),
        session.query("get_medication_administrations", hadm_id=hadm_id),
        session.query("get_diagnoses", hadm_id=hadm_id),
        session.notes("discharge", hadm_id=hadm_id),
    )
    chart.goals = sorted((g for row in chart.codes.rows if (g := _goal(row))), key=lambda g: g.time)
    chart.spells = sorted([*_infusions(chart.infusions), *_procedures(chart.procedures)], key=lambda s: s.start)
    return chart


def level_of(value: str) -> str:
    """Level of an order's value or of a charted one; empty for another text."""
    text = value.lower()
    if "comfort" in text:
        return "L3"
    if "dnr/dni" in text or "dnr / dni" in text:
        return "L2"
    if "dnar" in text or text.startswith("dnr"):
        return "L1"
    if text.startswith("dni"):
        return "DNI"
    return "L0" if "full code" in text else ""


def _goal(row: Row) -> Goal | None:
    time = parse_time(row.get("time"))
    if time is None:
        return None
    ordered = str(row["ref"]).startswith("poe:")
    return Goal(
        time, level_of(str(row.get("value") or "")), ordered, str(row.get("transaction_type") or ""), str(row["ref"])
    )


def _infusions(found: Found) -> list[Spell]:
    """Vasopressor rows joined where no more than 60 minutes lie between them."""
    rows = [r for r in found.of("inputevents") if r.get("itemid") in PRESSORS and (r.get("rate") or r.get("amount"))]
    spells: list[Spell] = []
    for row in sorted(rows, key=lambda r: (int(r["itemid"]), str(r["charttime"]))):
        start, stop = parse_time(row.get("charttime")), parse_time(row.get("endtime"))
        if start is None:
            continue
        stop, kind = stop or start, f"infusion {row.get('label') or row['itemid']}"
        if spells and spells[-1].kind == kind and start - spells[-1].stop <= GAP:
            spells[-1] = Spell(kind, spells[-1].start, max(stop, spells[-1].stop), (*spells[-1].rows, str(row["ref"])))
        else:
            spells.append(Spell(kind, start, stop, (str(row["ref"]),)))
    return spells


def _procedures(found: Found) -> list[Spell]:
    kinds = {
        INTUBATION: "intubation", EXTUBATION: "extubation", INVASIVE: "invasive ventilation",
        NONINVASIVE: "non-invasive ventilation", ARREST: "arrest", DEFIBRILLATION: "defibrillation",
        **dict.fromkeys(RENAL, "renal replacement"),
    }  # fmt: skip
    out = []
    for row in found.of("procedureevents"):
        kind, start = kinds.get(int(row.get("itemid") or 0)), parse_time(row.get("starttime"))
        if kind and start:
            out.append(Spell(kind, start, parse_time(row.get("endtime")) or start, (str(row["ref"]),)))
    return out
