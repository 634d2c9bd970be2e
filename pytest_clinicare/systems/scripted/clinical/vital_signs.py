"""Vital signs of triage, ED and intensive care together, as presentation audits read them (RQ-05 3, TH-09 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure

# Sign: ED column, flowsheet items (cuff before arterial line), least and greatest possible value.
_SIGNS: dict[str, tuple[str, tuple[int, ...], int, int]] = {
    "respiratory rate": ("resprate", (220210,), 4, 70),
    "systolic pressure": ("sbp", (220179, 220050, 225309), 40, 300),
    "diastolic pressure": ("dbp", (220180, 220051, 225310), 10, 200),
    "heart rate": ("heartrate", (220045,), 15, 300),
    "saturation": ("o2sat", (220277,), 30, 100),
}
_PAIRS = {220180: 220179, 220051: 220050, 225310: 225309}
UNITS = {
    "respiratory rate": "insp/min",
    "systolic pressure": "mmHg",
    "diastolic pressure": "mmHg",
    "heart rate": "bpm",
    "saturation": "%",
}


@dataclass(frozen=True)
class Sign:
    """One possible reading; ``source`` is triage, ed or icu."""

    ref: str
    time: datetime
    value: Decimal
    source: str


def items_of(*signs: str) -> list[int | str]:
    """What to ask ``get_vitals`` for: flowsheet items and ED columns of the signs."""
    out: list[int | str] = []
    for sign in signs:
        out += [*_SIGNS[sign][1], _SIGNS[sign][0]]
    return out


def readings(sign: str, ed_stay: Row | None, charted: Sequence[Row], start: datetime, end: datetime) -> list[Sign]:
    """Possible readings from ``start`` to ``end``, both included, in order of time.

    ``ed_stay`` is a row of ``list_ed_stays`` whose triage counts at arrival; ``charted`` are rows of ``get_vitals``.
    A diastolic above the systolic of the same measurement is impossible.
    """
    column, items, low, high = _SIGNS[sign]
    found: list[Sign] = []
    if ed_stay is not None and ed_stay.get(column) is not None:
        arrival = parse_time(ed_stay.get("intime"))
        value = Decimal(str(ed_stay[column]))
        above = sign == "diastolic pressure" and _exceeds(value, ed_stay.get("sbp"))
        if arrival and not above:
            found.append(Sign(str(ed_stay["triage_ref"]), arrival, value, "triage"))
    systolic = {_key(row): reported_figure(row) for row in charted} if sign == "diastolic pressure" else {}
    for row in charted:
        itemid = row.get("itemid")
        if itemid not in items and row.get("label") != column:
            continue
        time, figure = parse_time(row.get("charttime")), reported_figure(row)
        partner: object = _PAIRS.get(int(itemid)) if itemid else "sbp"
        beside = systolic.get((row.get("charttime"), row.get("stay_id"), partner))
        if time and figure is not None and not (beside is not None and figure > beside):
            found.append(Sign(str(row["ref"]), time, figure, "icu" if itemid else "ed"))
    inside = [s for s in found if start <= s.time <= end and low <= s.value <= high]
    return sorted(inside, key=lambda s: (s.time, s.ref))


def _key(row: Row) -> tuple[object, object, object]:
    return row.get("charttime"), row.get("stay_id"), row.get("itemid") or row.get("label")


def _exceeds(value: Decimal, systolic: object) -> bool:
    return systolic is not None and value > Decimal(str(systolic))
