"""Chart of a renal-trajectory case: admissions with creatinine, stage codes and replacement as its recipe says."""

from __future__ import annotations

import random
from datetime import date, datetime, time, timedelta

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.renal_replacement import crrt, hemodialysis, transplantation
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory import series
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.stays import Drug, Recipe, Stay, renal_drugs, stays_of
from pytest_clinicare.charts.synthetic.scenarios.renal_trajectory.summary import summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.suite.case import Case

_HOURS = {"Q12H": (8, 20), "BID": (8, 20), "TID W/MEALS": (8, 12, 18)}
_LEAVES_TO = ("HOME", "HOME", "HOME HEALTH CARE", "SKILLED NURSING FACILITY", "REHAB")
_LB_IN_KG = 2.2046
_NORMAL_URINE, _OLIGURIA = (0.8, 1.3), (0.2, 0.45)


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    stays = stays_of(recipe)
    # Between May and August, so that the plan's days fall in the years that its ages ask for.
    first = datetime(rng.randrange(2120, 2180), 5, 1) + timedelta(days=rng.randrange(110))
    record = Record(case, recipe["sex"], stays[0].age, first.year)
    illness.settle_person(record)
    record.control("creatinine", "urea")
    if recipe["weight_lb"] != "none":
        record.weight_kg = round(recipe["weight_lb"][0][1] / _LB_IN_KG, 1)
    on_ace_inhibitor = rng.random() < 0.5
    for stay in stays:
        _admission(record, recipe, stay, first + timedelta(days=stay.days), on_ace_inhibitor)
    _weights(record, recipe, first)
    # The fewer the admissions, the more of the other visits.
    _emergency_visits(record, first, 3 if len(stays) == 1 else max(0, 4 - len(stays)) + rng.randrange(0, 3))
    return record.finish()


def _admission(record: Record, recipe: Recipe, stay: Stay, on: datetime, on_ace_inhibitor: bool) -> None:
    rng = record.rng
    if record.age_at(on) != stay.age:
        raise ValueError(f"admission {stay.number} on day {stay.days} is at age {record.age_at(on)}, not {stay.age}")
    telling = illness.Telling.of(recipe["tellings"][stay.number - 1])
    entry = telling.entry
    elective = stay.replacement == "transplant"
    arrival = on.replace(hour=rng.randrange(7, 13), minute=rng.randrange(60))
    leaves = arrival + timedelta(minutes=rng.randrange(260, 480))
    admit = arrival if elective else leaves - timedelta(minutes=rng.randrange(20, 60))
    disch = (admit + timedelta(days=stay.length)).replace(hour=rng.randrange(12, 18), minute=rng.randrange(60))
    unsettled = (
        stay.injured and stay.last[1] > 0.2 + recipe["admissions"][0][3] and stay.number == len(recipe["admissions"])
    )
    leaves_to = rng.choice(_LEAVES_TO)
    enc = record.admission(
        admit,
        disch,
        ed=None if elective else (arrival, leaves),
        kind="ELECTIVE" if elective else "EW EMER.",
        discharge_location="ACUTE HOSPITAL" if unsettled else leaves_to,
        service="SURG" if elective else "MED",
        chief_complaint=entry["complaint"],
    )
    if stay.replacement == "temporary":
        record.icu_stay(enc, admit + timedelta(minutes=40), admit + timedelta(days=7))
    illness.code(record, enc, entry, _codes(stay))
    _creatinine(record, enc, stay)
    _replace(record, enc, stay)
    record.urine_ml_kg_h = _OLIGURIA if stay.replacement == "temporary" else _NORMAL_URINE
    record.background(enc)
    for drug in renal_drugs(recipe, stay, on_ace_inhibitor, given=True):
        _give(record, enc, drug)
    record.discharge_summary(enc, summary(record, enc, telling, recipe, stay, on_ace_inhibitor))


@apart("enc")
def _creatinine(record: Record, enc: Encounter, stay: Stay) -> None:
    """One value a date: on arrival, then with the morning bloods."""
    rng = record.rng
    days = series.dates(enc.start, enc.disch, stay.dates)
    values = _values(stay, days, rng)
    for day, value in zip(days, values, strict=True):
        drawn = datetime.combine(day, time(rng.randrange(4, 8), rng.randrange(60)))
        if drawn <= enc.start:
            drawn = enc.start + timedelta(minutes=rng.randrange(20, 70))
        record.panel("basic", drawn, enc, creatinine=value, urea=max(8.0, round(15.5 * value**0.85)))


def _values(stay: Stay, days: list[date], rng: random.Random) -> list[float]:
    if stay.replacement == "transplant":
        return series.falling(stay.peak, stay.last, stay.dates)
    if stay.replacement.startswith("maintenance"):
        dialyzed = series.between_sessions(stay.lowest, stay.peak, stay.last, days, rng)
        if dialyzed is not None:
            return dialyzed
    return series.values(stay.lowest, stay.peak, stay.last, stay.dates, rng)


def _replace(record: Record, enc: Encounter, stay: Stay) -> None:
    if stay.replacement == "temporary":
        crrt(record, enc, enc.admit + timedelta(days=1, hours=6), days=3)
    elif stay.replacement.startswith("maintenance"):
        hemodialysis(record, enc)
    elif stay.replacement == "transplant":
        transplantation(record, enc)


def _codes(stay: Stay) -> list[str]:
    codes = [] if stay.code == "none" or stay.replacement == "transplant" else [stay.code]
    if stay.injured and "coded" in stay.aki:
        codes.append("N17.0" if stay.replacement == "temporary" or stay.peak >= 4 else "N17.9")
    if stay.replacement.startswith("maintenance"):
        codes.append("Z99.2")
    if stay.replacement == "transplanted":
        codes.append("Z94.0")
    return codes


def _give(record: Record, enc: Encounter, ordered: Drug) -> None:
    drug, dose, unit, route, frequency = ordered
    start = enc.admit + timedelta(hours=3)
    hours = _HOURS.get(frequency, (8,))
    doses = (
        start.replace(hour=hour, minute=record.rng.randrange(55)) + timedelta(days=n)
        for n in range(enc.days)
        for hour in hours
    )
    given = [(moment, "Administered") for moment in doses if start < moment < enc.disch]
    record.medication(enc, drug, dose, unit, route, frequency, start, enc.disch, given)


def _weights(record: Record, recipe: Recipe, first: datetime) -> None:
    if recipe["weight_lb"] == "none":
        return
    metres = record.height_cm / 100
    for day, pounds in recipe["weight_lb"]:
        when = first + timedelta(days=day)
        record.outpatient(when, "Weight (Lbs)", f"{pounds:g}")
        record.outpatient(when, "BMI (kg/m2)", f"{pounds / _LB_IN_KG / metres**2:.1f}")
        record.outpatient(when, "Blood Pressure", f"{record.rng.randrange(116, 144)}/{record.rng.randrange(60, 86)}")


def _emergency_visits(record: Record, first: datetime, count: int) -> None:
    """Visits without admission, clear of every stay."""
    for number in range(count):
        time_of_visit = first - timedelta(
            days=60 + 70 * number + record.rng.randrange(40), minutes=record.rng.randrange(600)
        )
        record.ed_visit(time_of_visit, time_of_visit + timedelta(minutes=record.rng.randrange(150, 420)))
