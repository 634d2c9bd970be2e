"""Chart of a cdi-treatment case: a stay during which stool was tested, and what was given for it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import afternoon, emergency_admission
from pytest_clinicare.charts.synthetic.cultures import Isolate, culture
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.bedside import keep_pressures, pressor, radiograph
from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.hand import PHRASES
from pytest_clinicare.charts.synthetic.scenarios.cdi_treatment.summary import summary
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
HOURS = {"Q6H": 6, "Q8H": 8, "Q12H": 12, "BID": 12, "DAILY": 24}
_POSITIVE = {"pcr": "c-difficile", "toxin": "positive"}
# Drugs that move the bowel are not given to patients whose stool is studied.
_AVOID = ["Docusate Sodium", "Senna"]


@dataclass(frozen=True)
class _Clock:
    arrival: datetime
    collected: datetime
    result: datetime
    leaves: datetime

    def at(self, hours: float) -> datetime:
        """Hours from collection."""
        return self.collected + timedelta(minutes=round(hours * 60))

    def after(self, hours: float) -> datetime:
        """Hours from the result."""
        return self.result + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    clock = _clock(recipe, rng)
    anchor, group, year = recipe["calendar"]
    sex, age = recipe["patient"]
    record = Record(case, sex, age - (year - anchor), anchor)
    record.anchor_year_group = group
    record.person = replace(
        record.person, allergies=rng.choice(("No Known Allergies / Adverse Drug Reactions", "codeine"))
    )
    _earlier(record, recipe, clock)
    entry = _entry(recipe["presentation"][0])
    icu = None
    if recipe["icu"] != "none":
        icu = (clock.arrival + timedelta(hours=recipe["icu"][0]), clock.arrival + timedelta(hours=recipe["icu"][1]))
    enc = emergency_admission(
        record,
        entry,
        clock.arrival,
        clock.leaves,
        codes=recipe["codes"],
        icu=icu,
        hadm_id=case.hadm_id,
        service=entry.get("service", "MED"),
    )
    _assays(record, enc, recipe, clock)
    _drugs(record, enc, recipe, clock)
    _labs(record, enc, recipe, clock)
    given = recipe["administered"] == "yes"
    record.background(enc, skip=("labs",) if given else ("labs", "drugs"))
    if not given:
        _ordered_only(record, enc)
    if recipe["imaging"] != "none":
        radiograph(record, enc, clock.at(recipe["imaging"][0]), recipe["imaging"][1])
    if recipe["vasopressor"] != "none":
        pressor(record, enc, *(clock.at(h) for h in recipe["vasopressor"]))
    keep_pressures(record, enc, clock.collected, [(clock.at(h), value) for h, value in recipe["pressures"]])
    record.discharge_summary(enc, summary(record, enc, entry, recipe))
    return record.finish()


def _entry(name: str) -> dict[str, Any]:
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == name)
    return {**entry, "avoid": _AVOID}


def _clock(recipe: Recipe, rng: random.Random) -> _Clock:
    """In the admission year of the recipe; the last blood is a morning's, between five and seven."""
    leaves = datetime(recipe["calendar"][2], 1, 1) + timedelta(days=rng.randrange(30, 350))
    since_blood = recipe["result"] + recipe["exit"][0] - recipe["labs"][-1][0]
    leaves += timedelta(minutes=rng.randrange(5 * 60 + 10, 6 * 60 + 50) + round(60 * since_blood))
    result = leaves - timedelta(hours=recipe["exit"][0])
    collected = result - timedelta(hours=recipe["result"])
    return _Clock(collected - timedelta(hours=recipe["collected"]), collected, result, leaves)


def _earlier(record: Record, recipe: Recipe, clock: _Clock) -> None:
    """Clinic bloods, and an earlier admission, with its own C. difficile episode where the recipe says so."""
    rng = record.rng
    for _ in range(rng.randrange(1, 4)):
        time = clock.arrival - timedelta(days=rng.randrange(30, 400), minutes=rng.randrange(600))
        record.panel("basic", time)
        record.panel("cbc", time)
    if recipe["earlier_stay"] == "none":
        return
    days, *presentation = recipe["earlier_stay"]
    entry = _entry(presentation[0])
    arrival = clock.arrival - timedelta(days=days, minutes=rng.randrange(300))
    stool = arrival + timedelta(hours=rng.randrange(20, 50))
    if recipe["prior_episode"] != "none":
        stool = clock.collected - timedelta(days=recipe["prior_episode"][0], minutes=rng.randrange(1, 200))
        arrival = stool - timedelta(hours=rng.randrange(20, 50))
    leaves = afternoon(record, stool + timedelta(days=rng.randrange(3, 6)))
    enc = emergency_admission(record, entry, arrival, leaves, service=entry.get("service", "MED"))
    told: list[str] = []
    found = recipe["prior_episode"] != "none"
    positive = [Isolate("positive")] if found else []
    culture(record, "cdiff-toxin", stool, stool + timedelta(hours=rng.randrange(4, 16)), enc, positive)
    if found:
        agent = recipe["prior_episode"][1]
        start = stool + timedelta(hours=rng.randrange(6, 14))
        hours = between("vancomycin-oral", 0, (leaves - start) / timedelta(hours=1) - 2)
        given = [(start + timedelta(hours=h, minutes=rng.randrange(0, 20)), "Administered") for h in hours]
        antibiotic(record, enc, "vancomycin-oral", start - timedelta(minutes=40), leaves, given)
        text: str = rng.choice(bank(PHRASES)["earlier"]["texts"])
        told = [text.format(agent=agent)]
        told = [told[0][0].upper() + told[0][1:]]
    record.background(enc)
    past = {"presentation": presentation, "summary": told, "past": "none", "exit": [0, []], "doses": []}
    issues = rng.sample(range(len(bank(PHRASES)["other_issues"]["texts"])), 2)
    record.discharge_summary(enc, summary(record, enc, entry, {**past, "other_issues": issues}))


def _assays(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for hours, kind, result, delay in recipe["assays"]:
        time = clock.at(hours)
        grown = [Isolate(_POSITIVE[kind])] if result == "positive" else []
        culture(record, f"cdiff-{kind}", time, time + timedelta(minutes=round(60 * delay)), enc, grown)


def _drugs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The first and last dose of a course at their minute, those between within 20 minutes of theirs."""
    rng = record.rng
    for agent, amount, often, start, stop in recipe["orders"]:
        given: list[tuple[datetime, str]] = []
        for drug, dose, frequency, first, last, event in recipe["doses"]:
            if (drug, dose, frequency) != (agent, amount, often):
                continue
            for at in between(agent, first, last, HOURS[frequency]):
                shift = 0 if at in (first, last) else rng.randrange(-20, 21)
                given.append((clock.after(at) + timedelta(minutes=shift), event))
        given = [(time, event) for time, event in sorted(given) if max(enc.start, enc.admit) < time < enc.disch]
        begin = max(clock.after(start), enc.admit)
        value, unit = amount.split()
        antibiotic(
            record, enc, agent, begin, min(clock.after(stop), enc.disch), given, dose=(value, unit), frequency=often
        )
    if recipe["laxative"] != "none":
        name, before = recipe["laxative"]
        first = clock.at(-before)
        given = [
            (time + timedelta(minutes=rng.randrange(0, 20)), "Administered")
            for n in range(40)
            if first <= (time := first + timedelta(hours=5 * n)) < enc.disch - timedelta(hours=2)
        ]
        given[0] = (first, "Administered")
        order = ("30", "mL", "PO/NG", "Q4H")
        record.medication(
            enc, name.capitalize(), *order, max(first - timedelta(minutes=30), enc.admit), enc.disch, given
        )


def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for number, (hours, cells, creatinine) in enumerate(recipe["labs"]):
        time = clock.at(hours)
        if not enc.start < time < enc.disch:
            continue
        record.panel("basic", time, enc, creatinine=creatinine)
        record.panel("cbc", time, enc, wbc=cells)
        if number == 0:
            for panel in ("coag", "liver", "differential"):
                record.panel(panel, time, enc)
            record.panel("urinalysis", time + timedelta(minutes=50), enc)
    for stay in enc.icu:
        time = stay.intime + timedelta(minutes=40)
        while time < (stay.outtime or enc.disch):
            record.panel("gas", time, enc)
            time += timedelta(hours=14, minutes=record.rng.randrange(0, 200))


def _ordered_only(record: Record, enc: Encounter) -> None:
    """Routine orders of a ward whose administrations are not in the record."""
    for drug, dose, unit, route, frequency, _, share in bank("distributions/routine")["drugs"]:
        if record.rng.random() <= share and drug not in _AVOID:
            start = enc.admit + timedelta(minutes=record.rng.randrange(40, 300))
            record.medication(enc, drug, dose, unit, route, frequency, start, enc.disch)
