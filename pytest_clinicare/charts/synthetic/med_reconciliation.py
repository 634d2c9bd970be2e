"""Chart of a med-reconciliation case: three medication sources around one admission, as the recipe lists them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import med_rec_notes
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.med_rec_doses import administer
from pytest_clinicare.charts.synthetic.med_rec_regimen import drug
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.suite.case import Case

# What PT-014 6.2 looks at: only values that the recipe or this module states may be in the chart.
_CONTROLLED = ("creatinine", "potassium", "glucose", "platelets", "hemoglobin", "alt", "ast", "neutrophils")
_FIRST_YEAR, _LAST_YEAR = 2120, 2190


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    timing = _timing(recipe, rng)
    record = _patient(case, timing, rng)
    record.control(*_CONTROLLED)
    _earlier_care(record, recipe, timing, rng)
    entry = med_rec_notes.illness(recipe, rng)
    enc = record.admission(
        timing.admit,
        timing.discharge,
        hadm_id=case.hadm_id,
        ed=timing.emergency,
        ed_linked=recipe["ed_link"] == "hadm",
        kind="ELECTIVE" if recipe["ed_link"] == "none" else "EW EMER.",
        discharge_location="HOME",
        chief_complaint=entry["triage"] or None,
    )
    if enc.ed_stay_id is not None and timing.emergency is not None:
        home_list(record, enc.ed_stay_id, recipe["medrecon_rows"], timing.emergency[0] + timedelta(minutes=25))
    for code in entry["codes"]:
        record.diagnosis(enc, code)
    _labs(record, enc, recipe, timing, rng)
    administer(record, enc, recipe, rng)
    record.background(enc, skip=("drugs", "imaging", "labs", "micro"))
    if recipe["note_state"] != "absent":
        text = med_rec_notes.sections(recipe, entry, rng, record.gender, record.weight_kg)
        record.discharge_summary(enc, text)
    return record.finish()


@dataclass(frozen=True)
class _Timing:
    emergency: tuple[datetime, datetime] | None
    admit: datetime
    discharge: datetime


def _timing(recipe: dict[str, Any], rng: random.Random) -> _Timing:
    """The stay lasts as many days as the recipe has daily creatinine values after the first."""
    first = datetime(rng.randrange(_FIRST_YEAR, _LAST_YEAR), 1, 1) + timedelta(days=rng.randrange(365))
    stay = timedelta(days=int(recipe["creatinine"][-1][0]))
    discharge = first + stay + timedelta(hours=14, minutes=rng.randrange(0, 110))
    if recipe["ed_link"] == "none":
        return _Timing(None, first + timedelta(hours=7, minutes=rng.randrange(60)), discharge)
    arrival = first + timedelta(hours=rng.randrange(9, 13), minutes=rng.randrange(60))
    leaves = arrival + timedelta(minutes=rng.randrange(300, 480))
    return _Timing((arrival, leaves), leaves - timedelta(minutes=rng.randrange(30, 90)), discharge)


def _patient(case: Case, timing: _Timing, rng: random.Random) -> Record:
    home = {row[0] for row in case.recipe["home_meds"]}
    gender = "M" if "tamsulosin" in home else rng.choice("MF")
    return Record(case, gender, rng.randrange(58, 84), timing.admit.year)


def _earlier_care(record: Record, recipe: dict[str, Any], timing: _Timing, rng: random.Random) -> None:
    """Clinic values of the year before (the baseline), and an older emergency visit where the admission has none."""
    day, baseline = recipe["creatinine"][0]
    _draw(record, None, timing.admit + timedelta(days=day), baseline, rng)
    record.outpatient(timing.admit + timedelta(days=day), "Weight (Lbs)", f"{record.weight_kg * 2.205:.0f}")
    record.outpatient(
        timing.admit + timedelta(days=day), "Blood Pressure", f"{rng.randrange(118, 136)}/{rng.randrange(64, 82)}"
    )
    if recipe["ed_link"] == "none" or rng.random() < 0.4:
        arrival = timing.admit - timedelta(days=rng.randrange(145, 160), hours=rng.randrange(1, 9))
        stay = record.ed_visit(
            arrival, arrival + timedelta(minutes=rng.randrange(150, 300)), chief_complaint="Back pain"
        )
        known = [row for row in recipe["home_meds"] if row[4] == "taking"]
        home_list(record, stay, [[row[0], 1] for row in known[:-1]], arrival + timedelta(minutes=20))


def home_list(record: Record, ed_stay: int, rows: list[list[Any]], time: datetime) -> None:
    """Rows of the ED's home list: a drug is repeated once for each of its therapeutic classes."""
    rng = record.rng
    for key, count in rows:
        entry = drug(key)
        name = f"{entry['home']} [{entry['brand']}]" if rng.random() < 0.2 else entry["home"]
        gsn, ndc = f"{rng.randrange(1000, 76000):06d}", str(rng.randrange(10**10, 10**11))
        for number in range(count):
            record.add(
                "medrecon",
                stay_id=ed_stay,
                charttime=stamp(time),
                name=name,
                gsn=gsn,
                ndc=ndc,
                etc_rn=number + 1,
                etccode=f"{rng.randrange(200, 6200):08d}",
                etcdescription=entry["groups"][number % len(entry["groups"])],
            )


def _labs(record: Record, enc: Encounter, recipe: dict[str, Any], timing: _Timing, rng: random.Random) -> None:
    """One draw a day: on arrival, then with the morning round."""
    midnight = timing.admit.replace(hour=0, minute=0)
    for day, value in recipe["creatinine"][1:]:
        morning = midnight + timedelta(days=day, hours=6, minutes=rng.randrange(5, 50))
        time = timing.admit - timedelta(minutes=rng.randrange(60, 150)) if day == 0 else morning
        _draw(record, enc, time, value, rng, bleeding=recipe["events"] == "bleeding")


def _draw(
    record: Record,
    enc: Encounter | None,
    time: datetime,
    creatinine: float,
    rng: random.Random,
    *,
    bleeding: bool = False,
) -> None:
    hemoglobin = rng.uniform(8.9, 9.6) if bleeding else rng.uniform(12.2, 13.8)
    record.panel(
        "basic",
        time,
        enc,
        creatinine=creatinine,
        potassium=round(rng.uniform(4.0, 4.6), 1),
        glucose=rng.randrange(92, 138),
    )
    record.panel("cbc", time, enc, platelets=rng.randrange(192, 258), hemoglobin=round(hemoglobin, 1))
