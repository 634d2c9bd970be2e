"""The ordinary course of an admission: arrival at the emergency department, the ward or intensive care, discharge."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record

_MEDICAL_ICU = "Medical Intensive Care Unit (MICU)"


def emergency_admission(
    record: Record,
    entry: dict[str, Any],
    arrival: datetime,
    disch: datetime,
    *,
    codes: Sequence[str] = (),
    icu: tuple[datetime, datetime] | None = None,
    unit: str = _MEDICAL_ICU,
    in_ed: tuple[int, int] = (260, 480),
    hadm_id: int | None = None,
    stay_id: int | None = None,
    ed_linked: bool = True,
    died: bool = False,
    service: str = "MED",
    discharge_location: str | None = None,
) -> Encounter:
    """ED arrival, admission 20 to 60 minutes before leaving it, the ICU stay if there is one, and the codes.

    ``entry`` is an illness of ``fixtures/phrases``, ``codes`` are those besides it and the patient's own; ``in_ed`` are
    the minutes spent in the ED. The stay begins at its own time, not before the admission.
    """
    leaves = arrival + timedelta(minutes=record.rng.randrange(*in_ed))
    admit = leaves - timedelta(minutes=record.rng.randrange(20, 60))
    enc = record.admission(
        admit,
        disch,
        hadm_id=hadm_id,
        ed=(arrival, leaves),
        ed_linked=ed_linked,
        died=died,
        service=service,
        discharge_location=discharge_location,
        chief_complaint=entry["complaint"],
    )
    if icu is not None:
        record.icu_stay(enc, max(icu[0], admit), icu[1], unit, stay_id)
    illness.code(record, enc, entry, list(codes))
    return enc


def afternoon(record: Record, day: datetime) -> datetime:
    """When patients leave: a time between noon and six on that day."""
    return day.replace(hour=record.rng.randrange(12, 18), minute=record.rng.randrange(60), second=0, microsecond=0)


class Trajectory:
    """An analyte over time: straight lines through ``points`` (time, value), level before the first and after the last.

    Raises ValueError without points.
    """

    def __init__(self, points: Sequence[tuple[datetime, float]]) -> None:
        if not points:
            raise ValueError("a trajectory needs at least one point")
        ordered = sorted(points)
        self._times = [time for time, _ in ordered]
        self._values = [value for _, value in ordered]

    def at(self, time: datetime) -> float:
        after = bisect_right(self._times, time)
        if after == 0:
            return self._values[0]
        if after == len(self._times):
            return self._values[-1]
        start, end = self._times[after - 1], self._times[after]
        share = (time - start) / (end - start)
        return self._values[after - 1] + share * (self._values[after] - self._values[after - 1])
