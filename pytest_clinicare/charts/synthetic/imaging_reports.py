"""Radiology reports of an advanced-imaging chart."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic.encounter import Encounter, day
from pytest_clinicare.charts.synthetic.imaging_timeline import examination, moment
from pytest_clinicare.charts.synthetic.record import Record

# Sentences of a radiograph that name a CT nobody ordered or that was done years before.
_MENTIONS = (
    "Nodular opacity in the right upper lung. Further evaluation with nonemergent CT of the chest is recommended.",
    "Comparison is also made with the CT chest of ___ from a prior year. The nodule described there is not well seen.",
)


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
    return moment(intime, at)


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
