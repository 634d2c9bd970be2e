"""Inpatient orders and administrations of a med-reconciliation chart, from the last doses that the recipe places."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import drug

_ORAL_STEP = timedelta(hours=44)  # an antibacterial taken at the end follows intravenous treatment
_TITRATED = timedelta(hours=50)  # a dose other than the home dose was reached this long before discharge
_EARLY_AZITHROMYCIN = ["azithromycin", "500 mg", "PO", "DAILY", 3]
_STEP_HOURS = {"Q24H": 24, "DAILY": 24, "BID": 12, "Q12H": 12, "Q8H": 8, "Q6H": 6}
_NOT_NEEDED = 0.5  # share of the days before the last on which a drug ordered as needed is not asked for
_LAST_DAY = timedelta(hours=25)  # only the recipe places a dose in the last 24 h
_Doses = list[tuple[datetime, str]]


def administer(
    record: Record, enc: Encounter, recipe: dict[str, Any], early: list[list[Any]], rng: random.Random
) -> None:
    """Every drug of ``final_24h`` is ordered to dischtime; its recipe doses repeat each day back to its start.

    ``early`` lists what the illness calls for in the first days alone: rows of drug, dose, route, frequency, days.
    """
    home = {row[0]: row for row in recipe["home_meds"]}
    by_drug: dict[str, list[list[Any]]] = {}
    for row in recipe["final_24h"]:
        by_drug.setdefault(row[0], []).append(row)
    begun = {}  # an ingredient that was given intravenously first is taken by mouth from then on
    for row in [*early, *_named_before(recipe, by_drug)]:
        begun[drug(row[0])["ingredient"]] = _first_days(record, enc, row, rng)
    for key, rows in by_drug.items():
        start = begun.get(drug(key)["ingredient"], enc.admit + timedelta(hours=2))
        _given_to_the_end(record, enc, key, rows, home.get(key), start, rng)
    for key in {row[0] for row in recipe["statements"]} & home.keys() - by_drug.keys():
        if home[key][4] == "taking" and drug(key)["class"] in ("ace-inhibitor", "diuretic"):
            _held_from_the_start(record, enc, key, home[key][1], rng)


def _given_to_the_end(
    record: Record,
    enc: Encounter,
    key: str,
    rows: list[list[Any]],
    home: list[str] | None,
    start: datetime,
    rng: random.Random,
) -> None:
    dose = rows[0][1]
    if drug(key)["class"] == "antibacterial":
        start = enc.admit + _ORAL_STEP
    elif home is not None and home[1] != dose:
        titrated = enc.disch - _TITRATED
        before = _repeated(enc, rows, start, titrated, rng, last_day=False)
        _order(record, enc, key, home[1], start, titrated, before)
        start = titrated
    doses = _repeated(enc, rows, start, enc.disch, rng, last_day=True)
    _order(record, enc, key, dose, start, enc.disch, doses)


def _repeated(
    enc: Encounter, rows: list[list[Any]], start: datetime, stop: datetime, rng: random.Random, *, last_day: bool
) -> _Doses:
    """The doses of the last day and the same hours, a few minutes off, of the days before back to ``start``.

    What is ordered as needed was needed on some of those days only, at any hour.
    """
    doses: _Doses = []
    as_needed = drug(rows[0][0])["frequency"].endswith("PRN")
    for number, (_, _, hours, event) in enumerate(rows):
        exact = (enc.disch - timedelta(hours=hours)).replace(second=0)
        if last_day:
            doses.append((exact, event))
        for day in range(1, enc.days + 1):
            time = exact - timedelta(days=day, minutes=(day * 7 + number * 3) % 17 - 8)
            if as_needed:
                if rng.random() < _NOT_NEEDED:
                    continue
                time += timedelta(minutes=rng.randrange(-300, 300))
            if start <= time < min(stop, enc.disch - timedelta(hours=24)):
                doses.append((time, "Administered"))
    return sorted(doses)


def _order(
    record: Record,
    enc: Encounter,
    key: str,
    dose: str,
    start: datetime,
    stop: datetime,
    doses: _Doses,
    route: str | None = None,
    frequency: str | None = None,
) -> None:
    entry = drug(key)
    amount, unit = dose.split()
    route, frequency = route or entry["route"], frequency or entry["frequency"]
    record.medication(enc, entry["inpatient"], amount, unit, route, frequency, start, stop, doses)


def _named_before(recipe: dict[str, Any], to_the_end: dict[str, list[list[Any]]]) -> list[list[Any]]:
    """The first antibacterial course that the hospital course names besides the illness's own."""
    named = {row[0] for row in recipe["statements"]} - to_the_end.keys()
    return [_EARLY_AZITHROMYCIN] if "azithromycin" in named else []


def _first_days(record: Record, enc: Encounter, row: list[Any], rng: random.Random) -> datetime:
    """An order of the first days with its doses; returns its end, which lies before the last day."""
    key, dose, route, frequency, days = row
    first = enc.admit + timedelta(minutes=rng.randrange(75, 120))
    end = min(first + timedelta(days=days), enc.disch - _LAST_DAY)
    if frequency.endswith("PRN"):
        hours = sorted(rng.uniform(0, 24 * days) for _ in range(3))
    else:
        step = _STEP_HOURS[frequency]
        hours = [step * number + rng.uniform(-0.3, 0.3) * (number > 0) for number in range(int(24 * days / step))]
    times = [first.replace(second=0) + timedelta(minutes=round(hour * 60)) for hour in hours]
    doses = [(time, "Administered") for time in times if time < end]
    _order(record, enc, key, dose, first, end, doses, route, frequency)
    return end


def _held_from_the_start(record: Record, enc: Encounter, key: str, dose: str, rng: random.Random) -> None:
    start = enc.admit + timedelta(hours=2)
    morning = (enc.admit + timedelta(days=1)).replace(hour=8, minute=rng.randrange(10, 55))
    _order(record, enc, key, dose, start, morning + timedelta(hours=2), [(morning, "Hold Dose")])
