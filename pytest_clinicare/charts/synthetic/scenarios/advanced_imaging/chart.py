"""Chart of an advanced-imaging case: ICU stays, orders and reports, exactly as the recipe places them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.orders import write_imaging_orders, write_order_stream
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.reports import chart_studies, write_reports
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.timeline import examination, moment
from pytest_clinicare.suite.case import Case

BANK = "phrases/advanced-imaging-illnesses"
_ADMITTED_BEFORE = 0.7  # share of patients with an earlier admission
Window = tuple[datetime, datetime | None]


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    course = _course(recipe, rng)
    record = Record(case, rng.choice("MF"), rng.randrange(44, 82), course.admit.year)
    illness.settle_person(record)
    told = illness.Telling.of(recipe["telling"], BANK)
    _earlier_admission(record, recipe, course.admit, rng)
    enc = record.admission(
        course.admit,
        course.discharge,
        hadm_id=case.hadm_id,
        ed=course.emergency,
        kind="EW EMER.",
        admission_location="TRANSFER FROM HOSPITAL" if _outside(recipe) else None,
        chief_complaint=told.entry["complaint"],
    )
    for intime, outtime in sorted([course.audited, *course.others], key=lambda window: window[0]):
        record.icu_stay(enc, intime, outtime, stay_id=case.stay_id if intime == course.audited[0] else None)
    illness.code(record, enc, told.entry, [])
    intime = course.audited[0]
    write_imaging_orders(record, enc, recipe, intime)
    write_order_stream(record, enc, recipe, intime, course.audited[1] or course.discharge, told.entry["drugs"])
    write_reports(record, enc, recipe, intime)
    chart_studies(record, enc, recipe, intime)
    _quoted_study(record, enc, recipe, intime)
    record.background(enc, skip=("orders", "drugs", "imaging"))
    record.discharge_summary(enc, _summary(record, enc, recipe, told))
    return record.finish()


@dataclass(frozen=True)
class _Course:
    emergency: tuple[datetime, datetime]
    admit: datetime
    discharge: datetime
    audited: Window
    others: tuple[Window, ...]


def _course(recipe: dict[str, Any], rng: random.Random) -> _Course:
    intime = datetime.fromisoformat(recipe["intime"])
    outtime = None if recipe["outtime"] == "missing" else datetime.fromisoformat(recipe["outtime"])
    others: tuple[Window, ...] = tuple(
        (datetime.fromisoformat(a), datetime.fromisoformat(b)) for a, b in recipe["other_stays"]
    )
    first = min([intime, *(start for start, _ in others)])
    # A stay without any order needs a ward day before it, on which orders exist.
    ward_first = timedelta(hours=rng.randrange(34, 44)) if recipe["order_stream"] == 0 else timedelta(0)
    leaves = first - ward_first
    earliest = min([0.0, *(row[1] for row in recipe["orders"])]) if not others else 0.0
    arrival = min(leaves - timedelta(hours=rng.uniform(5, 8)), moment(intime, earliest) - timedelta(minutes=70))
    latest = [moment(intime, row[1]) for row in recipe["orders"]]
    ends = [end for _, end in (*others, (intime, outtime)) if end is not None]
    discharge = max([*latest, *ends, intime]) + timedelta(hours=rng.uniform(60, 100))
    return _Course(
        emergency=(arrival.replace(second=0, microsecond=0), leaves),
        admit=(leaves - timedelta(minutes=rng.randrange(4, 15))).replace(second=0),
        discharge=discharge.replace(hour=rng.randrange(12, 18), second=0, microsecond=0),
        audited=(intime, outtime),
        others=others,
    )


def _earlier_admission(record: Record, recipe: dict[str, Any], admit: datetime, rng: random.Random) -> None:
    """For most patients a ward admission with the same illness two months to a year before."""
    if rng.random() > _ADMITTED_BEFORE:
        return
    told = illness.Telling.of(recipe["earlier_telling"], BANK)
    start = admit - timedelta(days=rng.randrange(60, 365), minutes=rng.randrange(0, 600))
    start = start.replace(second=0)
    arrival = start - timedelta(minutes=rng.randrange(200, 420))
    end = start + timedelta(days=rng.randrange(2, 5), minutes=rng.randrange(0, 300))
    ed = (arrival, start + timedelta(minutes=20))
    enc = record.admission(start, end, ed=ed, kind="EW EMER.", chief_complaint=told.entry["complaint"])
    illness.code(record, enc, told.entry, [])
    record.background(enc)
    record.discharge_summary(enc, _sections(record, enc, told, wordings="ward_"))


def _quoted_study(record: Record, enc: Encounter, recipe: dict[str, Any], intime: datetime) -> None:
    """A procedure code for a diagnostic CT that the summary quotes: a date, no time."""
    if recipe["summary_claim"] == "none":
        return
    for title, at, origin, body in recipe["reports"]:
        if body == "CT" and origin == "in-house" and not isinstance(at, str):
            record.procedure(enc, examination(title)["code"], 9, moment(intime, at))


def _outside(recipe: dict[str, Any]) -> bool:
    return any(origin == "outside" for _, _, origin, _ in recipe["reports"])


def _summary(record: Record, enc: Encounter, recipe: dict[str, Any], told: illness.Telling) -> dict[str, str]:
    issues = [] if recipe["summary_claim"] == "none" else [f"# Imaging:\n{recipe['summary_claim']}"]
    sections = _sections(record, enc, told, issues=issues)
    for title, *_ in recipe["reports"]:
        entry = examination(title)
        if "procedure" in entry:
            sections["Major Surgical or Invasive Procedure"] = entry["procedure"]
        if "allergy" in entry:
            sections["Allergies"] = entry["allergy"]
    return sections


def _sections(record: Record, enc: Encounter, told: illness.Telling, **more: Any) -> dict[str, str]:
    home = told.entry["home"]
    return illness.sections(record, enc, told, home=home, leaving=home, **more)
