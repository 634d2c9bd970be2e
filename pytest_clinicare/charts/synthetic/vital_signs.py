"""Vital signs as a scenario wants them: triage and readings of the ED stay, and bedside charting held within limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record

Signs = Mapping[str, float | None]
"""``heartrate``, ``resprate``, ``o2sat``, ``sbp``, ``dbp``, ``temperature`` (°F); None is not measured."""

_COLUMNS = ("temperature", "heartrate", "resprate", "o2sat", "sbp", "dbp")
_WHOLE = ("sbp", "dbp")
_SYSTOLIC, _DIASTOLIC, _MEAN = 220179, 220180, 220181


@apart("enc")
def triage(record: Record, enc: Encounter, signs: Signs, complaint: str | None = None) -> None:
    """Overwrite what ``signs`` names in the triage row of the admission's ED stay, and the chief complaint if given.

    Raises KeyError for an unknown sign and ValueError without an ED stay.
    """
    row = _triage_row(record, enc)
    row.update({name: None if value is None else float(value) for name, value in _known(signs).items()})
    if complaint is not None:
        row["chiefcomplaint"] = complaint


@apart("enc")
def emergency(record: Record, enc: Encounter, readings: Sequence[tuple[datetime, Signs]]) -> None:
    """Exactly these ED readings; a sign that a reading does not name is drawn near its triage value."""
    first = _triage_row(record, enc)
    rows = record.rows.setdefault("vitalsign", [])
    rows[:] = [row for row in rows if row["stay_id"] != enc.ed_stay_id]
    for time, signs in sorted(readings, key=lambda reading: reading[0]):
        values = {name: _near(record, name, first[name]) for name in _COLUMNS} | dict(_known(signs))
        columns: dict[str, Any] = {
            name: value if value is None else round(value) if name in _WHOLE else float(value)
            for name, value in values.items()
        }
        pain = str(record.rng.randrange(0, 7))
        record.add("vitalsign", stay_id=enc.ed_stay_id, charttime=stamp(time), **columns, pain=pain)


@apart("itemid")
def hold(
    record: Record, enc: Encounter, itemid: int, band: tuple[float, float], window: tuple[datetime, datetime]
) -> None:
    """Charted values of the item inside the window (ends included) that lie outside ``band`` are drawn within it."""
    start, end = stamp(window[0]), stamp(window[1])
    for row in record.rows.get("chartevents", ()):
        if row["hadm_id"] != enc.hadm_id or row["itemid"] != itemid or not start <= row["charttime"] <= end:
            continue
        if not band[0] <= row["valuenum"] <= band[1]:
            number = float(record.rng.randint(round(band[0]), round(band[1])))
            row |= {"valuenum": number, "value": f"{number:g}"}


def observe(
    record: Record, enc: Encounter, itemid: int, value: str, number: float | None, window: tuple[datetime, datetime]
) -> None:
    """Charted observations of the item inside the window (ends included) say ``value``."""
    start, end = stamp(window[0]), stamp(window[1])
    for row in record.rows.get("chartevents", ()):
        if row["hadm_id"] == enc.hadm_id and row["itemid"] == itemid and start <= row["charttime"] <= end:
            row |= {"value": value, "valuenum": number}


def reading(record: Record, enc: Encounter, itemid: int, time: datetime, value: float) -> None:
    """The charted value nearest to ``time`` is moved to that minute and says ``value``: no row more, none less.

    Raises ValueError where the item was not charted in the admission.
    """
    rows = [r for r in record.rows.get("chartevents", ()) if r["hadm_id"] == enc.hadm_id and r["itemid"] == itemid]
    if not rows:
        raise ValueError(f"item {itemid} was not charted in admission {enc.hadm_id}")
    row = min(rows, key=lambda r: abs(datetime.fromisoformat(r["charttime"]) - time))
    row |= {"charttime": stamp(time), "storetime": stamp(time), "valuenum": value, "value": f"{value:g}"}


def mean_pressures(record: Record, enc: Encounter) -> None:
    """Charted mean pressures of the cuff fit the systolic and diastolic of the same minute."""
    charted = [r for r in record.rows.get("chartevents", ()) if r["hadm_id"] == enc.hadm_id]
    figures = {(r["itemid"], r["charttime"]): r["valuenum"] for r in charted}
    for row in (r for r in charted if r["itemid"] == _MEAN):
        systolic, diastolic = (figures.get((item, row["charttime"])) for item in (_SYSTOLIC, _DIASTOLIC))
        if systolic is not None and diastolic is not None:
            number = float(round((systolic + 2 * diastolic) / 3))
            row |= {"valuenum": number, "value": f"{number:g}"}


def _triage_row(record: Record, enc: Encounter) -> dict[str, Any]:
    row = next((r for r in record.rows.get("triage", ()) if r["stay_id"] == enc.ed_stay_id), None)
    if row is None:
        raise ValueError("the admission has no ED stay")
    return row


def _known(signs: Signs) -> Signs:
    if unknown := signs.keys() - set(_COLUMNS):
        raise KeyError(f"no vital sign {', '.join(sorted(unknown))}")
    return signs


def _near(record: Record, name: str, level: float | None) -> float | None:
    """Around the level at triage; temperature is taken at every other reading."""
    rng = record.rng
    if level is None or (name == "temperature" and rng.random() < 0.5):
        return None
    spread = {"temperature": 0.4, "heartrate": 5, "resprate": 1.2, "o2sat": 1.0, "sbp": 6, "dbp": 4}[name]
    value = rng.gauss(level, spread)
    return round(value, 1) if name == "temperature" else float(min(round(value), 100 if name == "o2sat" else 300))
