"""Blood gases: which are arterial, and the oxygen that goes with each (CC-07 2.1, CC-SEP-02 3.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure

PO2, OXYGEN, SPECIMEN, CHARTED_PO2, CHARTED_OXYGEN = 50821, 50816, 52033, 220224, 223835
ITEMS = (PO2, OXYGEN, SPECIMEN)
_ARTERIAL = ("ART.", "ART", "ARTERIAL")


@dataclass(frozen=True)
class Gas:
    """``specimen`` as reported, ``charted`` for an arterial pressure of the flowsheet, empty where no type is given.

    ``oxygen`` is the inspired fraction, None where none goes with the gas; ``rows`` are those it was read from.
    """

    time: datetime
    po2: Decimal
    specimen: str
    oxygen: Decimal | None
    rows: tuple[Row, ...]

    @property
    def arterial(self) -> bool:
        return self.specimen.strip().upper() in _ARTERIAL or self.specimen == "charted"

    @property
    def ratio(self) -> Decimal | None:
        """PaO2/FiO2 in mmHg, of an arterial gas."""
        return self.po2 / self.oxygen if self.arterial and self.oxygen else None


def fraction(figure: Decimal | None) -> Decimal | None:
    """Inspired oxygen as a fraction: 21 to 100 is percent, 0.21 to 1.0 a fraction, all else is discarded."""
    if figure is None:
        return None
    if 21 <= figure <= 100:
        return figure / 100
    return figure if Decimal("0.21") <= figure <= 1 else None


def gases(labs: Sequence[Row], charted: Sequence[Row], within: timedelta) -> list[Gas]:
    """Gases of the laboratory and of the flowsheet in order of time; a charted copy of a laboratory gas is left out.

    Oxygen is that of the same specimen, else the nearest one charted at or before the gas, ``within`` at most.
    """
    specimens: dict[object, dict[int, Row]] = {}
    for row in labs:
        if row.get("itemid") in ITEMS:
            specimens.setdefault(row.get("specimen_id"), {})[int(row["itemid"])] = row
    found: list[Gas] = []
    for parts in specimens.values():
        measured = parts.get(PO2, {})
        time, po2 = parse_time(measured.get("charttime")), reported_figure(measured)
        if time is None or po2 is None or po2 <= 0:
            continue
        typed = parts.get(SPECIMEN)
        reported = parts.get(OXYGEN)
        oxygen = fraction(reported_figure(reported)) if reported else None
        rows = [r for r in (measured, typed, reported if oxygen else None) if r is not None]
        if oxygen is None and (near := last_before(charted, CHARTED_OXYGEN, time, within)):
            oxygen, rows = fraction(reported_figure(near)), [*rows, near]
        found.append(Gas(time, po2, str(typed.get("value") or "") if typed else "", oxygen, tuple(rows)))
    times = {(gas.time, gas.po2) for gas in found}
    for row in charted:
        time, po2 = parse_time(row.get("charttime")), reported_figure(row)
        if row.get("itemid") != CHARTED_PO2 or time is None or po2 is None or po2 <= 0 or (time, po2) in times:
            continue
        near = last_before(charted, CHARTED_OXYGEN, time, within)
        oxygen = fraction(reported_figure(near)) if near else None
        found.append(Gas(time, po2, "charted", oxygen, (row, *((near,) if near else ()))))
    return sorted(found, key=lambda gas: gas.time)


def last_before(rows: Sequence[Row], itemid: int, time: datetime, within: timedelta) -> Row | None:
    """The nearest usable row of the item at or before ``time``, ``within`` at most."""
    best: tuple[datetime, Row] | None = None
    for row in rows:
        moment = parse_time(row.get("charttime"))
        if row.get("itemid") != itemid or moment is None or not time - within <= moment <= time:
            continue
        figure = reported_figure(row)
        if figure is None or (itemid == CHARTED_OXYGEN and fraction(figure) is None):
            continue
        if best is None or moment >= best[0]:
            best = (moment, row)
    return best[1] if best else None
