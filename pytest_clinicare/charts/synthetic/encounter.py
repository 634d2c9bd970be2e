"""Admissions, ICU stays and emergency visits as the builders handle them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime


def stamp(time: datetime) -> str:
    """Time as MIMIC writes it, ``YYYY-MM-DD HH:MM:SS``."""
    return time.isoformat(" ", "seconds")


def day(time: datetime | date) -> str:
    """Date as MIMIC writes it, ``YYYY-MM-DD``."""
    return time.isoformat()[:10]


@dataclass(frozen=True)
class IcuStay:
    """``outtime`` is None for a stay whose end was never recorded."""

    stay_id: int
    intime: datetime
    outtime: datetime | None
    unit: str


@dataclass
class Encounter:
    """One hospital admission. ``start`` is the arrival at a linked emergency visit, else admittime."""

    hadm_id: int
    admit: datetime
    disch: datetime
    service: str
    died: bool
    discharge_location: str
    ed_stay_id: int | None = None
    ed_in: datetime | None = None
    ed_out: datetime | None = None
    icu: list[IcuStay] = field(default_factory=list)

    @property
    def start(self) -> datetime:
        return self.ed_in or self.admit

    @property
    def days(self) -> int:
        """Calendar dates touched by the admission."""
        return (self.disch.date() - self.admit.date()).days + 1
