"""Radiology reports of an advanced-imaging chart."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay, day, stamp
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.timeline import examination, moment

# Sentences of a radiograph that name a CT nobody ordered or that was done years before.
_MENTIONS = (
    "Nodular opacity in the right upper lung. Further evaluation with nonemergent CT of the chest is recommended.",
    "Comparison is also made with the CT chest of ___ from a prior year. The nodule described there is not well seen.",
)
# Flowsheet item of a study by what its report says; hybrid and interventional suites chart none.
_CHARTED = {"CT": 221214, "MR": 223253, "radiograph": 221216, "ultrasound": 221217}
_SHARE_CHARTED = 0.75


def write_reports(record: Record, enc: Encounter, recipe: dict[str, Any], intime: datetime) -> None:
    """One note for each report of the recipe; a report without usable time is stamped 00:00:00 of its date."""
    bedside = not any(body in ("CT", "MR", "CT-guided") for _, _, _, body in recipe["reports"])
    first_film = next((row for row in recipe["reports"] if row[3] == "radiograph"), None)
    for row in recipe["reports"]:
        mention = record.rng.choice(_MENTIONS) if bedside and row is first_film else ""
        time = _report_time(intime, row[1])
        record.radiology(time, row[0], _text(record, enc, row[0], mention), enc)


def _report_time(intime: datetime, at: float | str) -> datetime:
    if isinstance(at, str):
        return datetime.fromisoformat(at.removeprefix("date-only ").strip())
    time = moment(intime, at).replace(second=0)
    # 00:00:00 would say that the time is not known.
    return time + timedelta(minutes=1) if time.hour == time.minute == 0 else time


def _text(record: Record, enc: Encounter, title: str, mention: str) -> str:
    entry = examination(title)
    findings, impression = record.rng.choice(entry["readings"])
    outside_date = day(enc.start - timedelta(days=record.rng.randrange(1, 3)))
    person = "man" if record.gender == "M" else "woman"
    return (
        f"INDICATION:  ___ {person} {entry['indication'].removeprefix('year old ')}\n\n"
        f"TECHNIQUE:  {entry['technique'].format(outside_date=outside_date)}\n\n"
        f"COMPARISON:  {record.rng.choice(('None.', 'Radiograph ___.'))}\n\n"
        f"FINDINGS:\n\n{findings}{' ' + mention if mention else ''}\n\n"
        f"IMPRESSION:\n\n{impression}"
    )


def chart_studies(record: Record, enc: Encounter, recipe: dict[str, Any], intime: datetime) -> None:
    """Flowsheet entries by which the unit's nurses note most in-house studies done while the patient is in an ICU."""
    for title, at, origin, body in recipe["reports"]:
        itemid = _CHARTED.get(body)
        if itemid is None or origin != "in-house" or isinstance(at, str) or record.rng.random() > _SHARE_CHARTED:
            continue
        start = _report_time(intime, at) - timedelta(minutes=record.rng.randrange(2, 12))
        stay = next((s for s in enc.icu if s.intime <= start <= (s.outtime or enc.disch)), None)
        if stay is not None:
            _chart_study(record, enc, stay, itemid, start, "Portable Chest" if "CHEST (PORT" in title else title)


def _chart_study(record: Record, enc: Encounter, stay: IcuStay, itemid: int, start: datetime, where: str) -> None:
    minutes = record.rng.randrange(8, 45)
    order = record.fresh_id(4)
    record.add(
        "procedureevents",
        hadm_id=enc.hadm_id,
        stay_id=stay.stay_id,
        caregiver_id=record.rng.choice(record.caregivers),
        starttime=stamp(start),
        endtime=stamp(start + timedelta(minutes=minutes)),
        storetime=stamp(start + timedelta(minutes=minutes + 20)),
        itemid=229581 if where == "Portable Chest" else itemid,
        value=float(minutes),
        valueuom="min",
        orderid=order,
        linkorderid=order,
        ordercategoryname="Imaging",
        ordercategorydescription="Task",
        patientweight=record.weight_kg,
        isopenbag=0,
        continueinnextdept=0,
        statusdescription="FinishedRunning",
        originalamount=1.0,
        originalrate=0.0,
    )
