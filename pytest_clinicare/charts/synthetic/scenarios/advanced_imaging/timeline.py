"""Orders and reports of an advanced-imaging recipe, on a clock that starts at the audited stay's intime (hours)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank

HEAD_CT = "CT HEAD W/O CONTRAST"
DIAGNOSTIC_CT = (HEAD_CT, "CTA CHEST WITH CONTRAST", "CT ABD & PELVIS WITH CONTRAST")
MRI = ("MR HEAD W/O CONTRAST", "MRCP (MR ABD W&W/OC)")
GUIDED = "CT INTERVENTIONAL PROCEDURE"
RADIOGRAPHS = ("CHEST (PORTABLE AP)",) * 4 + ("ABDOMEN (SUPINE ONLY) PORT",)
ULTRASOUNDS = ("LIVER OR GALLBLADDER US (SINGLE ORGAN)", "BILAT LOWER EXT VEINS", "RENAL U.S.")


def examination(title: str) -> dict[str, Any]:
    """Entry of ``fixtures/phrases/advanced-imaging.toml``."""
    entry: dict[str, Any] = bank("phrases/advanced-imaging")[title]
    return entry


@dataclass
class Timeline:
    """The imaging part of one recipe; ``length`` is the stay's duration in hours."""

    rng: random.Random
    length: float
    orders: list[list[Any]] = field(default_factory=list)
    reports: list[list[Any]] = field(default_factory=list)

    def order(self, subtype: str, hours: float, transactions: str = "new") -> float:
        """``transactions`` as 'new', 'new; change at <h>' or 'new; D/C at <h>'. Returns the order's hours."""
        self.orders.append([subtype, round(hours, 2), transactions])
        return round(hours, 2)

    def report(self, title: str, hours: float | str, origin: str = "in-house") -> float | str:
        """A report at ``hours``, or on a date without time given as 'date-only YYYY-MM-DD'."""
        when = hours if isinstance(hours, str) else round(hours, 2)
        self.reports.append([title, when, origin, examination(title)["modality"]])
        return when

    def study(self, title: str, ordered: float, delay: tuple[float, float]) -> tuple[float, float]:
        """An order of the examination's subtype and its report; returns the hours of both."""
        when = self.order(examination(title)["subtype"], ordered)
        performed = when + self.rng.uniform(*delay)
        self.report(title, performed)
        return when, round(performed, 2)

    def radiographs(self, count: int, start: float = 0.0, end: float | None = None) -> None:
        """``count`` radiographs ordered from ``start`` to ``end`` hours, each read 0.3-1.4 h later."""
        last = (self.length if end is None else end) - 2.0
        step = (last - start - 0.5) / count
        for number in range(count):
            hours = start + 0.5 + step * (number + self.rng.uniform(0.1, 0.9))
            self.study(self.rng.choice(RADIOGRAPHS), hours, (0.3, 1.4))

    def ultrasounds(self, count: int) -> None:
        for title in self.rng.sample(ULTRASOUNDS, count):
            self.study(title, self.rng.uniform(1, self.length - 4), (1, 3))

    def sorted_orders(self) -> list[list[Any]]:
        return sorted(self.orders, key=lambda row: float(row[1]))

    def sorted_reports(self) -> list[list[Any]]:
        return sorted(self.reports, key=lambda row: 1e9 if isinstance(row[1], str) else float(row[1]))


def moment(intime: datetime, hours: float) -> datetime:
    """Clock time of ``hours`` after intime, to the second."""
    return intime + timedelta(seconds=round(hours * 3600))
