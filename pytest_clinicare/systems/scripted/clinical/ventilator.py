"""The ventilator as it is charted: episodes, modes, and values of a window (CC-07 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from statistics import median

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure

MODES = (223849, 229314)
VOLUME_SET, VOLUME_OBSERVED, PLATEAU, PEEP, INVASIVE = 224684, 224685, 224696, 220339, 225792
_VOLUME = re.compile(r"^(?:cmv(?:/assist)?(?:/autoflow)?|vol/?ac|prvc/ac|apv \(cmv\))$", re.IGNORECASE)
_PRESSURE = re.compile(r"^(?:pres/ac|pcv\+(?:assist)?|p-cmv)$", re.IGNORECASE)


@dataclass(frozen=True)
class Charted:
    """One charted figure."""

    time: datetime
    value: Decimal
    row: Row

    @property
    def ref(self) -> str:
        return str(self.row["ref"])


@dataclass(frozen=True)
class Episode:
    """Invasive ventilation from ``start`` to ``end``."""

    start: datetime
    end: datetime
    row: Row


def episodes(procedures: Sequence[Row], stay_id: int) -> list[Episode]:
    """Charted episodes of invasive ventilation of one ICU stay, in order."""
    found = []
    for row in procedures:
        start, end = parse_time(row.get("starttime")), parse_time(row.get("endtime"))
        if row.get("itemid") == INVASIVE and row.get("stay_id") == stay_id and start and end:
            found.append(Episode(start, end, row))
    return sorted(found, key=lambda episode: episode.start)


def control(mode: str) -> str:
    """``volume`` or ``pressure`` for a controlled mode, else empty."""
    name = mode.strip()
    return "volume" if _VOLUME.match(name) else "pressure" if _PRESSURE.match(name) else ""


def values(rows: Sequence[Row], itemid: int, after: datetime, until: datetime) -> list[Charted]:
    """Charted figures of the item after ``after`` and up to ``until``, in order; one a time."""
    found: dict[datetime, Charted] = {}
    for row in rows:
        time, figure = parse_time(row.get("charttime")), reported_figure(row)
        if row.get("itemid") == itemid and time and figure is not None and figure > 0 and after < time <= until:
            found.setdefault(time, Charted(time, figure, row))
    return [found[time] for time in sorted(found)]


def controlled_volumes(rows: Sequence[Row], after: datetime, until: datetime) -> list[Charted]:
    """Tidal volumes of controlled modes: the set one, in a pressure mode the observed one."""
    modes = sorted(
        (time, str(row.get("value") or ""))
        for row in rows
        if row.get("itemid") in MODES and row.get("value") and (time := parse_time(row.get("charttime")))
    )

    def mode_at(time: datetime) -> str:
        return control(next((name for at, name in reversed(modes) if at <= time), ""))

    found = [v for v in values(rows, VOLUME_SET, after, until) if mode_at(v.time) == "volume"]
    found += [v for v in values(rows, VOLUME_OBSERVED, after, until) if mode_at(v.time) == "pressure"]
    return sorted(found, key=lambda value: value.time)


def middle(found: Sequence[Charted]) -> Decimal | None:
    """The median; of an even count the mean of the middle two."""
    return median(value.value for value in found) if found else None
