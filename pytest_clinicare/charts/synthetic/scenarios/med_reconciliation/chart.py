"""Chart of a med-reconciliation case: three medication sources around one admission, as the recipe lists them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.illness import Telling, settle_person
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation import notes
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.doses import administer
from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import Regimen, drug, stable_course
from pytest_clinicare.suite.case import Case

# What PT-014 6.2 looks at: only values that the recipe or this module states may be in the chart.
_CONTROLLED = ("creatinine", "potassium", "glucose", "platelets", "hemoglobin", "alt", "ast", "neutrophils")
# None to a drug, as that would be a reason to stop one.
_ALLERGIES = (
    "No Known Allergies / Adverse Drug Reactions",
    "Patient recorded as having No Known Allergies to Drugs",
    "latex",
    "Shellfish Derived",
    "Adhesive tape",
    "peanut",
)
_LEUKOCYTOSIS = 11.0  # K/uL
_BLOOD_UREA = 36.0  # mg/dL on arrival with digested blood in the bowel
_FIRST_YEAR, _LAST_YEAR = 2120, 2190
_ADMITTED_BEFORE = 0.7  # share of patients with an admission one to two years ago
_SEEN_BEFORE = 0.4  # share with an emergency visit about five months ago


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    first_day = datetime(rng.randrange(_FIRST_YEAR, _LAST_YEAR), 1, 1) + timedelta(days=rng.randrange(365))
    record = _patient(case, first_day.year, rng)
    settle_person(record)
    record.person = replace(record.person, allergies=rng.choice(_ALLERGIES))
    record.control(*_CONTROLLED)
    _earlier_care(record, recipe, first_day, rng)
    _write_admission(record, recipe, _timing(recipe, first_day, rng), rng, case.hadm_id)
    return record.finish()


def _patient(case: Case, year: int, rng: random.Random) -> Record:
    home = {row[0] for row in case.recipe["home_meds"]}
    gender = "M" if "tamsulosin" in home else rng.choice("MF")
    return Record(case, gender, rng.randrange(58, 84), year)


def _write_admission(
    record: Record, recipe: dict[str, Any], timing: _Timing, rng: random.Random, hadm_id: int | None
) -> None:
    """An admission with its ED visit, home list, daily labs, doses and summary."""
    telling = Telling.of(recipe["telling"], notes.BANK)
    entry = telling.entry
    enc = record.admission(
        timing.admit,
        timing.discharge,
        hadm_id=hadm_id,
        ed=timing.emergency,
        ed_linked=recipe["ed_link"] == "hadm",
        kind="ELECTIVE" if recipe["ed_link"] == "none" else "EW EMER.",
        discharge_location="HOME",
        service="SURG" if recipe["ed_link"] == "none" else "MED",
        chief_complaint=entry["triage"] or None,
    )
    if enc.ed_stay_id is not None and timing.emergency is not None:
        home_list(record, enc.ed_stay_id, recipe["medrecon_rows"], timing.emergency[0] + timedelta(minutes=25))
    for code in (*entry["codes"], *notes.chronic_codes(recipe)):
        record.diagnosis(enc, code)
    if "procedure_code" in entry:
        record.procedure(enc, entry["procedure_code"], 10, enc.admit + timedelta(days=1))
    _labs(record, enc, recipe, timing, rng, entry["wbc"])
    _chest_film(record, enc, entry)
    administer(record, enc, recipe, entry.get("early", []), rng)
    record.background(enc, skip=("drugs", "imaging", "labs"))
    if recipe["note_state"] != "absent":
        record.discharge_summary(enc, notes.sections(record, enc, recipe, telling))


@dataclass(frozen=True)
class _Timing:
    emergency: tuple[datetime, datetime] | None
    admit: datetime
    discharge: datetime


def _timing(recipe: dict[str, Any], first_day: datetime, rng: random.Random) -> _Timing:
    """The stay lasts as many days as the recipe has daily creatinine values after the first."""
    stay = timedelta(days=int(recipe["creatinine"][-1][0]))
    discharge = first_day + stay + timedelta(hours=14, minutes=rng.randrange(0, 110))
    if recipe["ed_link"] == "none":
        return _Timing(None, first_day + timedelta(hours=7, minutes=rng.randrange(60)), discharge)
    arrival = first_day + timedelta(hours=rng.randrange(9, 13), minutes=rng.randrange(60))
    leaves = arrival + timedelta(minutes=rng.randrange(300, 480))
    return _Timing((arrival, leaves), leaves - timedelta(minutes=rng.randrange(30, 90)), discharge)


def _earlier_care(record: Record, recipe: dict[str, Any], first_day: datetime, rng: random.Random) -> None:
    """The clinic visit that gives the baseline; mostly an admission more than a year ago; an older emergency visit."""
    day, baseline = recipe["creatinine"][0]
    visit = first_day + timedelta(days=day, hours=rng.randrange(9, 16), minutes=rng.randrange(60))
    _draw(record, None, visit, baseline, rng)
    record.outpatient(visit, "Weight (Lbs)", f"{record.weight_kg * 2.205:.0f}")
    record.outpatient(visit, "Blood Pressure", f"{rng.randrange(118, 136)}/{rng.randrange(64, 82)}")
    past = _past_recipe(recipe, rng)
    if rng.random() < _ADMITTED_BEFORE:
        then = first_day - timedelta(days=rng.randrange(400, 800))
        _write_admission(record, past, _timing(past, then, rng), rng, None)
    if recipe["ed_link"] == "none" or rng.random() < _SEEN_BEFORE:
        arrival = first_day - timedelta(days=rng.randrange(145, 160)) + timedelta(minutes=rng.randrange(500, 1200))
        stay = record.ed_visit(arrival, arrival + timedelta(minutes=rng.randrange(150, 300)))
        home_list(record, stay, past["medrecon_rows"], arrival + timedelta(minutes=20))


def _past_recipe(recipe: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """An uneventful admission of the past: what is on the home list today was taken then, and continued."""
    listed = {row[0] for row in recipe["medrecon_rows"]}
    regimen = Regimen(rng)
    for key, dose, *_ in recipe["home_meds"]:
        if key in listed or not listed:
            regimen.carry(key, dose)
    regimen.shuffle()
    return {
        "telling": recipe["earlier_telling"],
        "ed_link": "hadm",
        "medrecon_rows": regimen.rows,
        "home_meds": regimen.home,
        "final_24h": regimen.given,
        "discharge_list": regimen.leaving,
        "statements": [],
        "creatinine": stable_course(rng, recipe["creatinine"][0][1], recipe["creatinine"][0][1], rng.randrange(2, 5)),
        "vitals_last": [rng.randrange(64, 86), rng.randrange(116, 138)],
        "events": "none",
        "note_state": "complete",
    }


def _chest_film(record: Record, enc: Encounter, entry: dict[str, Any]) -> None:
    """A radiograph in the emergency department where the illness calls for one."""
    if "film" not in entry:
        return
    time = enc.start + timedelta(minutes=record.rng.randrange(50, 110))
    findings, impression = entry["film"]
    person = "man" if record.gender == "M" else "woman"
    record.order(enc, "Radiology", "General Xray", time - timedelta(minutes=record.rng.randrange(12, 40)))
    text = (
        f"INDICATION:  ___ year old {person} with {entry['complaint'].lower()}\n\nTECHNIQUE:  Chest PA and lateral.\n\n"
        f"COMPARISON:  ___.\n\nFINDINGS:\n\n{findings}\n\nIMPRESSION:\n\n{impression}"
    )
    record.radiology(time, "CHEST (PA AND LAT)", text, enc)


def home_list(record: Record, ed_stay: int, rows: list[list[Any]], time: datetime) -> None:
    """Rows of the ED's home list: a drug is repeated once for each of its therapeutic classes."""
    rng = record.rng
    for key, count in rows:
        entry = drug(key)
        name = f"{entry['home']} [{entry['brand']}]" if rng.random() < 0.2 else entry["home"]
        code = random.Random(f"gsn/{entry['home']}")  # a product has the same codes at every visit
        gsn, ndc = f"{code.randrange(1000, 76000):06d}", str(code.randrange(10**10, 10**11))
        for number, group in enumerate(entry["groups"][:count], 1):
            record.add(
                "medrecon",
                stay_id=ed_stay,
                charttime=stamp(time),
                name=name,
                gsn=gsn,
                ndc=ndc,
                etc_rn=number,
                etccode=f"{random.Random(group).randrange(200, 6200):08d}",
                etcdescription=group,
            )


def _labs(
    record: Record,
    enc: Encounter,
    recipe: dict[str, Any],
    timing: _Timing,
    rng: random.Random,
    wbc: list[list[float]],
) -> None:
    """One draw a day: on arrival, with clotting, liver and differential, then with the morning round.

    ``wbc`` holds the illness's range of leukocytes on arrival and at the end.
    """
    stay = max(day for day, _ in recipe["creatinine"])
    bleeding = recipe["events"] == "bleeding"
    midnight = timing.admit.replace(hour=0, minute=0)
    for day, value in recipe["creatinine"][1:]:
        morning = midnight + timedelta(days=day, hours=6, minutes=rng.randrange(5, 50))
        # In the emergency department, or before the operation of who came for one.
        wait = -rng.randrange(60, 150) if timing.emergency else rng.randrange(15, 45)
        time = timing.admit + timedelta(minutes=wait) if day == 0 else morning
        count = sum(rng.uniform(*span) * share for span, share in zip(wbc, (1 - day / stay, day / stay), strict=True))
        _draw(
            record,
            enc,
            time,
            value,
            rng,
            wbc=count,
            bleeding=bleeding,
            urea=_BLOOD_UREA if bleeding and day == 0 else None,
        )
        if day == 0:
            record.panel("coag", time, enc)
            record.panel("liver", time, enc, alt=rng.randrange(14, 36), ast=rng.randrange(16, 36))
            neutrophils = rng.randrange(78, 88) if wbc[0][0] > _LEUKOCYTOSIS else rng.randrange(58, 74)
            record.panel("differential", time, enc, neutrophils=neutrophils)


def _draw(
    record: Record,
    enc: Encounter | None,
    time: datetime,
    creatinine: float,
    rng: random.Random,
    *,
    wbc: float = 7.0,
    bleeding: bool = False,
    urea: float | None = None,
) -> None:
    hemoglobin = rng.uniform(8.9, 9.6) if bleeding else rng.uniform(12.2, 13.8)
    chemistry: dict[str, float] = {
        "creatinine": creatinine,
        "potassium": round(rng.uniform(4.0, 4.6), 1),
        "glucose": rng.randrange(92, 138),
    }
    if urea is not None:
        chemistry["urea"] = urea
    record.panel("basic", time, enc, **chemistry)
    counts = {"platelets": rng.randrange(192, 258), "hemoglobin": round(hemoglobin, 1), "wbc": round(wbc, 1)}
    record.panel("cbc", time, enc, **counts)
