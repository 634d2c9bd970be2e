"""Chart of a dka-resolution case: ketoacidosis from arrival to the ward, with every draw timed from the drip's stop."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.infusions import STOPPED, Segment, infusion, stepped
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.course import sugar_at
from pytest_clinicare.charts.synthetic.scenarios.dka_resolution.summary import PHRASES, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
FINGERSTICK = 225664
SPECIMEN = {"venous": "VEN.", "arterial": "ART.", "mixed": "MIX."}
_AGENTS = {"glargine": "Insulin Glargine", "lispro": "Insulin Lispro"}
_YOUNG = ("Hypertension", "Hyperlipidemia", "Gastroesophageal reflux disease", "Depression", "Hypothyroidism")
# Insulin of the ward's routine is left out: all insulin is what the recipe says.
_AVOID = ["Insulin"]


@dataclass(frozen=True)
class _Clock:
    arrival: datetime
    stop: datetime
    leaves: datetime

    def since(self, hours: float) -> datetime:
        """Hours from arrival."""
        return self.arrival + timedelta(minutes=round(hours * 60))

    def at(self, hours: float) -> datetime:
        """Hours from the stop."""
        return self.stop + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    clock = _clock(recipe, random.Random(f"chart/{case.seed}"))
    sex, age, _ = recipe["patient"]
    record = Record(case, sex, age, recipe["calendar"][0])
    record.anchor_year_group = recipe["calendar"][1]
    _person(record, recipe)
    _earlier(record, clock)
    entry = _entry(recipe)
    icu = (clock.since(3.0), clock.at(6.5))
    enc = emergency_admission(
        record,
        entry,
        clock.arrival,
        clock.leaves,
        icu=icu,
        in_ed=(170, 179),
        hadm_id=case.hadm_id,
        discharge_location="HOME",
    )
    _chemistry(record, enc, recipe, clock)
    _gases(record, enc, recipe, clock)
    _other_labs(record, enc, recipe, clock)
    _sugars(record, enc, recipe, clock)
    _insulin(record, enc, recipe, clock)
    record.background(enc, skip=("labs",))
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


def _entry(recipe: Recipe) -> dict[str, Any]:
    """The precipitant, with ketoacidosis as the principal diagnosis."""
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["illness"][0])
    return {**entry, "codes": [*recipe["codes"], *entry["codes"]], "avoid": _AVOID}


def _clock(recipe: Recipe, rng: random.Random) -> _Clock:
    arrival = datetime(recipe["calendar"][0], 1, 1) + timedelta(days=rng.randrange(20, 330))
    arrival += timedelta(minutes=rng.randrange(0, 24 * 60))
    stop = arrival + timedelta(minutes=round(recipe["stop"] * 60))
    return _Clock(arrival, stop, stop + timedelta(minutes=round(recipe["leaves"] * 60)))


@apart()
def _person(record: Record, recipe: Recipe) -> None:
    """Diabetes and conditions of that age, with their drugs."""
    known = [c for c in bank("phrases/notes")["conditions"] if c["text"] in _YOUNG]
    conditions = tuple(record.rng.sample(known, 2))
    drugs = [str(c["drug"]) for c in conditions if "drug" in c]
    units = record.rng.choice((16, 20, 24, 28))
    new = recipe["illness"][0] == "new diabetes"
    insulin = [] if new else [f"Glargine {units} Units Bedtime", "Insulin Lispro 6 Units With Meals"]
    if recipe["sglt2"] == "yes":
        insulin.append("Empagliflozin 10 mg PO DAILY")
    record.person = replace(record.person, conditions=conditions, home_drugs=(*drugs, *insulin))


@apart()
def _earlier(record: Record, clock: _Clock) -> None:
    """Clinic bloods of the year before."""
    rng = record.rng
    for _ in range(rng.randrange(1, 3)):
        time = clock.arrival - timedelta(days=rng.randrange(40, 350), minutes=rng.randrange(600))
        record.panel("basic", time, None, glucose=float(rng.randrange(140, 260)))
        record.panel("cbc", time)


def _chemistry(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """On arrival and as the recipe lists; the reported gap with or without potassium, with its reference range."""
    glucose, bicarbonate, _, sodium, chloride, _ = recipe["presentation"]
    panels = [[0.5 - recipe["stop"], sodium, 4.9, chloride, bicarbonate, glucose], *recipe["chemistry"]]
    for hours, na, potassium, cl, found, sugar in panels:
        _panel(record, enc, clock.at(hours), (na, potassium, cl, found, sugar), recipe["reported_gap"], clock.arrival)


@apart("time")
def _panel(
    record: Record,
    enc: Encounter,
    time: datetime,
    values: tuple[float, float, float, float, float],
    reported: str,
    arrival: datetime,
) -> None:
    sodium, potassium, chloride, bicarbonate, glucose = values
    since = (time - arrival) / timedelta(hours=1)
    creatinine = 0.8 + 0.8 * 0.5 ** (since / 8) + record.rng.uniform(-0.05, 0.05)
    specimen = record.panel(
        "basic", time, enc, sodium=sodium, potassium=potassium, chloride=chloride, bicarbonate=bicarbonate,
        glucose=glucose, anion_gap=None, creatinine=round(creatinine, 1),
    )  # fmt: skip
    gap = sodium - chloride - bicarbonate
    if reported == "with potassium":
        record.lab("anion_gap", time, float(int(gap + potassium + 0.5)), enc, None, specimen)
    else:
        record.lab("anion_gap_without_potassium", time, float(gap), enc, None, specimen)


def _gases(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for hours, ph, kind, lactate in recipe["gas"]:
        time = clock.at(hours)
        bicarbonate = _bicarbonate(recipe, hours)
        _gas(record, enc, time, ph, kind, lactate, bicarbonate)


def _bicarbonate(recipe: Recipe, hours: float) -> float:
    """Serum bicarbonate of the nearest panel."""
    panels = [[0.5 - recipe["stop"], 0, 0, 0, recipe["presentation"][1]], *recipe["chemistry"]]
    return float(min(panels, key=lambda row: abs(row[0] - hours))[4])


@apart("time")
def _gas(
    record: Record, enc: Encounter, time: datetime, ph: float, kind: str, lactate: float, bicarbonate: float
) -> None:
    rng = record.rng
    pco2 = bicarbonate / (0.0307 * 10 ** (ph - 6.1))
    oxygen = rng.uniform(82, 104) if kind == "arterial" else rng.uniform(33, 48)
    specimen = record.panel("gas", time, enc, ph=ph, pco2=pco2, po2=oxygen, lactate=lactate)
    if kind in SPECIMEN:
        record.lab("specimen_type", time, SPECIMEN[kind], enc, None, specimen)


def _other_labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Ketones; counts on arrival and in the morning, liver values, coagulation and urine."""
    for hours, value in recipe["bhb"]:
        record.lab("beta_hydroxybutyrate", clock.at(hours), float(value), enc)
    ketone = recipe["presentation"][5]
    time = clock.since(1.25)
    specimen = record.panel("urinalysis", time, enc)
    record.lab("urine_ketone", time, "TR" if ketone == "trace" else float(ketone), enc, None, specimen)
    first = clock.since(0.5)
    for name in ("cbc", "differential", "coag", "liver"):
        record.panel(name, first, enc)
    morning = first.replace(hour=5, minute=20) + timedelta(days=1)
    while morning < clock.leaves:
        record.panel("cbc", morning, enc)
        morning += timedelta(days=1)


@apart()
def _sugars(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Hourly fingersticks in the ICU: before those of the recipe on the way down from arrival."""
    stay, rows = enc.icu[0], recipe["fingerstick"]
    glucose, arrived = recipe["presentation"][0], 0.5 - recipe["stop"]
    begin = (stay.intime - clock.stop) / timedelta(hours=1)
    hour = rows[0][0] - 1
    while hour > begin + 0.1:
        level = sugar_at(hour, glucose, arrived, rows)
        value = min(round(level * record.rng.uniform(0.95, 1.05)), glucose)
        record.flowsheet(stay, enc, FINGERSTICK, clock.at(hour), float(value), "mg/dL")
        hour -= 1
    for hour, value in rows:
        record.flowsheet(stay, enc, FINGERSTICK, clock.at(hour), float(value), "mg/dL")


def _insulin(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The order of an infusion, its segments, injections, and dextrose and saline beside them."""
    stay = enc.icu[0]
    start, end = (clock.since(h) for h in recipe["infusion_order"])
    record.medication(enc, "Insulin Regular", "2-10", "UNIT/HR", "IV DRIP", "INFUSION", max(start, enc.admit), end)
    segments = [
        Segment(clock.since(a), clock.since(b), rate, status)
        for a, b, rate, status in recipe["infusion"]
        if b != "none"
    ]
    if segments:
        infusion(record, enc, stay, "insulin", segments)
    for agent in dict.fromkeys(row[0] for row in recipe["sc_insulin"]):
        doses = [row for row in recipe["sc_insulin"] if row[0] == agent]
        given = [(clock.at(h), "Administered") for _, _, h, event in doses if event == "given"]
        often = "DAILY" if agent == "glargine" else "ASDIR"
        begin = max(clock.at(doses[0][2]) - timedelta(minutes=20), enc.admit)
        record.medication(enc, _AGENTS[agent], str(doses[0][1]), "UNIT", "SC", often, begin, enc.disch, given)
    fluid = stepped(clock.since(3.25), clock.since(6.5), [500.0, 250.0], STOPPED)
    infusion(record, enc, stay, "saline", fluid)
    infusion(record, enc, stay, "dextrose", stepped(clock.at(-8.0), clock.at(0.5), [150.0, 100.0], STOPPED))
