"""Chart of a sodium-correction case: severe hyponatremia from the emergency department through intensive care."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import STOPPED, infusion, stepped
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.sodium_correction.summary import PHRASES, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]


@dataclass(frozen=True)
class _Clock:
    index: datetime

    def at(self, hours: float) -> datetime:
        """Hours from the index."""
        return self.index + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    year, group = recipe["calendar"]
    days = random.Random(f"chart/{case.seed}").randrange(20, 330)
    hour, minute = (int(part) for part in recipe["index_clock"].split(":"))
    clock = _Clock(datetime(year, 1, 1, hour, minute) + timedelta(days=days))
    sex, age = recipe["patient"]
    record = Record(case, sex, age, year)
    record.anchor_year_group = group
    _earlier(record, clock)
    if recipe["urine"] == "brisk":
        record.urine_ml_kg_h = (2.4, 3.4)
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["illness"][0])
    entry = {**entry, "codes": ["E871", *entry["codes"]]}
    codes = [text for where, text in recipe["risk_statements"] if where == "code"]
    enc = emergency_admission(
        record, entry, clock.at(recipe["arrival"]), clock.at(recipe["leaves"]), codes=codes,
        icu=(clock.at(3.25), clock.at(60.0)), in_ed=(200, 230) if recipe["arrival"] > -2 else (1380, 1410),
        hadm_id=case.hadm_id,
    )  # fmt: skip
    potassium, glucose = dict(recipe["potassium"]), dict(recipe["glucose"])
    for hours, sodium, comment in recipe["serum_sodium"]:
        given = None if comment == "none" else comment
        _panel(record, enc, clock.at(hours), (sodium, potassium.get(hours), glucose.get(hours)), given)
    for hours, sodium in recipe["gas_sodium"]:
        specimen = record.panel("gas", clock.at(hours), enc)
        record.lab("gas_sodium", clock.at(hours), float(sodium), enc, None, specimen)
    _other_labs(record, enc, clock, clock.at(recipe["arrival"] + 0.75))
    _treatment(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


@apart()
def _earlier(record: Record, clock: _Clock) -> None:
    """Clinic bloods of the year before."""
    for _ in range(record.rng.randrange(1, 3)):
        time = clock.at(-24.0 * record.rng.randrange(60, 350)) + timedelta(minutes=record.rng.randrange(400))
        record.panel("basic", time, None, sodium=float(record.rng.randrange(133, 140)))
        record.panel("cbc", time)


@apart("time")
def _panel(
    record: Record,
    enc: Encounter,
    time: datetime,
    values: tuple[float, float | None, float | None],
    comment: str | None,
) -> None:
    """A chemistry; the comment stands with the sodium that it is about."""
    sodium, potassium, glucose = values
    specimen = record.panel("basic", time, enc, sodium=float(sodium), potassium=potassium, glucose=glucose)
    if comment is None:
        return
    for row in record.rows["labevents"]:
        if row["specimen_id"] == specimen and row["itemid"] == 50983:
            row["comments"] = comment


def _other_labs(record: Record, enc: Encounter, clock: _Clock, first: datetime) -> None:
    """Counts on arrival and in the morning, liver values, coagulation, urine on arrival and its sodium later."""
    for name in ("cbc", "differential", "coag", "liver"):
        record.panel(name, first, enc)
    record.panel("urinalysis", first + timedelta(minutes=50), enc)
    for hours in (2.0, 14.0):
        record.panel("urine", clock.at(hours), enc)
    morning = first.replace(hour=5, minute=25) + timedelta(days=1)
    while morning < enc.disch:
        record.panel("cbc", morning, enc)
        morning += timedelta(days=1)


def _treatment(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    stay = enc.icu[0]
    for agent, hours, dose in recipe["treatment"]:
        start = clock.at(hours)
        end = start + timedelta(hours=6)
        if agent == "desmopressin":
            record.medication(
                enc, "Desmopressin Acetate", str(dose), "mcg", "IV", "ONCE", start, end, [(start, "Administered")]
            )
        elif agent == "insulin":
            end = start + timedelta(hours=18)
            record.medication(enc, "Insulin Regular", "2-10", "UNIT/HR", "IV DRIP", "INFUSION", start, end)
            infusion(record, enc, stay, "insulin", stepped(start, end, [float(dose), dose / 2, 2.0], STOPPED))
        elif agent == "dextrose":
            infusion(record, enc, stay, "dextrose", stepped(start, end, [float(dose)], STOPPED))
        else:
            infusion(record, enc, stay, "hypertonic-saline", stepped(start, end, [float(dose)], STOPPED))
