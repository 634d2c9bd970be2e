"""The three limbs and time zero (QD-SEP-03 section 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.notes import Sentence, sentences
from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure, valid_values
from pytest_clinicare.systems.scripted.investigators.sepsis_sep1.chart import (
    BANDS,
    BILIRUBIN,
    BREATHS,
    CELSIUS,
    CREATININE,
    FAHRENHEIT,
    HOUR,
    INR,
    LACTATE,
    MEAN,
    MODE,
    PLATELETS,
    PTT,
    PULSE,
    SYSTOLIC,
    WHITE,
    Chart,
)
from pytest_clinicare.systems.scripted.session import Note

SPAN = 6 * HOUR
_ANTICOAGULANT = re.compile(r"warfarin|heparin (?:sodium )?(?:infusion|drip|iv)|argatroban|bivalirudin|apixaban", re.I)
_NAMES = {
    "lactate": r"lactate|lactic",
    "creatinine": r"creatinine|kidney|renal|AKI",
    "platelets": r"platelet|thrombocytop",
    "bilirubin": r"bilirubin|jaundice",
    "INR": r"\bINR\b|coagulopath",
    "aPTT": r"\ba?PTT\b",
    "pressure": r"hypotens|shock|blood pressure",
}
_CAUSE = re.compile(
    r"seizure|convuls|hemorrhage|bleed|cardiogenic|chronic|cirrhos|dialysis|ESRD|warfarin|dehydrat|metformin|"
    r"chemotherapy|marrow|ITP\b|exertion",
    re.IGNORECASE,
)
_SEPSIS = re.compile(r"sepsis|septic|infect", re.IGNORECASE)
_MAY = re.compile(r"\bmay\b|\bmight\b|\bcould\b|versus|\bvs\b|either|not decided|possibl|unclear", re.IGNORECASE)
_DUE = re.compile(
    r"due to|because of|attribut|explained by|from (?:the|a|his|her)?|caused by|secondary to|reflects?", re.I
)


@dataclass(frozen=True)
class Sign:
    """One value that meets a criterion of a limb."""

    kind: str
    time: datetime
    told: str
    ref: str


@dataclass(frozen=True)
class Attribution:
    """What the summary says of one organ dysfunction: ``disregard`` or ``undecided``."""

    kind: str
    handling: str
    sentence: Sentence
    ref: str


@dataclass(frozen=True)
class Zero:
    """Time zero with the signs of its six hours."""

    time: datetime
    suspicion: tuple[Sign, ...]
    sirs: tuple[Sign, ...]
    dysfunction: tuple[Sign, ...]

    @property
    def last(self) -> str:
        """The limb that was satisfied last."""
        first = {
            "suspicion": min(s.time for s in self.suspicion),
            "SIRS": _second(self.sirs),
            "organ dysfunction": min(s.time for s in self.dysfunction),
        }
        return max(first, key=lambda name: first[name])


@dataclass
class Limbs:
    suspicion: list[Sign]
    sirs: list[Sign]
    dysfunction: list[Sign]
    attributions: list[Attribution]

    def zero(self, without: Iterable[str] = ()) -> Zero | None:
        """The earliest time whose six hours hold all three limbs; ``without`` are kinds left out."""
        out = set(without) | {a.kind for a in self.attributions if a.handling == "disregard"}
        organ = [s for s in self.dysfunction if s.kind not in out]
        for time in sorted({s.time for s in (*self.suspicion, *self.sirs, *organ)}):
            suspected, fever, failing = (
                tuple(s for s in part if time - SPAN <= s.time <= time) for part in (self.suspicion, self.sirs, organ)
            )
            if suspected and failing and len({s.kind for s in fever}) >= 2:
                return Zero(time, suspected, fever, failing)
        return None


def _second(sirs: tuple[Sign, ...]) -> datetime:
    """When the second different criterion came."""
    seen: dict[str, datetime] = {}
    for sign in sorted(sirs, key=lambda s: s.time):
        seen.setdefault(sign.kind, sign.time)
    return sorted(seen.values())[1]


def read_limbs(chart: Chart) -> Limbs:
    suspicion = [Sign("culture", c.collected, f"{c.specimen} collected", str(c.rows[0]["ref"])) for c in chart.cultures]
    suspicion += [Sign("antibiotic", d.time, f"{d.agent} IV", d.ref) for d in chart.intravenous]
    suspicion = [s for s in suspicion if s.time >= chart.start - 72 * HOUR]
    inside = [s for s in suspicion if s.time >= chart.start]
    return Limbs(inside, _sirs(chart), _dysfunction(chart), attributions(chart.notes))


def _figures(chart: Chart, items: tuple[int | str, ...]) -> Iterable[tuple[datetime, Decimal, Row]]:
    """Flowsheet items and ED columns."""
    for row in chart.vitals.rows:
        named = row.get("itemid") if row.get("itemid") else row.get("label")
        time, figure = parse_time(row.get("charttime")), reported_figure(row)
        if named in items and time and figure is not None and time >= chart.start:
            yield time, figure, row


def _triage(chart: Chart, column: str) -> Iterable[tuple[datetime, Decimal, str]]:
    if chart.ed is None or chart.ed.get(column) is None:
        return
    time = parse_time(chart.ed.get("intime"))
    if time:
        yield time, Decimal(str(chart.ed[column])), str(chart.ed["triage_ref"])


def _all(chart: Chart, items: tuple[int | str, ...], column: str) -> Iterable[tuple[datetime, Decimal, str, object]]:
    for time, figure, ref in _triage(chart, column):
        yield time, figure, ref, column
    for time, figure, row in _figures(chart, (*items, column)):
        yield time, figure, str(row["ref"]), row.get("itemid") or column


def _sirs(chart: Chart) -> list[Sign]:
    out = []
    for time, figure, ref, source in _all(chart, (CELSIUS, FAHRENHEIT), "temperature"):
        celsius = figure if source == CELSIUS else (figure - 32) * 5 / 9
        if 25 < celsius < 45 and (celsius > Decimal("38.3") or celsius < 36):
            out.append(Sign("temperature", time, f"temperature {celsius:.2f} C", ref))
    for time, figure, ref, _ in _all(chart, (PULSE,), "heartrate"):
        if 90 < figure < 300:
            out.append(Sign("heart rate", time, f"heart rate {figure}", ref))
    for time, figure, ref, _ in _all(chart, (BREATHS,), "resprate"):
        if 20 < figure < 70:
            out.append(Sign("respiratory rate", time, f"respiratory rate {figure}", ref))
    white = [v for v in valid_values(chart.labs.rows, WHITE, "k/ul", high=500) if v.value > 12 or v.value < 4]
    bands = [v for v in valid_values(chart.labs.rows, BANDS, "%") if v.value > 10]
    out += [Sign("white cells", v.time, f"white cells {v.value} K/uL", v.ref) for v in white]
    out += [Sign("white cells", v.time, f"bands {v.value} %", v.ref) for v in bands]
    return [s for s in out if s.time >= chart.start]


def _dysfunction(chart: Chart) -> list[Sign]:
    out = [Sign("pressure", p.time, p.told, p.ref) for p in pressures(chart) if p.low]
    over = (
        (LACTATE, "mmol/l", "lactate", Decimal(2), 40),
        (CREATININE, "mg/dl", "creatinine", Decimal(2), 40),
        (BILIRUBIN, "mg/dl", "bilirubin", Decimal(2), 80),
    )
    for item, unit, name, limit, high in over:
        above = [v for v in valid_values(chart.labs.rows, item, unit, high=high) if v.value > limit]
        out += [Sign(name, v.time, f"{name} {v.value}", v.ref) for v in above]
    few = [v for v in valid_values(chart.labs.rows, PLATELETS, "k/ul", high=3000) if v.value < 100]
    out += [Sign("platelets", v.time, f"platelets {v.value} K/uL", v.ref) for v in few]
    anticoagulated = any(_ANTICOAGULANT.search(str(r.get("drug") or "")) for r in chart.given.rows)
    if not anticoagulated:
        for item, unit, name, limit in ((INR, "", "INR", Decimal("1.5")), (PTT, "sec", "aPTT", Decimal(60))):
            long = [v for v in valid_values(chart.labs.rows, item, unit, high=300) if v.value > limit]
            out += [Sign(name, v.time, f"{name} {v.value}", v.ref) for v in long]
    modes = [r for r in chart.vitals.rows if r.get("itemid") == MODE]
    if modes and (time := parse_time(modes[0].get("charttime"))):
        out.append(Sign("ventilation", time, "ventilator mode first charted", str(modes[0]["ref"])))
    return [s for s in out if s.time >= chart.start]


@dataclass(frozen=True)
class Pressure:
    """All that was charted at one minute; ``low`` is SBP < 90 or MAP < 65."""

    time: datetime
    low: bool
    told: str
    ref: str


def pressures(chart: Chart) -> list[Pressure]:
    """Readings in order of time, two of the same minute as one."""
    found: dict[datetime, list[tuple[str, Decimal, str]]] = {}
    for time, figure, ref, _ in _all(chart, SYSTOLIC, "sbp"):
        if 30 < figure < 300:
            found.setdefault(time.replace(second=0), []).append(("SBP", figure, ref))
    for time, figure, row in _figures(chart, MEAN):
        if 15 < figure < 200:
            found.setdefault(time.replace(second=0), []).append(("MAP", figure, str(row["ref"])))
    out = []
    for time, readings in sorted(found.items()):
        low = [r for r in readings if r[1] < (90 if r[0] == "SBP" else 65)]
        name, figure, ref = (low or readings)[0]
        out.append(Pressure(time, bool(low), f"{name} {figure:g} mmHg", ref))
    return out


def attributions(notes: list[Note]) -> list[Attribution]:
    """Sentences that give an organ dysfunction to another cause, outright or as a possibility (2.4)."""
    out = []
    for note in notes:
        for sentence in sentences(note.text):
            if not _CAUSE.search(sentence.text) or sentence.section in ("past medical history", "family history"):
                continue
            for kind, words in _NAMES.items():
                if not re.search(words, sentence.text, re.IGNORECASE):
                    continue
                ref = note.span(sentence.start, sentence.end)
                if _SEPSIS.search(sentence.text) and _MAY.search(sentence.text):
                    out.append(Attribution(kind, "undecided", sentence, ref))
                elif _DUE.search(sentence.text) and not _MAY.search(sentence.text):
                    out.append(Attribution(kind, "disregard", sentence, ref))
    return out


def near(zero: datetime, before: timedelta, after: timedelta, time: datetime) -> bool:
    """Inside a closed window around time zero, to the minute."""
    minute = time.replace(second=0)
    return zero.replace(second=0) - before <= minute <= zero.replace(second=0) + after
