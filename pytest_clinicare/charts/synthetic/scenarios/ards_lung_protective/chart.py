"""Chart of an ards-lung-protective case: an ICU stay on the ventilator, its gases, films and settings."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import emergency_admission
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.gases import UNDRAWN, gas
from pytest_clinicare.charts.synthetic.illness import BANK, letter
from pytest_clinicare.charts.synthetic.infusions import infusion, stepped
from pytest_clinicare.charts.synthetic.notes import drug_list
from pytest_clinicare.charts.synthetic.pronouns import pronouns
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.ards_lung_protective.hand import PHRASES
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.ventilation import Setting, settings, ventilated
from pytest_clinicare.charts.synthetic.wording import plain_sections
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_HEIGHT_CM, _HEIGHT_INCH = 226730, 226707
_EXAMINED = ("heent", "cardiac", "lungs", "abdomen", "extremities", "neuro")
_HEADINGS = ("# Respiratory failure:", "# Hypoxemia:", "# Ventilation:", "# Lungs:")


class _Clock:
    """``at`` gives the time of an hour counted from T0."""

    def __init__(self, rng: random.Random) -> None:
        self.zero = datetime(rng.randint(2130, 2185), 1, 1) + timedelta(
            days=rng.randrange(20, 340), minutes=rng.randrange(24 * 60)
        )

    def at(self, hours: float) -> datetime:
        return self.zero + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    rng = random.Random(f"chart/{case.seed}")
    recipe = case.recipe
    clock = _Clock(rng)
    sex, age, weight = recipe["patient"]
    record = Record(case, sex, age - 1, clock.zero.year - 1)
    record.weight_kg = weight
    record.person = replace(record.person, allergies="No Known Allergies / Adverse Drug Reactions")
    record.control(*UNDRAWN)
    entry = next(p for p in bank(PHRASES)["presentations"] if p["name"] == recipe["presentation"][0])
    enc = emergency_admission(
        record,
        entry,
        clock.at(recipe["arrival"]),
        clock.at(recipe["exit"]),
        codes=["J9601", *recipe["codes"]],
        icu=(clock.at(recipe["icu"][0]), clock.at(recipe["icu"][1])),
        in_ed=(90, 170),
        hadm_id=case.hadm_id,
        stay_id=case.stay_id,
    )
    _clinic(record, clock)
    record.background(enc, skip=("imaging",))
    _heights(record, enc, recipe, clock)
    _breathing(record, enc, recipe, clock)
    _films(record, enc, recipe, clock)
    _treatment(record, enc, clock, recipe)
    record.discharge_summary(enc, _summary(record, enc, entry, recipe))
    return record.finish()


@apart()
def _clinic(record: Record, clock: _Clock) -> None:
    """Weights from visits of the years before."""
    for number in range(3):
        when = clock.zero - timedelta(days=200 * (number + 1) + record.rng.randrange(90))
        pounds = record.weight_kg * 2.2046 + record.rng.uniform(-4, 4)
        record.outpatient(when, "Weight (Lbs)", f"{pounds:.1f}")
        record.outpatient(when, "Blood Pressure", f"{record.rng.randrange(112, 146)}/{record.rng.randrange(62, 88)}")


def _heights(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Only the heights of the recipe."""
    rows = record.rows["chartevents"]
    rows[:] = [row for row in rows if row["itemid"] != _HEIGHT_CM]
    for source, value, _, item, hour in recipe["heights"]:
        if source == "icu":
            itemid, unit = (_HEIGHT_CM, "cm") if item == "cm" else (_HEIGHT_INCH, "Inch")
            record.flowsheet(enc.icu[0], enc, itemid, clock.at(hour), float(value), unit)
        elif source == "outpatient":
            record.outpatient(clock.at(hour), "Height (Inches)", f"{value:g}")


def _breathing(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    start, end = (clock.at(hour) for hour in recipe["vent"])
    stay = enc.icu[0]
    ventilated(record, enc, stay, start, end)
    rows = [
        Setting(clock.at(hour), mode, *(float(v) if v else None for v in (volume, seen, peep, plateau, oxygen)))
        for hour, mode, volume, seen, peep, plateau, oxygen in recipe["settings"]
    ]
    rows += _weaning(record, recipe, clock)
    settings(record, enc, stay, [replace(row, peak=_peak(record, row.time, row)) for row in rows])
    for hour, po2, oxygen, specimen in recipe["gases"]:
        gas(record, enc, clock.at(hour), po2, specimen, oxygen or None)


@apart("time")
def _peak(record: Record, time: datetime, row: Setting) -> float | None:
    if row.volume_set is None:
        return None
    return (row.plateau or 23.0) + record.rng.randrange(3, 8)


@apart()
def _weaning(record: Record, recipe: Recipe, clock: _Clock) -> list[Setting]:
    """After the first day: the last controlled settings for a while, then pressure support until extubation."""
    rng = record.rng
    last = next(row for row in reversed(recipe["settings"]) if row[2])
    measured = next((row[5] for row in reversed(recipe["settings"]) if row[5] and row[0] > 0), 0)
    hour, end, found = 26.0 + rng.randrange(4) / 4, recipe["vent"][1], []
    while hour < end - 1:
        late = hour > end - 20
        volume = None if late else float(last[2])
        seen = float(rng.randrange(380, 520)) if late else float(last[2] + rng.randrange(-12, 13))
        plateau = None if late or not measured else float(measured + rng.randrange(-1, 2))
        mode = "CPAP/PSV" if late else last[1]
        found.append(Setting(clock.at(hour), mode, volume, seen, 5.0 if late else float(last[4]), plateau, 40.0))
        hour += rng.randrange(14, 19) / 4
    return found


def _films(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for hour, findings, impression in recipe["imaging"]:
        _film(record, enc, clock.at(hour), findings, impression)


@apart("time")
def _film(record: Record, enc: Encounter, time: datetime, findings: str, impression: str) -> None:
    person = "man" if record.gender == "M" else "woman"
    why = record.rng.choice(bank(PHRASES)["film"]["why"])
    record.order(enc, "Radiology", "General Xray", time - timedelta(minutes=record.rng.randrange(12, 40)))
    record.radiology(
        time,
        "CHEST (PORTABLE AP)",
        f"INDICATION:  ___ year old {person} {why}\n\nTECHNIQUE:  Portable AP chest radiograph.\n\n"
        "COMPARISON:  ___.\n\n"
        f"FINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}",
        enc,
    )


@apart()
def _treatment(record: Record, enc: Encounter, clock: _Clock, recipe: Recipe) -> None:
    """Antibiotics of the first week and sedation on the ventilator."""
    rng = record.rng
    stay, (start, end) = enc.icu[0], (clock.at(hour) for hour in recipe["vent"])
    first = enc.admit + timedelta(minutes=rng.randrange(50, 140))
    for agent in ("cefepime", "vancomycin"):
        hours = between(agent, 0, 90)
        given = [(first + timedelta(hours=h, minutes=rng.randrange(0, 20)), "Administered") for h in hours]
        given = [(time, event) for time, event in given if time < enc.disch]
        antibiotic(record, enc, agent, first, min(first + timedelta(hours=96), enc.disch), given)
    rates = [rng.randrange(30, 50), rng.randrange(30, 45), rng.randrange(15, 30), rng.randrange(5, 15)]
    begin = (start + timedelta(minutes=12)).replace(second=0)
    infusion(record, enc, stay, "propofol", stepped(begin, end - timedelta(minutes=50), [float(r) for r in rates]))


def _summary(record: Record, enc: Encounter, entry: dict[str, Any], recipe: Recipe) -> dict[str, str]:
    """What the recipe says of ventilator and heart stands in an issue of its own."""
    person = "man" if record.gender == "M" else "woman"
    words = pronouns(record.gender)
    phrases, (_, history, course) = bank(PHRASES), recipe["presentation"]
    stated = [f"Height {v:g} {unit}." for source, v, unit, _, _ in recipe["heights"] if source == "summary"]
    issues = [f"# {entry['problem']}:\n{entry['courses'][course].format(**words)}"]
    issues.append(f"{record.rng.choice(_HEADINGS)}\n{' '.join([*recipe['summary'], *stated])}")
    issues += [phrases["other_issues"]["texts"][number] for number in recipe["other_issues"]]
    advice = bank(BANK)["advice"]["texts"]
    found = {part: str(entry[part]) for part in _EXAMINED if part in entry}
    return plain_sections(record, entry["problem"], found) | {
        "Chief Complaint": entry["complaint"],
        "History of Present Illness": f"___ year old {person}{_joined(entry['histories'][history].format(**words))}",
        "Past Medical History": "\n".join(f"- {line}" for line in record.person.history),
        "Brief Hospital Course": "\n\n".join(["ACUTE ISSUES:", *issues]),
        "Major Surgical or Invasive Procedure": "Intubation and mechanical ventilation",
        "Discharge Instructions": letter(record, entry["problem"], [advice[number] for number in recipe["advice"]]),
        "Discharge Medications": drug_list(record.person.home_drugs),
        "Discharge Diagnosis": f"PRIMARY DIAGNOSIS\n{entry['problem']}",
    }


def _joined(history: str) -> str:
    """After the person: a noun is set off by a comma."""
    return f", {history}" if history.startswith(("a ", "an ")) else f" {history}"
