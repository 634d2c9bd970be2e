"""The episode at its start and the values at the stop (RH-ENDO-02 sections 4 to 7)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.kidney import stated_end_stage, stated_maintenance
from pytest_clinicare.systems.scripted.clinical.notes import BACKGROUND, find_asserted
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import Value, reported_figure
from pytest_clinicare.systems.scripted.investigators.dka_resolution.chart import (
    ACETONE,
    BHB,
    BICARBONATE,
    HOUR,
    LACTATE,
    URINE_KETONE,
    Chart,
    Gap,
    Ph,
)
from pytest_clinicare.systems.scripted.session import Row

_STATED = re.compile(r"\bDKA\b|diabetic ketoacidosis", re.IGNORECASE)
_POSITIVE = re.compile(r"pos|small|mod|large|\blg\b|\bsm\b|\d\+", re.IGNORECASE)
MET, FAILED, UNKNOWN = "met", "failed", "unknown"


@dataclass
class Start:
    """The first 24 h; ``ketones`` are the rows of every ketone test, ``positive`` those that are."""

    glucose: Value | None = None
    bicarbonate: Value | None = None
    ph: Ph | None = None
    gap: Gap | None = None
    ketones: list[Row] = field(default_factory=list)
    positive: list[Row] = field(default_factory=list)
    stated: tuple[str, ...] = ()

    @property
    def acidosis(self) -> bool:
        low = self.bicarbonate is not None and self.bicarbonate.value <= 18
        return low or (self.ph is not None and self.ph.reading.value <= Decimal("7.30"))

    @property
    def ketosis(self) -> bool:
        return bool(self.positive) if self.ketones else bool(self.stated)

    @property
    def missing(self) -> list[str]:
        """What of section 4 is not shown."""
        out = [] if self.acidosis else ["no bicarbonate of 18 or less and no pH of 7.30 or less"]
        out += [] if self.gap is not None and self.gap.value > 10 else ["no computed gap above 10"]
        return out + ([] if self.ketosis else ["no positive ketone test"])

    @property
    def euglycemic(self) -> bool:
        return self.glucose is None or self.glucose.value <= 250


@dataclass
class AtStop:
    """Latest values from 6 h before T_stop to T_stop."""

    glucose: Value | None = None
    bicarbonate: Value | None = None
    chloride: Value | None = None
    gap: Gap | None = None
    ph: Ph | None = None
    bhb: list[Value] = field(default_factory=list)
    lactate: Value | None = None
    dialysis: tuple[str, ...] = ()

    @property
    def criteria(self) -> dict[str, str]:
        """B, P and A: met, failed or unknown."""
        b, p, a = self.bicarbonate, self.ph, self.gap
        return {
            "bicarbonate": UNKNOWN if b is None else MET if b.value >= 15 else FAILED,
            "pH": UNKNOWN if p is None else MET if p.venous > Decimal("7.30") else FAILED,
            "anion gap": UNKNOWN if a is None else MET if a.value <= 12 else FAILED,
        }

    def count(self, state: str) -> int:
        return list(self.criteria.values()).count(state)

    @property
    def other_acidosis(self) -> str:
        """Why the criteria cannot be read (section 7); empty where they can."""
        if self.count(UNKNOWN) or self.count(MET) != 1 or any(v.value >= Decimal("0.6") for v in self.bhb):
            return ""
        if self.criteria["anion gap"] == MET:
            high = self.chloride is not None and self.chloride.value >= 110
            return "hyperchloremic acidosis" if high else ""
        if self.lactate is not None and self.lactate.value >= 4:
            return "lactic acidosis"
        return "acidosis on maintenance dialysis" if self.dialysis else ""


def beginning(chart: Chart) -> Start:
    begin, end = chart.start, chart.start + 24 * HOUR
    bicarbonate = chart.values(BICARBONATE, "meq/l", begin, end)
    phs, gaps = chart.phs(begin, end), chart.gaps(begin, end)
    out = Start(
        max(chart.sugars(begin, end), key=lambda v: v.value, default=None),
        min(bicarbonate, key=lambda v: v.value, default=None),
        min(phs, key=lambda p: p.reading.value, default=None),
        max(gaps, key=lambda g: g.value, default=None),
    )
    for row in chart.labs.rows:
        time = parse_time(row.get("charttime"))
        if row.get("itemid") in (BHB, ACETONE, URINE_KETONE) and time and begin <= time <= end:
            out.ketones.append(row)
            if _is_positive(row):
                out.positive.append(row)
    for note in chart.mine:
        sentence = find_asserted(_STATED, note.text, history=False, skip=BACKGROUND)
        if sentence:
            out.stated = (note.span(sentence.start, sentence.end),)
            break
    return out


def _is_positive(row: Row) -> bool:
    """Above the laboratory's limit, or named positive; a trace is not."""
    figure = reported_figure(row)
    if figure is not None:
        limit = row.get("ref_range_upper")
        return figure > Decimal(str(limit)) if limit is not None else figure > 0
    told = f"{row.get('value') or ''} {row.get('comments') or ''}"
    return bool(_POSITIVE.search(told)) and not re.search(r"neg|trace|\btr\b", told, re.IGNORECASE)


def at_stop(chart: Chart, stop: datetime) -> AtStop:
    begin = stop - 6 * HOUR
    bicarbonate = chart.values(BICARBONATE, "meq/l", begin, stop)
    gaps, phs = chart.gaps(begin, stop), chart.phs(begin, stop)
    sugars, lactate = chart.sugars(begin, stop), chart.values(LACTATE, "mmol/l", begin, stop)
    chloride = chart.values(50902, "meq/l", begin, stop)
    out = AtStop(
        sugars[-1] if sugars else None,
        bicarbonate[-1] if bicarbonate else None,
        chloride[-1] if chloride else None,
        gaps[-1] if gaps else None,
        phs[-1] if phs else None,
        chart.values(BHB, "mmol/l", begin, stop),
        max(lactate, key=lambda v: v.value, default=None),
    )
    for note in chart.mine:
        sentence = stated_maintenance(note.text) or stated_end_stage(note.text)
        if sentence and re.search(r"dialysis|\bHD\b|\bPD\b", sentence.text):
            out.dialysis = (note.span(sentence.start, sentence.end),)
    return out
