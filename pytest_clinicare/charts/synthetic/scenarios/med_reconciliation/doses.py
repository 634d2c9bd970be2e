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
_FIRST_COURSES = {"ceftriaxone": 2, "azithromycin": 3}
_Doses = list[tuple[datetime, str]]


def administer(record: Record, enc: Encounter, recipe: dict[str, Any], rng: random.Random) -> None:
    """Every drug of ``final_24h`` is ordered to dischtime; its recipe doses repeat each day back to its start."""
    home = {row[0]: row for row in recipe["home_meds"]}
    by_drug: dict[str, list[list[Any]]] = {}
    for row in recipe["final_24h"]:
        by_drug.setdefault(row[0], []).append(row)
    for key, rows in by_drug.items():
        _given_to_the_end(record, enc, key, rows, home.get(key))
    for key in _first_courses(recipe):
        _first_course(record, enc, key, rng)
    for key in {row[0] for row in recipe["statements"]} & home.keys() - by_drug.keys():
        if home[key][4] == "taking" and drug(key)["class"] in ("ace-inhibitor", "diuretic"):
            _held_from_the_start(record, enc, key, home[key][1], rng)


def _given_to_the_end(record: Record, enc: Encounter, key: str, rows: list[list[Any]], home: list[str] | None) -> None:
    dose = rows[0][1]
    start = enc.admit + timedelta(hours=2)
    if drug(key)["class"] == "antibacterial":
        start = enc.admit + _ORAL_STEP
    elif home is not None and home[1] != dose:
        start = enc.disch - _TITRATED
        before = _repeated(enc, rows, enc.admit + timedelta(hours=2), start, last_day=False)
        _order(record, enc, key, home[1], enc.admit + timedelta(hours=2), start, before)
    doses = _repeated(enc, rows, start, enc.disch, last_day=True)
    _order(record, enc, key, dose, start, enc.disch, doses)


def _repeated(enc: Encounter, rows: list[list[Any]], start: datetime, stop: datetime, *, last_day: bool) -> _Doses:
    """The doses of the last day and the same hours, a few minutes off, of the days before back to ``start``."""
    doses: _Doses = []
    for number, (_, _, hours, event) in enumerate(rows):
        exact = (enc.disch - timedelta(hours=hours)).replace(second=0)
        if last_day:
            doses.append((exact, event))
        for day in range(1, enc.days + 1):
            time = exact - timedelta(days=day, minutes=(day * 7 + number * 3) % 17 - 8)
            if start <= time < min(stop, enc.disch - timedelta(hours=24)):
                doses.append((time, "Administered"))
    return sorted(doses)


def _order(record: Record, enc: Encounter, key: str, dose: str, start: datetime, stop: datetime, doses: _Doses) -> None:
    entry = drug(key)
    amount, unit = dose.split()
    record.medication(enc, entry["inpatient"], amount, unit, entry["route"], entry["frequency"], start, stop, doses)


def _first_courses(recipe: dict[str, Any]) -> list[str]:
    """Antibacterials that were over before discharge: those which the course names, else ceftriaxone for pneumonia."""
    if recipe["events"] != "infection":
        return []
    given = {row[0] for row in recipe["final_24h"]}
    named = [row[0] for row in recipe["statements"] if row[0] in _FIRST_COURSES and row[0] not in given]
    return named or ["ceftriaxone"]


def _first_course(record: Record, enc: Encounter, key: str, rng: random.Random) -> None:
    first = enc.admit + timedelta(minutes=rng.randrange(75, 120))
    doses = [(first + timedelta(days=day), "Administered") for day in range(_FIRST_COURSES[key])]
    _order(record, enc, key, drug(key)["doses"][0], first, doses[-1][0] + timedelta(hours=1), doses)


def _held_from_the_start(record: Record, enc: Encounter, key: str, dose: str, rng: random.Random) -> None:
    start = enc.admit + timedelta(hours=2)
    morning = (enc.admit + timedelta(days=1)).replace(hour=8, minute=rng.randrange(10, 55))
    _order(record, enc, key, dose, start, morning + timedelta(hours=2), [(morning, "Hold Dose")])
