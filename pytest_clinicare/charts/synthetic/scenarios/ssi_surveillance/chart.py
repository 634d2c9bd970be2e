"""Chart of a ssi-surveillance case: an operation, what came back of it, and stays that have nothing to do with it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.course import afternoon, emergency_admission
from pytest_clinicare.charts.synthetic.cultures import Isolate, culture
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.plan import fahrenheit
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.summary import (
    index_summary,
    readmission_summary,
    unrelated_summary,
)
from pytest_clinicare.charts.synthetic.scenarios.ssi_surveillance.words import operation, reason, unrelated
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import emergency, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_GRAM_NEGATIVE = {"ampicillin": "R", "cefazolin": "R", "ceftriaxone": "S", "ciprofloxacin": "S", "gentamicin": "S"}
_PANELS = {
    "e-coli": _GRAM_NEGATIVE,
    "klebsiella": _GRAM_NEGATIVE,
    "staph-aureus": {"oxacillin": "S", "clindamycin": "S", "erythromycin": "R", "tmp-smx": "S", "gentamicin": "S"},
    "enterococcus": {"ampicillin": "S", "vancomycin": "S"},
}
_DRAWN = ("abscess", "peritoneal", "fluid", "joint")


@dataclass(frozen=True)
class _Days:
    """``at(day, hour)``: day 1 is the operation."""

    first: datetime

    def at(self, day: float, hour: float = 0.0) -> datetime:
        return self.first + timedelta(days=day - 1, minutes=round(hour * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    anchor, group, year = recipe["calendar"]
    days = _Days(datetime(year, 1, 1) + timedelta(days=rng.randrange(40, 320)))
    hours = {name: rng.uniform(*span) for name, span in (("operation", (8.5, 14)), ("arrival", (9.5, 15.5)))}
    sex, age = recipe["patient"]
    record = Record(case, sex, age - (year - anchor), anchor)
    record.anchor_year_group = group
    record.person = replace(
        record.person, allergies=rng.choice(("No Known Allergies / Adverse Drug Reactions", "codeine", "Latex"))
    )
    _clinic(record, days)
    for other in recipe["others"]:
        _other(record, recipe, days, other)
    if recipe["operation"] != "none":
        _index(record, recipe, days, hours["operation"])
    if recipe["readmission"] != "none":
        _back(record, recipe, days, hours["arrival"])
    if recipe["emergency"] != "none":
        _visit(record, recipe, days)
    return record.finish()


@apart()
def _clinic(record: Record, days: _Days) -> None:
    """Bloods before the operation."""
    for back in (record.rng.randrange(6, 30), record.rng.randrange(60, 400)):
        time = days.at(1 - back, record.rng.uniform(8, 16))
        record.panel("basic", time)
        record.panel("cbc", time)


@apart("other")
def _other(record: Record, recipe: Recipe, days: _Days, other: list[Any]) -> None:
    day, name, *_ = other
    entry = next(p for p in unrelated() if p["name"] == name)
    arrival = days.at(day, record.rng.uniform(8, 20))
    leaves = afternoon(record, arrival + timedelta(days=record.rng.randrange(2, 5)))
    enc = emergency_admission(record, entry, arrival, leaves, service=entry.get("service", "MED"))
    record.background(enc)
    record.discharge_summary(enc, unrelated_summary(record, enc, entry, recipe, other))


@apart()
def _index(record: Record, recipe: Recipe, days: _Days, hour: float) -> None:
    """The admission with the operation."""
    rng, entry = record.rng, operation(recipe["presentation"][0])
    ahead, leaving = recipe["index"]
    leaves = afternoon(record, days.at(leaving))
    _, code, version = recipe["operation"]
    service = "ORTHO" if recipe["operation"][0] in ("KPRO", "HPRO") else "SURG"
    inside = recipe["event"] != "none" and recipe["event"][1] == "index"
    codes = recipe["codes"] if inside else []
    if entry.get("emergency"):
        arrival = days.at(1 - ahead, rng.uniform(15, 19))
        enc = emergency_admission(
            record, entry, arrival, leaves, codes=codes, hadm_id=record.case.hadm_id, service=service
        )
    else:
        admit = days.at(1 - ahead, rng.uniform(5.5, 7.2))
        enc = record.admission(
            admit, leaves, hadm_id=record.case.hadm_id, kind="SURGICAL SAME DAY ADMISSION", service=service
        )
        illness.code(record, enc, entry, list(codes))
    start = days.at(1, hour)
    record.procedure(enc, code, version, start)
    _prophylaxis(record, enc, start)
    _events(record, enc, recipe, days, start)
    record.background(enc, skip=("labs", "micro"))
    record.discharge_summary(enc, index_summary(record, enc, entry, recipe, inside))


@apart()
def _back(record: Record, recipe: Recipe, days: _Days, hour: float) -> None:
    """The readmission, or the audited admission where the operation itself is not in the record."""
    day, stay, group, *_, code = recipe["readmission"]
    arrival = days.at(day, hour)
    leaves = afternoon(record, days.at(day + stay))
    entry = {**reason(group), "codes": [code]}
    service = "ORTHO" if group == "joint" else "SURG"
    alone = recipe["operation"] == "none"
    enc = emergency_admission(
        record,
        entry,
        arrival,
        leaves,
        codes=recipe["codes"],
        hadm_id=record.case.hadm_id if alone else None,
        service=service,
    )
    warm = recipe["temperature"] if recipe["event"][0] == day else 37.0
    quick = {"temperature": fahrenheit(warm), "heartrate": round(76 + 14 * max(warm - 37, 0))}
    triage(record, enc, quick)
    emergency(record, enc, [(arrival + timedelta(minutes=m), {}) for m in (35, 140)])
    _events(record, enc, recipe, days, arrival)
    record.background(enc, skip=("labs", "micro"))
    record.discharge_summary(enc, readmission_summary(record, enc, entry, recipe))


@apart()
def _visit(record: Record, recipe: Recipe, days: _Days) -> None:
    day, complaint = recipe["emergency"]
    arrival = days.at(day, record.rng.uniform(9, 16))
    leaves = arrival + timedelta(minutes=record.rng.randrange(150, 330))
    record.ed_visit(arrival, leaves, chief_complaint=complaint)
    if recipe["event"] != "none" and recipe["event"][1] == "ed":
        for specimen, _, grown in recipe["cultures"]:
            _specimen(record, None, specimen, arrival + timedelta(minutes=68), grown)


@apart("start")
def _prophylaxis(record: Record, enc: Encounter, start: datetime) -> None:
    given = [
        (start + timedelta(hours=h, minutes=record.rng.randrange(0, 15)), "Administered") for h in (-0.4, 7.6, 15.6)
    ]
    antibiotic(record, enc, "cefazolin", given[0][0], given[-1][0] + timedelta(hours=1), given)


def _events(record: Record, enc: Encounter, recipe: Recipe, days: _Days, start: datetime) -> None:
    """What the recipe places into this stay: specimens, reports, procedures, drugs and bloods."""
    inside = [day for day in range(-2, 120) if enc.start.date() <= days.at(day).date() <= enc.disch.date()]
    reports: dict[int, datetime] = {}
    for day, exam, why, findings, impression in recipe["imaging"]:
        if day in inside:
            reports[day] = _report(record, enc, _clock(days, start, day, 3.5), exam, (why, findings, impression))
    for specimen, day, grown in recipe["cultures"]:
        if day in inside:
            time = _clock(days, start, day, 1.2)
            if specimen in _DRAWN and day in reports:
                time = reports[day] + timedelta(minutes=9)
            _specimen(record, enc, specimen, time, grown)
    for day, code, version in recipe["procedures"]:
        if day in inside:
            record.procedure(enc, code, version, days.at(day))
    for agent, first, last in recipe["antibiotics"]:
        if first in inside:
            begin = _clock(days, start, first, 4.5)
            end = min(days.at(last, 20), enc.disch - timedelta(hours=2))
            times = [begin + timedelta(hours=h) for h in between(agent, 0, (end - begin) / timedelta(hours=1))]
            given = [(time.replace(second=0, microsecond=0), "Administered") for time in times]
            antibiotic(record, enc, agent, begin - timedelta(minutes=30), end + timedelta(hours=1), given)
    happened = recipe["event"] != "none" and recipe["event"][0] in inside and recipe["event"][1] != "ed"
    _labs(record, enc, days.at(recipe["event"][0], 12) if happened else None, recipe["white"])


def _clock(days: _Days, start: datetime, day: int, hours: float) -> datetime:
    """On the day of arrival or operation so many hours after it, else during the morning."""
    if days.at(day).date() == start.date():
        return (start + timedelta(hours=hours)).replace(second=0, microsecond=0)
    return days.at(day, 7.6 + hours)


@apart("time", "exam")
def _report(record: Record, enc: Encounter, time: datetime, exam: str, text: tuple[str, str, str]) -> datetime:
    time += timedelta(minutes=record.rng.randrange(0, 50))
    subtype = "CT Scan" if exam.startswith("CT") else "General Xray"
    record.order(enc, "Radiology", subtype, time - timedelta(minutes=record.rng.randrange(25, 80)))
    why, findings, impression = text
    record.radiology(
        time,
        exam,
        f"INDICATION:  {why}\n\nTECHNIQUE:  Standard protocol.\n\nCOMPARISON:  None.\n\nFINDINGS: \n\n{findings}\n\n"
        f"IMPRESSION: \n\n{impression}",
        enc,
    )
    return time


@apart("specimen", "time")
def _specimen(record: Record, enc: Encounter | None, specimen: str, time: datetime, grown: list[str]) -> None:
    time += timedelta(minutes=record.rng.randrange(0, 6))
    stored = (time + timedelta(days=3 if grown else 4, hours=record.rng.uniform(0, 9))).replace(microsecond=0)
    for number in range(2 if specimen == "blood" else 1):
        culture(
            record,
            specimen,
            time + timedelta(minutes=11 * number),
            stored,
            enc,
            [Isolate(organism, _PANELS.get(organism, {})) for organism in grown],
        )


@apart("enc")
def _labs(record: Record, enc: Encounter, event: datetime | None, peak: float) -> None:
    """On arrival and in the morning; the white count rises to the event and falls after it."""
    first = enc.start + timedelta(minutes=record.rng.randrange(25, 70))
    midnight = enc.start.replace(hour=0, minute=0, second=0, microsecond=0)
    draws = [
        first,
        *(midnight + timedelta(days=n, minutes=record.rng.randrange(300, 420)) for n in range(1, enc.days + 1)),
    ]
    for number, time in enumerate(t for t in draws if t < enc.disch - timedelta(hours=1)):
        record.panel("basic", time, enc)
        white = None
        if event is not None:
            apart_by = abs((time - event) / timedelta(days=1))
            white = round(max(peak - max(apart_by - 0.5, 0) * 1.6, 6.8) + record.rng.uniform(-0.3, 0), 1)
        record.panel("cbc", time, enc, **({} if white is None else {"wbc": white}))
        if number == 0:
            for panel in ("coag", "liver", "differential"):
                record.panel(panel, time, enc)
            record.panel("urinalysis", time + timedelta(minutes=50), enc)
