"""Creatinine of one admission as a series: given lowest, peak and last two values, one value a sampled date."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta


def values(lowest: float, peak: float, last: tuple[float, float], count: int, rng: random.Random) -> list[float]:
    """``count`` values in order of time that hold the lowest, the peak and end in ``last``.

    Raises:
        ValueError: too few dates for these values.
    """
    if count == 1:
        return [last[1]]
    tail = list(last)
    missing = [v for v in (peak, lowest) if v not in tail]
    head = count - 2
    if len(missing) > head:
        raise ValueError(f"{count} dates cannot hold lowest {lowest}, peak {peak} and last two {last}")
    if peak in tail and lowest not in tail:
        return _line(lowest, tail[0], head + 1)[:-1] + tail
    if not missing and peak in tail:
        return [_between(rng, lowest, peak) for _ in range(head)] + tail
    return _over_the_peak(lowest, peak, tail, head, lowest in missing, rng) + tail


def between_sessions(
    lowest: float, peak: float, last: tuple[float, float], days: list[date], rng: random.Random
) -> list[float] | None:
    """Hemodialysis every other day, the last session on the day before ``days`` end: high before a session, low after.

    None where the dates show only one side of the sessions.
    """
    before = [(days[-1] - day).days % 2 == 1 for day in days[:-2]]
    if not (any(before) and not all(before)):
        return None
    series = [_between(rng, last[0], peak) if high else _between(rng, lowest, last[1]) for high in before]
    series[before.index(True)] = peak
    series[before.index(False)] = lowest
    return [*series, *last]


def falling(peak: float, last: tuple[float, float], count: int) -> list[float]:
    """From the first value down to the last two, as after a transplantation."""
    return [*_line(peak, last[0], count - 1), last[1]]


def _over_the_peak(
    lowest: float, peak: float, tail: list[float], head: int, dip: bool, rng: random.Random
) -> list[float]:
    """Up to the peak (at once, or on the second date of an injury), then down towards the tail."""
    rise = [round(lowest + 0.6 * (peak - lowest), 1)] if peak >= 1.5 * lowest and head >= 3 else []
    after = head - len(rise) - 1
    if dip:
        return [*rise, peak, *_line(peak, lowest, after + 1)[1:]]
    down = _line(peak, tail[0], after + 2)[1:-1] if after else []
    return [*rise, peak, *(min(max(v, lowest), peak) for v in down)]


def _line(start: float, end: float, count: int) -> list[float]:
    if count == 1:
        return [end]
    return [round(start + (end - start) * number / (count - 1), 1) for number in range(count)]


def _between(rng: random.Random, low: float, high: float) -> float:
    return rng.randint(round(low * 10), round(high * 10)) / 10


def dates(first: datetime, last: datetime, count: int) -> list[date]:
    """``count`` calendar dates of a stay: the first, the last two in a row at its end, the rest spread between.

    Raises:
        ValueError: the stay has fewer dates than that.
    """
    days = [first.date() + timedelta(days=n) for n in range((last.date() - first.date()).days + 1)]
    if count > len(days):
        raise ValueError(f"a stay of {len(days)} calendar dates cannot be sampled on {count}")
    if count <= 2:
        return days[:1] if count == 1 else [days[0], days[-1]]
    inner = days[1:-2]
    wanted = count - 3
    chosen = [inner[round((n + 0.5) * len(inner) / wanted - 0.5)] for n in range(wanted)] if wanted else []
    return sorted({days[0], *chosen, *days[-2:]}) if len(set(chosen)) == wanted else days[: count - 2] + days[-2:]
