"""Chart of a he-precipitant case: arrival, chemistry, fluid, cultures, imaging, drugs; and an earlier stay."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.draft import Draft
from pytest_clinicare.charts.synthetic import illness
from pytest_clinicare.charts.synthetic.antibiotics import antibiotic, between
from pytest_clinicare.charts.synthetic.banks import bank
from pytest_clinicare.charts.synthetic.course import afternoon, emergency_admission
from pytest_clinicare.charts.synthetic.cultures import Isolate, culture
from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.he_precipitant.summary import PHRASES, earlier_summary, summary
from pytest_clinicare.charts.synthetic.streams import apart
from pytest_clinicare.charts.synthetic.vital_signs import emergency, triage
from pytest_clinicare.suite.case import Case

Recipe = dict[str, Any]
_HOUR = timedelta(hours=1)
_CONDITIONS = (
    *("Gastroesophageal reflux disease", "Osteoarthritis", "Hypothyroidism", "Seasonal allergies"),
    *("Vitamin D deficiency", "Lumbar spondylosis", "Hearing loss"),
)
# Name in the emergency department's list: line of the note, group.
HOME = {
    "lactulose": ("Lactulose 30 mL PO TID", "Laxative - Saline/Osmotic"),
    "rifaximin": ("Rifaximin 550 mg PO BID", "Rifamycins and Related Derivatives"),
    "furosemide": ("Furosemide 40 mg PO DAILY", "Diuretic - Loop"),
    "spironolactone": ("Spironolactone 100 mg PO DAILY", "Diuretic - Aldosterone Receptor Antagonist"),
    "nadolol": ("Nadolol 20 mg PO DAILY", "Beta Blockers Non-Cardiac Selective"),
    "ciprofloxacin": ("Ciprofloxacin HCl 500 mg PO Q24H", "Fluoroquinolone Antibiotics"),
    "zolpidem": ("Zolpidem Tartrate 5 mg PO QHS", "Sedative-Hypnotics - Benzodiazepine Receptor Agonists"),
    "lorazepam": ("LORazepam 1 mg PO QHS", "Antianxiety Agent - Benzodiazepines"),
    "multivitamin": ("Multivitamins 1 TAB PO DAILY", "Multivitamins"),
}
# Not what a confused patient with cirrhosis is given as routine, nor what would bear on the question.
_AVOID = [
    *("Heparin", "Atorvastatin", "Sertraline", "Acetaminophen", "Ramelteon", "Insulin", "Metoprolol Tartrate"),
    *("Docusate Sodium", "Senna", "Multivitamins"),
]
_PANEL = {"ampicillin": "R", "cefazolin": "S", "ceftriaxone": "S", "ciprofloxacin": "S", "gentamicin": "S"}
_MIXED = "MIXED BACTERIAL FLORA ( >= 3 COLONY TYPES), CONSISTENT WITH SKIN AND/OR GENITAL CONTAMINATION.  "


@dataclass(frozen=True)
class _Clock:
    admit: datetime

    def at(self, hours: float) -> datetime:
        """Hours from admission."""
        return self.admit + timedelta(minutes=round(hours * 60))


def build(case: Case) -> Draft:
    """The chart of the case's subject; a function of the case's recipe, ids and seed alone."""
    recipe = case.recipe
    year, group = recipe["calendar"]
    minutes = random.Random(f"chart/{case.seed}").randrange(25 * 1440, 330 * 1440)
    clock = _Clock(datetime(year, 1, 1) + timedelta(minutes=minutes))
    sex, age = recipe["patient"]
    record = Record(case, sex, age, year)
    record.anchor_year_group = group
    _person(record, recipe)
    if recipe["earlier"] != "none":
        _earlier(record, clock, *recipe["earlier"])
    for days, sodium, potassium, creatinine, hemoglobin in recipe["clinic"]:
        _clinic(record, clock, days, sodium, potassium, creatinine, hemoglobin)
    enc = _admission(record, recipe, clock)
    _labs(record, enc, recipe, clock)
    _fluid(record, enc, recipe, clock)
    _cultures(record, enc, recipe, clock)
    _imaging(record, enc, recipe, clock)
    _drugs(record, enc, recipe, clock)
    for code, hours in recipe["procedures"]:
        record.procedure(enc, code, 10, clock.at(hours))
    record.background(enc, skip=("labs", "micro", "imaging"))
    record.discharge_summary(enc, summary(record, enc, recipe))
    return record.finish()


@apart()
def _person(record: Record, recipe: Recipe) -> None:
    """Few conditions beside the liver, the home list of the recipe, and the liver's blood counts."""
    known = [c for c in bank("phrases/notes")["conditions"] if c["text"] in _CONDITIONS]
    conditions = tuple(record.rng.sample(known, 2))
    drugs = [str(c["drug"]) for c in conditions if "drug" in c]
    home = (*(HOME[name][0] for name in recipe["home"]), *drugs)
    record.person = replace(record.person, conditions=conditions, home_drugs=home)
    rng = record.rng
    record.levels |= {
        "platelets": rng.uniform(62, 118), "bilirubin": rng.uniform(1.6, 3.4), "albumin": rng.uniform(2.6, 3.3),
        "inr": rng.uniform(1.3, 1.7), "wbc": rng.uniform(4.2, 7.4), "mcv": rng.uniform(94, 100),
    }  # fmt: skip


@apart()
def _earlier(record: Record, clock: _Clock, days: int, kind: str, number: int) -> None:
    """A stay of a year or more before, with its own precipitant or none."""
    rng = record.rng
    arrival = clock.admit - timedelta(days=days, minutes=rng.randrange(600))
    codes = {"sbp": ["K652", "K7460"], "bleed": ["I8511", "K7460", "K7290"], "other": ["K7460"]}[kind]
    complaint = {"sbp": "Abdominal pain", "bleed": "Hematemesis", "other": "Unwell"}[kind]
    entry = {"complaint": complaint, "codes": codes, "avoid": _AVOID}
    enc = emergency_admission(record, entry, arrival, afternoon(record, arrival + timedelta(days=rng.randrange(3, 6))))
    if kind == "sbp":
        _fluid_rows(record, enc, enc.admit + _HOUR, [980, 82, 0, 1400, "no growth"])
    record.background(enc)
    text = bank(PHRASES)["earlier"][kind][number]
    record.discharge_summary(enc, earlier_summary(record, enc, kind, text))


@apart("days")
def _clinic(
    record: Record, clock: _Clock, days: int, sodium: int, potassium: float, creatinine: float, hemoglobin: float
) -> None:
    time = (clock.admit - timedelta(days=days)).replace(hour=record.rng.randrange(8, 16))
    record.panel("basic", time, None, sodium=float(sodium), potassium=float(potassium), creatinine=float(creatinine))
    record.panel("cbc", time, None, hemoglobin=float(hemoglobin))
    record.panel("liver", time, None)


@apart()
def _admission(record: Record, recipe: Recipe, clock: _Clock) -> Encounter:
    rng = record.rng
    arrival, leaves = clock.at(-recipe["arrival"]), clock.admit + timedelta(minutes=rng.randrange(20, 60))
    disch = afternoon(record, clock.admit + timedelta(days=recipe["stay"]))
    entry = {"complaint": recipe["complaint"], "codes": recipe["codes"], "avoid": _AVOID}
    enc = record.admission(
        clock.admit, disch, hadm_id=record.case.hadm_id, ed=(arrival, leaves), chief_complaint=recipe["complaint"],
        discharge_location="HOME",
    )  # fmt: skip
    illness.code(record, enc, entry, [])
    quick = recipe["bleed"] != "none"
    rates, pressures = ((100, 116), (92, 104)) if quick else ((68, 92), (106, 132))
    signs = {
        "temperature": round(rng.uniform(97.6, 98.7), 1),
        "heartrate": float(rng.randrange(*rates)),
        "sbp": float(rng.randrange(*pressures)),
        "dbp": float(rng.randrange(54, 72)),
        "resprate": float(rng.choice((16, 18))),
        "o2sat": float(rng.randrange(95, 99)),
    }
    triage(record, enc, signs, recipe["complaint"])
    emergency(record, enc, [(arrival + timedelta(minutes=m), {}) for m in (31, 94)])
    listed = arrival + timedelta(minutes=rng.randrange(25, 60))
    for name in recipe["home"]:
        record.home_med(enc.ed_stay_id or 0, name, listed, group=HOME[name][1])
    return enc


def _mornings(record: Record, enc: Encounter) -> list[datetime]:
    midnight = enc.admit.replace(hour=0, minute=0, second=0, microsecond=0)
    times = [
        midnight + timedelta(days=n, minutes=record.rng.randrange(300, 420))
        for n in range(1, (enc.disch - midnight).days + 1)
    ]
    return [t for t in times if enc.admit + 6 * _HOUR < t < enc.disch - _HOUR]


@apart("enc")
def _labs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """The draws of the recipe, then each morning values near those of the last one."""
    rng = record.rng
    bled = recipe["bleed"] != "none"
    for hours, sodium, potassium, creatinine in recipe["panels"]:
        record.panel(
            "basic", clock.at(hours), enc, sodium=float(sodium), potassium=float(potassium),
            creatinine=float(creatinine), **({"urea": 41.0} if bled else {}),
        )  # fmt: skip
    for hours, hemoglobin in recipe["hb"]:
        record.panel("cbc", clock.at(hours), enc, hemoglobin=float(hemoglobin))
    first = clock.at(-recipe["arrival"] + 0.75)
    for name in ("coag", "liver", "differential"):
        record.panel(name, first, enc)
    urine = first + timedelta(minutes=40)
    specimen = record.panel("urinalysis", urine, enc)
    record.lab("urine_leukocytes", urine, recipe["dipstick"], enc, specimen_id=specimen)
    sodium, potassium, creatinine = recipe["usual"]
    usual = recipe["hb"][-1][1]
    for number, time in enumerate(_mornings(record, enc)):
        drift = (
            rng.randint(-1, 1),
            rng.choice((-0.1, 0.0, 0.1)),
            rng.choice((0.0, 0.0, 0.1)),
            rng.choice((-0.1, 0, 0.1, 0.2)),
        )
        record.panel(
            "basic", time, enc, sodium=float(sodium + drift[0]), potassium=round(potassium + drift[1], 1),
            creatinine=round(creatinine + drift[2], 1),
        )  # fmt: skip
        record.panel(
            "cbc", time, enc, hemoglobin=round(usual + drift[3] + (0.2 if recipe["bleed"] != "none" else 0), 1)
        )
        if number % 3 == 1:
            record.panel("liver", time, enc)
            record.panel("coag", time, enc)


@apart("enc")
def _fluid(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    if recipe["fluid"] != "none":
        _fluid_rows(record, enc, clock.at(recipe["tap"]), recipe["fluid"])


def _fluid_rows(record: Record, enc: Encounter, time: datetime, fluid: list[Any]) -> None:
    cells, polys, bands, rbc, grown = fluid
    specimen = record.serial()
    rest = 100 - polys - bands if polys != "none" else 0
    values = [("ascites_cells", cells), ("ascites_rbc", rbc)]
    if polys != "none":
        lymphocytes = round(rest * 0.45)
        values += [
            ("ascites_polys", polys), ("ascites_lymphocytes", lymphocytes), ("ascites_monocytes", rest - lymphocytes),
        ]  # fmt: skip
        if bands:
            values.append(("ascites_bands", bands))
    for item, value in values:
        if value != "none":
            record.lab(item, time, float(value), enc, specimen_id=specimen)
    stored = (time + timedelta(days=3 if grown != "no growth" else 5, minutes=190)).replace(second=0)
    isolates = [] if grown == "no growth" else [Isolate(grown, _PANEL)]
    culture(record, "peritoneal", time, stored, enc, isolates)


def _cultures(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    for specimen, hours, organism, count in recipe["cultures"]:
        time = clock.at(hours)
        for number in range(2 if specimen == "blood" else 1):
            _culture(
                record, enc, specimen.removesuffix("-single"), time + timedelta(minutes=13 * number), organism, count
            )


def _culture(record: Record, enc: Encounter, specimen: str, time: datetime, organism: str, count: str) -> None:
    stored = time + timedelta(days=5 if specimen == "blood" else 2, minutes=155)
    if organism in ("no growth", "mixed"):
        culture(record, specimen, time, stored, enc, comment=_MIXED if organism == "mixed" else None)
        return
    name = bank("distributions/microbiology")["organisms"][organism][1]
    comment = f"{name}.  {count}.  " if count else None
    culture(record, specimen, time, stored, enc, [Isolate(organism, _PANEL, comment=comment)])


@apart("enc")
def _imaging(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Ultrasound, chest film and head CT with the orders that led to them; an attempted tap."""
    rng, words = record.rng, bank(PHRASES)["reports"]
    amount, source = recipe["ascites"]
    fluid = rng.choice(words[amount])
    liver = rng.choice(words["liver"])
    end = {"none": "no ascites", "moderate": "moderate ascites", "large": "large ascites"}[amount]
    if source == "trace":
        fluid, end = "Trace ascites around the liver.", "trace ascites"
    time = clock.at(recipe["ultrasound"])
    _report(
        record, enc, "Ultrasound", "LIVER OR GALLBLADDER US (SINGLE ORGAN)", time, "confusion",
        f"{liver} The portal vein is patent. {fluid}", f"Cirrhosis, {end}.",
    )  # fmt: skip
    if recipe["chest"] != "none":
        hours, reading = recipe["chest"]
        clear = reading == "clear"
        told = rng.choice(words["clear"])
        findings = told if clear else "New consolidation in the right lower lobe."
        impression = rng.choice(words["chest_end"]) if clear else "Right lower lobe consolidation, new."
        _report(record, enc, "General Xray", "CHEST (PORTABLE AP)", clock.at(hours), "confusion", findings, impression)
    if recipe["head"] != "none":
        hours, reading = recipe["head"]
        findings = rng.choice(words["head"]) if reading == "clear" else words["subdural"].format(n=reading)
        _report(record, enc, "CT Scan", "CT HEAD W/O CONTRAST", clock.at(hours), "confusion", findings, findings)
    if recipe["tap_order"] != "none":
        hours, state = recipe["tap_order"]
        order = record.order(enc, "Radiology", "Ultrasound", clock.at(hours))
        if state == "discontinued":
            record.order(enc, "Radiology", "Ultrasound", clock.at(hours + 4), "D/C", order)
    if recipe["tap"] == "dry":
        time = clock.at(recipe["tap_order"][0] + 1.5)
        record.radiology(
            time, "US PARACENTESIS ATTEMPT", f"INDICATION:  confusion\n\nFINDINGS: \n\n{words['dry']}\n\n"
            "IMPRESSION: \n\nNo safe pocket, procedure aborted.", enc,
        )  # fmt: skip


@apart("exam", "time")
def _report(
    record: Record, enc: Encounter, subtype: str, exam: str, time: datetime, why: str, findings: str, impression: str
) -> None:
    record.order(enc, "Radiology", subtype, max(time - timedelta(minutes=record.rng.randrange(18, 50)), enc.start))
    person = "man" if record.gender == "M" else "woman"
    record.radiology(
        time, exam, f"INDICATION:  ___ year old {person} with {why}\n\nTECHNIQUE:  Standard protocol.\n\n"
        f"COMPARISON:  None.\n\nFINDINGS: \n\n{findings}\n\nIMPRESSION: \n\n{impression}", enc,
    )  # fmt: skip


@apart("enc")
def _drugs(record: Record, enc: Encounter, recipe: Recipe, clock: _Clock) -> None:
    """Lactulose for all, the antibiotics of the recipe, the drugs of the home list that are safe to go on."""
    _round(record, enc, "Lactulose", ("30", "mL", "PO/NG", "Q6H"), clock.at(1.0), 6)
    if "rifaximin" in recipe["home"]:
        _round(record, enc, "Rifaximin", ("550", "mg", "PO/NG", "BID"), clock.at(4.0), 12)
    if recipe["bleed"] != "none":
        begin, end = clock.at(-1.0), clock.at(71.0)
        events = [(begin, "Started"), (end, "Stopped")]
        record.medication(enc, "Octreotide Acetate", "50", "mcg/hr", "IV DRIP", "INFUSION", begin, end, events)
    for agent, first, last in recipe["antibiotics"]:
        begin, end = clock.at(first), min(clock.at(last), enc.disch - 2 * _HOUR)
        often = "Q24H" if agent == "ciprofloxacin" else None
        every = 24.0 if agent == "ciprofloxacin" else None
        hours = between(agent, 0, max((end - begin) / _HOUR, 0), every)
        given = [((begin + timedelta(minutes=round(60 * h))).replace(second=0), "Administered") for h in hours]
        antibiotic(record, enc, agent, begin - timedelta(minutes=20), end + _HOUR, given, frequency=often)


@apart("drug")
def _round(
    record: Record, enc: Encounter, drug: str, order: tuple[str, str, str, str], start: datetime, every: int
) -> None:
    given, time = [], start
    while time < enc.disch - _HOUR:
        given.append((time + timedelta(minutes=record.rng.randrange(0, 40)), "Administered"))
        time += every * _HOUR
    record.medication(enc, drug, *order, start - timedelta(minutes=15), enc.disch, given)
