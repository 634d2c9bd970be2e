"""Chart of an abx-deescalation case: an infection, its cultures, and every dose that the recipe lists."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between, listed
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.cultures import Isolate, blood_cultures, culture, stain
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.abx_deescalation.panels import panel
from pytest_clinicare.charts.synthetic.scenarios.abx_deescalation.summary import summary
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
PHRASES = "phrases/abx-deescalation"
_FLORA = "MIXED BACTERIAL FLORA ( >= 3 COLONY TYPES), CONSISTENT WITH SKIN AND/OR GENITAL CONTAMINATION.  "
# What chemotherapy leaves (low, high, decimals): every count of the stay is low, as are platelets.
_LOW = {51301: (0.2, 0.9, 1), 51265: (9, 38, 0), 51256: (5, 35, 1)}


@dataclass(frozen=True)
class _Clock:
    """``final`` is T_final."""

    arrival: datetime
    collected: datetime
    final: datetime
    exit: datetime

    def at(self, hours: float) -> datetime:
        return self.final + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    clock = _clock(recipe, rng)
    sex, age = recipe["patient"]
    record = Record(case, sex, age, clock.arrival.year)
    # Whoever gets a penicillin or a sulfonamide is not allergic to it.
    record.person = replace(
        record.person, allergies=rng.choice(("No Known Allergies / Adverse Drug Reactions", "codeine"))
    )
    _earlier_care(record, recipe, clock)
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["presentation"][0])
    died = recipe["exit"][1] == "death"
    icu = None
    if recipe["icu"] != "none":
        icu = (clock.arrival + timedelta(hours=recipe["icu"][0]), clock.arrival + timedelta(hours=recipe["icu"][1]))
    enc = emergency_admission(
        record,
        entry,
        clock.arrival,
        clock.exit,
        codes=["Z1612"] if _esbl(recipe) else [],
        icu=icu,
        hadm_id=case.hadm_id,
        died=died,
        service=entry.get("service", "MED"),
    )
    _cultures(record, enc, recipe, clock)
    _antibiotics(record, enc, recipe, clock)
    given = recipe["administered"] == "yes"
    record.background(enc, skip=("micro",) if given else ("micro", "drugs"))
    if not given:
        _ordered_only(record, enc)
    count, when = recipe["anc"]
    if clock.at(when) < enc.disch:
        record.lab("anc", clock.at(when), count, enc)
    if count < 0.5:
        _low_counts(record, enc)
    record.discharge_summary(enc, summary(record, enc, entry, recipe, [listed(a) for a in recipe["exit"][2]]))
    return record.finish()


def _clock(recipe: Recipe, rng: random.Random) -> _Clock:
    """Patients leave between noon and six; all else follows from the hours of the recipe."""
    hours, kind, _ = recipe["exit"]
    leaves = datetime(rng.randrange(2125, 2190), 1, 1) + timedelta(days=rng.randrange(60, 360))
    leaves += timedelta(minutes=rng.randrange(12 * 60, 18 * 60) if kind == "discharge" else rng.randrange(24 * 60))
    final = leaves - timedelta(hours=hours)
    collected = final - timedelta(hours=recipe["result_times"][2])
    return _Clock(collected - timedelta(hours=recipe["isolate"][3]), collected, final, leaves)


def _earlier_care(record: Record, recipe: Recipe, clock: _Clock) -> None:
    """Clinic bloods of the past year, and an emergency visit with a urine culture where the recipe says so."""
    rng = record.rng
    for _ in range(rng.randrange(1, 4)):
        time = clock.arrival - timedelta(days=rng.randrange(30, 400), minutes=rng.randrange(600))
        record.panel("basic", time)
        record.panel("cbc", time)
        record.outpatient(time, "Weight (Lbs)", f"{record.weight_kg * 2.205 + rng.gauss(0, 2):.0f}")
    if recipe["earlier_culture"] == "none":
        return
    days, organism = recipe["earlier_culture"]
    visit = clock.arrival - timedelta(days=days, minutes=rng.randrange(600))
    record.ed_visit(visit, visit + timedelta(minutes=rng.randrange(150, 400)))
    grown = Isolate(organism, dict(panel(organism, rng.choice(((), ("tmp-smx",), ("ciprofloxacin", "ampicillin"))))))
    time = visit + timedelta(minutes=rng.randrange(20, 90))
    culture(record, "urine", time, time + timedelta(hours=rng.randrange(42, 60)), None, [grown])


def _esbl(recipe: Recipe) -> bool:
    return dict(recipe["panel"]).get("ceftriaxone") == "R"


def _cultures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    rng = record.rng
    organism, specimen, sets, _ = recipe["isolate"]
    stained, known, _ = recipe["result_times"]
    few = "10,000-50,000 CFU/mL.  " if specimen == "urine" else None
    isolate = Isolate(organism, dict(recipe["panel"]), comment=few)
    name = bank("distributions/microbiology")["organisms"][organism][1]
    if specimen == "blood":
        positive, drawn = (int(n) for n in sets.split(" of "))
        # The first set's panel is the index panel; the further ones come with or after it and refer to it.
        growth = [
            [isolate],
            *([Isolate(organism, comment="SENSITIVITIES PERFORMED ON PREVIOUS CULTURE.  ")],) * (positive - 1),
        ]
        ids = blood_cultures(record, enc, clock.collected, drawn, growth, [clock.final] * positive)
    else:
        ids = [culture(record, specimen, clock.collected, clock.final, enc, [isolate])]
        if rng.random() < 0.8:
            blood_cultures(record, enc, clock.collected + timedelta(minutes=25), 2)
    text = "GRAM POSITIVE COCCI IN CLUSTERS.  " if organism in ("staph-aureus", "cons") else "GRAM NEGATIVE ROD(S).  "
    if specimen == "blood":
        stain(
            record,
            ids[0],
            rng.choice(("aerobic-gram", "anaerobic-gram")),
            clock.collected + timedelta(hours=stained),
            text,
        )
    stain(record, ids[0], None, clock.collected + timedelta(hours=known), f"{name}.  PRESUMPTIVE IDENTIFICATION.  ")
    for kind, found, hours, stored in recipe["other_cultures"]:
        time = clock.collected + timedelta(hours=hours)
        result = max(clock.at(stored), time + timedelta(hours=20))
        readings = dict(recipe["panel"]) if found == organism else {}
        culture(record, kind, time, result, enc, [] if found == "none" else [Isolate(found, readings)])
    if specimen == "blood" and recipe["exit"][0] > 60:
        time = clock.at(-rng.uniform(2, 14)).replace(microsecond=0)
        blood_cultures(record, enc, time, 1)
    if organism not in ("staph-aureus", "cons") and specimen == "blood" and not _has(recipe, "urine"):
        time = clock.collected + timedelta(minutes=35)
        culture(record, "urine", time, clock.collected + timedelta(hours=30), enc, comment=_FLORA)


def _has(recipe: Recipe, specimen: str) -> bool:
    return any(row[0] == specimen for row in recipe["other_cultures"])


def _antibiotics(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The first and last dose of a course at their minute, those between within 25 minutes of theirs."""
    for agent, start, stop, _ in recipe["orders"]:
        given: list[tuple[datetime, str]] = []
        for drug, first, last, event in recipe["doses"]:
            hours = between(agent, first, last) if drug == agent else []
            for at in hours:
                shift = 0 if at in (first, last) else record.rng.randrange(-25, 26)
                given.append((clock.at(at) + timedelta(minutes=shift), event))
        given = [(time, event) for time, event in sorted(given) if time < enc.disch]
        antibiotic(record, enc, agent, clock.at(start), min(clock.at(stop), enc.disch), given)


def _ordered_only(record: Record, enc: Encounter) -> None:
    """Routine orders of a ward whose administrations are not in the record."""
    for drug, dose, unit, route, frequency, _, share in bank("distributions/routine")["drugs"]:
        if record.rng.random() <= share:
            start = enc.admit + timedelta(minutes=record.rng.randrange(40, 300))
            record.medication(enc, drug, dose, unit, route, frequency, start, enc.disch)


def _low_counts(record: Record, enc: Encounter) -> None:
    for row in record.rows["labevents"]:
        if row["hadm_id"] == enc.hadm_id and row["itemid"] in _LOW:
            low, high, decimals = _LOW[row["itemid"]]
            value = round(record.rng.uniform(low, high), decimals)
            row |= {"value": f"{value:.{decimals}f}", "valuenum": float(value), "flag": "abnormal"}
