"""Admissions, ICU stays and emergency visits as the builders handle them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any


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
    """One hospital admission. ``start`` is the arrival at a linked emergency visit, else admittime.

    ``illness`` is what the reason for admission does to routine care: ``labs`` (shift of an analyte on arrival),
    ``film`` (why a chest radiograph, findings, impression), ``avoid`` (drugs that are not ordered).
    """

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
    illness: dict[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> datetime:
        return self.ed_in or self.admit

    def in_icu(self, time: datetime) -> bool:
        return any(stay.intime <= time < (stay.outtime or self.disch) for stay in self.icu)

    @property
    def days(self) -> int:
        """Calendar dates touched by the admission."""
        return (self.disch.date() - self.admit.date()).days + 1
