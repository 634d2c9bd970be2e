"""Chart of a hit-4ts case: platelets under heparin, what else may explain them, and what took heparin's place."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.cultures import Isolate, blood_cultures
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.illness import code
from pytest_clinicare.charts.synthetic.infusions import infusion, stepped
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.drugs import DRUGS, HEPARIN, Drug
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.hand import PHRASES
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.reports import duplex, head_ct
from pytest_clinicare.charts.synthetic.scenarios.hit_4ts.summary import earlier_summary, summary
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_BYPASS = {"aortic stenosis": ("02RF08Z", "5A1221Z"), "three vessel disease": ("021209W", "5A1221Z")}
_AVOID = ["Heparin"]
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class _Clock:
    arrival: datetime
    dose: datetime
    leaves: datetime

    def at(self, hours: float) -> datetime:
        """Hours from the first dose of heparin."""
        return self.dose + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    day = datetime(rng.randrange(2120, 2190), 1, 1) + timedelta(days=rng.randrange(20, 340), minutes=rng.randrange(11))
    arrival = day + timedelta(hours=recipe["arrived"])
    dose = arrival + timedelta(hours=recipe["first"])
    died = recipe["died"] == "yes"
    leaves = dose + timedelta(hours=recipe["stay"])
    if not died:
        leaves = leaves.replace(hour=rng.randrange(14, 18), minute=rng.randrange(60))
    clock = _Clock(arrival, dose, leaves)
    sex, age = recipe["patient"]
    record = Record(case, sex, age, arrival.year)
    for _ in range(record.rng.randrange(1, 4)):
        time = arrival - timedelta(days=record.rng.randrange(40, 400))
        time = time.replace(hour=record.rng.randrange(8, 16), minute=record.rng.randrange(60))
        record.panel("basic", time)
        record.panel("cbc", time)
    _earlier(record, recipe, clock)
    entry = _entry(recipe["presentation"][0])
    enc = _admission(record, case, recipe, clock, entry)
    _labs(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    for row in recipe["courses"]:
        _course(record, enc, recipe, clock, row)
    for drug, start, stop in recipe["orders"]:
        _prescribe(record, enc, DRUGS[drug], clock.at(start), min(clock.at(stop), enc.disch), [])
    _around(record, enc, recipe, clock)
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


def _entry(name: str) -> dict[str, Any]:
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == name)
    return {**entry, "avoid": _AVOID}


def _admission(record: Record, case: Case, recipe: Recipe, clock: _Clock, entry: dict[str, Any]) -> Encounter:
    into, out = (clock.at(h) for h in recipe["icu"])
    out = min(out, clock.leaves)
    died, service = recipe["died"] == "yes", entry.get("service", "MED")
    if recipe["transferred"] == "no":
        return emergency_admission(
            record,
            entry,
            clock.arrival,
            clock.leaves,
            codes=recipe["codes"],
            icu=(into, out),
            hadm_id=case.hadm_id,
            died=died,
            service=service,
        )
    enc = record.admission(
        clock.arrival,
        clock.leaves,
        hadm_id=case.hadm_id,
        kind="URGENT",
        service=service,
        admission_location="TRANSFER FROM HOSPITAL",
    )
    record.icu_stay(enc, into, out)
    code(record, enc, entry, recipe["codes"])
    return enc


def _earlier(record: Record, recipe: Recipe, clock: _Clock) -> None:
    """An earlier stay with heparin under the skin, its last dose so many days before day 0."""
    if recipe["earlier"] == "none":
        return
    days, *presentation = recipe["earlier"]
    entry = _entry(presentation[0])
    last = (clock.dose - timedelta(days=days)).replace(hour=record.rng.randrange(6, 9), minute=record.rng.randrange(60))
    arrival = last - timedelta(days=record.rng.randrange(3, 6), hours=record.rng.randrange(-4, 4))
    leaves = last.replace(hour=record.rng.randrange(13, 18), minute=record.rng.randrange(60))
    enc = emergency_admission(record, entry, arrival, leaves, service=entry.get("service", "MED"))
    record.background(enc)
    drug, first = DRUGS["sc"], max(enc.admit + timedelta(hours=3), arrival + timedelta(hours=11))
    _prescribe(record, enc, drug, first, leaves, _times(drug, first, last, "Administered"))
    record.discharge_summary(enc, earlier_summary(record, entry, presentation))


def _times(drug: Drug, first: datetime, last: datetime, event: str) -> list[tuple[datetime, str]]:
    """Doses laid back from the last one, and the first."""
    times, step = [last], timedelta(hours=drug.every)
    while times[-1] - step > first + step / 2:
        times.append(times[-1] - step)
    if first < times[-1]:
        times.append(first)
    return [(time, event) for time in sorted(times)]


def _prescribe(
    record: Record, enc: Encounter, drug: Drug, start: datetime, stop: datetime, given: list[tuple[datetime, str]]
) -> str:
    begin = max(start - timedelta(minutes=5), enc.admit)
    order = (drug.name, drug.dose, drug.unit, drug.route, drug.frequency)
    return record.medication(enc, *order, begin, min(stop, enc.disch), given)


def _course(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock, row: list[Any]) -> None:
    """A course and, where it ends before discharge, the order that ends it."""
    key, start, end, event = row
    drug, first, last = DRUGS[key], clock.at(start), min(clock.at(end), enc.disch - timedelta(minutes=20))
    given = _times(drug, first, last, event)
    if drug.drip and enc.in_icu(first):
        stay = enc.icu[0]
        until = min(last, (stay.outtime or enc.disch) - timedelta(minutes=30))
        name, rate = drug.drip
        infusion(record, enc, stay, name, stepped(first, until, (rate, rate * 1.2, rate)))
        given = []
    elif key == "iv":
        given = [*_times(drug, first, last - timedelta(hours=6), "Started"), (last, "Stopped")]
    ended = dict(recipe["discontinued"]).get(key)
    stop = clock.at(ended) if ended is not None else last + timedelta(minutes=25)
    poe_id = _prescribe(record, enc, drug, first, max(stop, last), given)
    if ended is not None or (key in HEPARIN and stop < enc.disch - timedelta(hours=8)):
        record.order(enc, "Medications", None, stop, "D/C", poe_id)


def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Chemistry on arrival and each morning; blood counts where the recipe has platelets."""
    first = clock.arrival + timedelta(minutes=45)
    for panel in ("coag", "liver"):
        record.panel(panel, first, enc)
    morning = clock.arrival.replace(hour=5, minute=20) + _DAY
    draws = [first]
    while morning < enc.disch:
        draws.append(morning + timedelta(minutes=record.rng.randrange(0, 80)))
        morning += _DAY
    for number, time in enumerate(draws):
        record.panel("basic", time, enc)
        if number % 3 == 2:
            record.panel("coag", time, enc)
    for hours, count, comment in recipe["counts"]:
        time = clock.at(hours)
        if not enc.start < time < enc.disch:
            continue
        if comment == "none":
            record.panel("cbc", time, enc, platelets=count)
        else:
            specimen = record.panel("cbc", time, enc, platelets=None)
            record.lab("platelets", time, count, enc, comment, specimen)


def _around(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Cultures, antibody, imaging and operation."""
    middle = recipe["t0"] if recipe["t0"] != "none" else recipe["counts"][len(recipe["counts"]) // 2][0]
    if recipe["bacteraemia"] != "none":
        hours, organism = recipe["bacteraemia"]
        time = clock.at(hours)
        blood_cultures(record, enc, time, 2, [[Isolate(organism)]], [time + timedelta(hours=30)])
    else:
        time = min(clock.at(middle - 9), enc.disch - timedelta(hours=4))
        blood_cultures(record, enc, max(time, enc.start + timedelta(hours=1)), 2)
    if recipe["antibody"] != "none":
        hours, result, density, _ = recipe["antibody"]
        record.lab("hit_antibody", clock.at(hours), result, enc)
        record.lab("hit_density", clock.at(hours), density, enc)
        for row in record.rows["labevents"]:
            if row["itemid"] in (52131, 52132):
                row["storetime"] = clock.at(recipe["antibody"][3]).isoformat(" ", "seconds")
    if recipe["duplex"] != "none":
        duplex(record, enc, clock.at(recipe["duplex"][0]), recipe["duplex"][1])
    if recipe["head_ct"] != "none":
        head_ct(record, enc, clock.at(recipe["head_ct"][0]), recipe["head_ct"][1])
    if recipe["bypass"] != "none":
        for procedure in _BYPASS[recipe["presentation"][0]]:
            record.procedure(enc, procedure, 10, clock.at(recipe["bypass"]))
