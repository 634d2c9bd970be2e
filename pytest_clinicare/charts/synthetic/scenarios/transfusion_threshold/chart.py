"""Chart of a transfusion-threshold case: a stay in intensive care, its blood counts, red cells given or ordered."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import person
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.blood_products import RED_CELLS, RED_CELLS_IN_SURGERY, blood_product
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import infusion, stepped
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.transfusion_threshold.hand import PHRASES
from pytest_clinicare.charts.synthetic.scenarios.transfusion_threshold.summary import summary
from pytest_clinicare.charts.synthetic.vital_signs import hold
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
SYSTOLIC, DIASTOLIC, MEAN = 220179, 220180, 220181
OPERATIONS = {
    "intertrochanteric fracture": ("0QS606Z",),
    "femoral shaft fracture": ("0QS806Z",),
    "femoral neck fracture": ("0SR90JZ",),
    "fracture around a knee implant": ("0SRC0J9",),
    "aortic stenosis": ("02RF08Z", "5A1221Z"),
    "left main disease": ("021209W", "5A1221Z"),
    "three vessel disease": ("021209W", "5A1221Z"),
}
_TRANSFUSION = "30233N1"
_UNITS = {
    "medical": "Medical Intensive Care Unit (MICU)",
    "cardiac": "Cardiac Vascular Intensive Care Unit (CVICU)",
    "surgical": "Surgical Intensive Care Unit (SICU)",
}
# Nobody whose blood count is followed gets heparin under the skin.
_AVOID = ["Heparin"]
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class _Clock:
    arrival: datetime
    start: datetime
    leaves: datetime

    def at(self, hours: float) -> datetime:
        """Hours from the start of the index unit."""
        return self.start + timedelta(minutes=round(hours * 60))

    def stay(self, hours: float) -> datetime:
        """Hours from arrival."""
        return self.arrival + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    day = datetime(rng.randrange(2120, 2190), 1, 1) + timedelta(days=rng.randrange(20, 340), minutes=rng.randrange(11))
    arrival = day + timedelta(hours=recipe["arrived"])
    clock = _Clock(
        arrival,
        arrival + timedelta(hours=recipe["start_h"]),
        (arrival + timedelta(hours=recipe["stay"])).replace(hour=rng.randrange(12, 18), minute=rng.randrange(60)),
    )
    sex, age = recipe["patient"]
    record = Record(case, sex, age, arrival.year)
    record.person = _without_heart_disease(record)
    for _ in range(record.rng.randrange(1, 4)):
        time = clock.arrival - timedelta(days=record.rng.randrange(40, 400))
        time = time.replace(hour=record.rng.randrange(8, 16), minute=record.rng.randrange(60))
        record.panel("basic", time)
        record.panel("cbc", time)
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["presentation"][0])
    entry = {**entry, "avoid": _AVOID}
    into, out, unit = recipe["icu"]
    enc = emergency_admission(
        record,
        entry,
        clock.arrival,
        clock.leaves,
        codes=recipe["codes"],
        icu=(clock.stay(into), clock.stay(out)),
        unit=_UNITS[unit],
        hadm_id=case.hadm_id,
        service=entry.get("service", "MED"),
    )
    _labs(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    _pressures(record, enc, recipe, clock)
    _red_cells(record, enc, recipe, clock)
    _procedures(record, enc, recipe, clock)
    if recipe["vasopressor"] != "none":
        start, end = (clock.at(h) for h in recipe["vasopressor"])
        infusion(record, enc, enc.icu[0], "norepinephrine", stepped(start, end, (0.18, 0.14, 0.1, 0.06)))
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


def _without_heart_disease(record: Record) -> person.Person:
    """Disease of heart and vessels comes from the recipe alone."""
    while True:
        drawn = person.draw(record.rng)
        if not any("oronary" in line for line in drawn.history):
            return drawn


def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Chemistry on arrival and each morning, blood counts and gases where the recipe has them."""
    first = clock.arrival + timedelta(minutes=45)
    for panel in ("coag", "liver", "differential"):
        record.panel(panel, first, enc)
    record.panel("urinalysis", first + timedelta(minutes=50), enc)
    morning = clock.arrival.replace(hour=5, minute=20) + _DAY
    draws = [first]
    while morning < enc.disch:
        draws.append(morning + timedelta(minutes=record.rng.randrange(0, 80)))
        morning += _DAY
    for time in draws:
        record.panel("basic", time, enc)
    for hours, value, kind in recipe["hb"]:
        time = clock.at(hours)
        if not enc.start < time < enc.disch:
            continue
        if kind == "cbc":
            record.panel("cbc", time, enc, hemoglobin=value)
        else:
            specimen = record.panel("gas", time, enc)
            record.lab("gas_hemoglobin", time, value, enc, specimen_id=specimen)
    for hours, value in recipe["troponin"]:
        time = clock.stay(hours)
        if value:
            record.lab("troponin_t", time, value, enc)
        else:
            record.lab("troponin_t", time, "<0.01", enc)


def _pressures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """In the 24 h before the start nothing is lower than the recipe's readings."""
    window = (clock.start - _DAY, clock.start + timedelta(minutes=1))
    lowest = min(value for _, value in recipe["sbp"])
    usual = max(lowest + 3, 94)
    hold(record, enc, SYSTOLIC, (usual, usual + 36), window)
    hold(record, enc, MEAN, (67, 96), window)
    for row in record.rows.get("vitalsign", ()):
        if row["stay_id"] == enc.ed_stay_id and row["sbp"] < usual:
            row["sbp"] = usual + 4
    for hours, value in recipe["sbp"]:
        time = clock.at(-hours)
        if not enc.in_icu(time):
            continue
        diastolic = round(value * 0.52)
        mean = round((value + 2 * diastolic) / 3) if value < 90 else max(round((value + 2 * diastolic) / 3), 66)
        for item, number in ((SYSTOLIC, value), (DIASTOLIC, diastolic), (MEAN, mean)):
            record.flowsheet(enc.icu[0], enc, item, time, float(number), "mmHg")


def _red_cells(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Blood tests and the order, the units that ran, and their billing code."""
    ordered, withdrawn = recipe["order"]
    record.order(enc, "Blood Bank", "Blood tests", clock.at(ordered) - timedelta(minutes=25))
    poe_id = record.order(enc, "Blood Bank", "Red Cell Product Order", clock.at(ordered))
    if withdrawn != "none":
        record.order(enc, "Blood Bank", "Red Cell Product Order", clock.at(withdrawn), "D/C", poe_id)
    for hours, where in recipe["units"]:
        item = RED_CELLS if where == "icu" else RED_CELLS_IN_SURGERY
        blood_product(record, enc, enc.icu[0], item, clock.at(hours), 95 + (_minutes(recipe, hours) % 75))
    if recipe["index_source"] != "order only":
        record.procedure(enc, _TRANSFUSION, 10, clock.start)


def _minutes(recipe: Recipe, hours: float) -> int:
    """A number that follows from the recipe, so that a unit takes as long in its twin."""
    return round(float(recipe["arrived"]) * 60 + hours * 15)


def _procedures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    if recipe["surgery"] != "none":
        for code in OPERATIONS[recipe["presentation"][0]]:
            record.procedure(enc, code, 10, clock.at(recipe["surgery"][1]))
    if recipe["coronary"] != "none":
        code, hours = recipe["coronary"]
        record.procedure(enc, code, 10, clock.stay(hours))
        record.procedure(enc, "4A023N7", 10, clock.stay(hours))
