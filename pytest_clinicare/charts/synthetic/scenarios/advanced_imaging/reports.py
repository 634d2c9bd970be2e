"""Radiology reports of an advanced-imaging chart."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic.encounter import Encounter, IcuStay
from pytest_clinicare.charts.synthetic.procedures import charted
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.timeline import examination, moment
from pytest_clinicare.charts.synthetic.streams import apart

# A comparison and a finding of a radiograph that name a CT nobody ordered or that was done years before, by its region.
_MENTIONS = {
    "chest": (
        (
            "",
            "Nodular opacity in the right upper lung. Nonemergent CT of the chest is recommended for evaluation.",
        ),
        ("CT chest of ___, from a prior year.", "The nodule described on the prior CT is not evident."),
    ),
    "abdomen": (
        ("", "If there is clinical concern for obstruction, CT of the abdomen may be obtained."),
        ("CT abdomen of ___, from a prior year.", "Calcified splenic granulomas, as on the prior CT."),
    ),
}
_SHARE_MENTIONED = 0.5  # of the stays that have a CT or MRI of their own, so that no verdict owns the sentences
# Flowsheet item of a study by what its report says; hybrid and interventional suites chart none.
_CHARTED = {"CT": 221214, "MR": 223253, "radiograph": 221216, "ultrasound": 221217}
_SHARE_CHARTED = 0.75


@apart()
def write_reports(record: Record, enc: Encounter, recipe: dict[str, Any], intime: datetime) -> None:
    """One note for each report of the recipe; a report without usable time is stamped 00:00:00 of its date."""
    bedside = not any(body in ("CT", "MR", "CT-guided") for _, _, _, body in recipe["reports"])
    mentioned = bedside or record.rng.random() < _SHARE_MENTIONED
    read: set[str] = set()
    for title, at, _, body in recipe["reports"]:
        mention = ("", "")
        if mentioned and body == "radiograph":
            mention, mentioned = record.rng.choice(_MENTIONS[examination(title)["region"]]), False
        time = _report_time(intime, at)
        in_unit = any(stay.intime <= time <= (stay.outtime or enc.disch) for stay in enc.icu)
        record.radiology(time, title, _text(record, title, mention, again=title in read, in_unit=in_unit), enc)
        read.add(title)


def _report_time(intime: datetime, at: float | str) -> datetime:
    if isinstance(at, str):
        return datetime.fromisoformat(at.removeprefix("date-only ").strip())
    time = moment(intime, at).replace(second=0)
    # 00:00:00 would say that the time is not known.
    return time + timedelta(minutes=1) if time.hour == time.minute == 0 else time


@apart("title", "again")
def _text(record: Record, title: str, mention: tuple[str, str], *, again: bool, in_unit: bool) -> str:
    """The first film of a series reads otherwise than those after it; one before the unit has another question."""
    entry = examination(title)
    findings, impression = record.rng.choice(entry["readings"] if again else entry.get("first", entry["readings"]))
    person = "man" if record.gender == "M" else "woman"
    indication = entry["indication"] if in_unit else entry.get("elsewhere", entry["indication"])
    earlier = any(row["text"].startswith(f"EXAMINATION:  {title}\n") for row in record.rows.get("radiology", ()))
    compared = " ".join(filter(None, ("Prior study of ___." if earlier else "", mention[0]))) or "None."
    return (
        f"INDICATION:  ___ {indication.replace('year old', f'year old {person}', 1)}\n\n"
        f"TECHNIQUE:  {entry['technique']}\n\n"
        f"COMPARISON:  {compared}\n\n"
        f"FINDINGS:\n\n{' '.join(filter(None, (findings, mention[1])))}\n\n"
        f"IMPRESSION:\n\n{impression}"
    )


@apart()
def chart_studies(record: Record, enc: Encounter, recipe: dict[str, Any], intime: datetime) -> None:
    """Flowsheet entries by which the unit's nurses note most in-house studies done while the patient is in an ICU."""
    for title, at, origin, body in recipe["reports"]:
        itemid = _CHARTED.get(body)
        if itemid is not None and origin == "in-house" and not isinstance(at, str):
            _chart_if_in_unit(record, enc, itemid, title, _report_time(intime, at))


@apart("title", "time")
def _chart_if_in_unit(record: Record, enc: Encounter, itemid: int, title: str, time: datetime) -> None:
    start = time - timedelta(minutes=record.rng.randrange(2, 12))
    stay = next((s for s in enc.icu if s.intime <= start <= (s.outtime or enc.disch)), None)
    if stay is not None and record.rng.random() <= _SHARE_CHARTED:
        _chart_study(record, enc, stay, itemid, start, "Portable Chest" if "CHEST (PORT" in title else title)


def _chart_study(record: Record, enc: Encounter, stay: IcuStay, itemid: int, start: datetime, where: str) -> None:
    minutes = record.rng.randrange(8, 45)
    item = 229581 if where == "Portable Chest" else itemid
    stored = start + timedelta(minutes=minutes + 20)
    charted(record, enc, stay, item, start, minutes, "Imaging", stored)
