"""Times as the record writes them: ISO text, some of it a date without a clock time."""

from __future__ import annotations

from datetime import datetime, timedelta

from pytest_clinicare.systems.scripted.clinical.rows import Row


def parse_time(text: object) -> datetime | None:
    """``YYYY-MM-DD[ HH:MM[:SS]]`` as a time; None when empty or unreadable."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(str(text).strip())
    except ValueError:
        return None


def iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def date_only(moment: datetime) -> bool:
    """Exactly 00:00:00 is a date without a usable clock time (QA-001 6.2)."""
    return (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def linked_ed_stay(admission: Row, ed_stays: list[Row]) -> tuple[Row | None, str]:
    """The ED stay that led to an admission and how it is linked: ``hadm_id``, ``time`` or ``none`` (PT-014 2.1)."""
    for stay in ed_stays:
        if stay.get("hadm_id") is not None and int(stay["hadm_id"]) == int(admission["hadm_id"]):
            return stay, "hadm_id"
    admitted = parse_time(admission.get("admittime"))
    for stay in ed_stays:
        left = parse_time(stay.get("outtime"))
        if stay.get("hadm_id") is None and left and admitted and abs(left - admitted) <= timedelta(hours=24):
            return stay, "time"
    return None, "none"


def encounter_start(admission: Row, ed_stays: list[Row], before_admission: timedelta) -> datetime | None:
    """Arrival of the linked ED visit, else ``before_admission`` ahead of the admission time.

    An arrival that the record times after the admission leaves the admission time as the start.
    """
    stay, _ = linked_ed_stay(admission, ed_stays)
    arrival = parse_time(admission.get("edregtime")) or (parse_time(stay.get("intime")) if stay else None)
    admitted = parse_time(admission.get("admittime"))
    if arrival and admitted:
        return min(arrival, admitted)
    return arrival or (admitted - before_admission if admitted else None)
