"""A patient's drugs as a med-reconciliation recipe holds them: at home, given in the last day, at discharge."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from pytest_clinicare.charts.synthetic.banks import bank

# Hours before discharge at which a drug of this frequency is given in the last day (morning round 6.5 h before).
DOSE_HOURS = {
    "DAILY": (6.5,),
    "BID": (6.5, 18.5),
    "Q12H": (6.5, 18.5),
    "QPM": (18.5,),
    "QHS": (17.0,),
    "TID": (6.5, 14.5, 22.5),
    "Q24H": (20.0,),
    "PRN": (9.0,),
}
_NEEDS_NOTHING = 0.5
# Continued home drugs that no plausible-reason event of the variants touches (no ACE inhibitor, ARB or diuretic).
FILLERS = (
    "atorvastatin",
    "amlodipine",
    "sertraline",
    "levothyroxine",
    "metoprolol_succinate",
    "tiotropium",
    "omeprazole",
    "tamsulosin",
    "allopurinol",
    "escitalopram",
    "aspirin",
    "multivitamin",
    "vitamin_d",
)


def drug(key: str) -> dict[str, Any]:
    """Entry of ``fixtures/medications.toml``."""
    entry: dict[str, Any] = bank("medications")[key]
    return entry


@dataclass
class Regimen:
    """The drug part of one recipe; rows are lists because they go to TOML as they are."""

    rng: random.Random
    home: list[list[str]] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    given: list[list[Any]] = field(default_factory=list)
    leaving: list[list[str]] = field(default_factory=list)
    statements: list[list[str]] = field(default_factory=list)

    def take(self, key: str, dose: str | None = None, *, status: str = "taking", rows: int | None = None) -> str:
        """Home drug; ``rows`` is its number of rows in the emergency department's list. Returns the dose."""
        dose = dose or self.rng.choice(drug(key)["doses"])
        self.home.append([key, dose, drug(key)["route"], drug(key)["frequency"], status])
        count = self.rng.choice((1, 1, 2)) if rows is None else rows
        if count:
            self.rows.append([key, count])
        return dose

    def give(self, key: str, dose: str, frequency: str | None = None) -> None:
        """Doses of the last 24 h before discharge."""
        for hours in DOSE_HOURS[(frequency or drug(key)["frequency"]).split(":")[-1]]:
            self.given.append([key, dose, round(hours + self.rng.uniform(-0.2, 0.2), 2), "Administered"])

    def leave(self, key: str, dose: str, duration: str = "none", annotation: str = "continued") -> None:
        """Entry of the discharge list."""
        self.leaving.append([key, dose, drug(key)["route"], drug(key)["frequency"], duration, annotation])

    def carry(self, key: str, dose: str | None = None, *, rows: int | None = None) -> None:
        """Home drug that was given to the end and continued with the same dose."""
        dose = self.take(key, dose, rows=rows)
        self.give(key, dose)
        self.leave(key, dose)

    def fill(self, count: int, without: tuple[str, ...] = ()) -> None:
        """``count`` continued home drugs, none of an ingredient or class taken already or named in ``without``."""
        pool = [key for key in FILLERS if key not in without]
        self.rng.shuffle(pool)
        classes = {drug(row[0])["class"] for row in self.home} - {"vitamin"}
        for key in pool:
            if count == 0:
                break
            if drug(key)["class"] in classes or any(key == row[0] for row in self.home):
                continue
            self.carry(key)
            count -= 1
            classes |= {drug(key)["class"]} - {"vitamin"}

    def ward(self, *keys: str) -> None:
        """Drugs of the hospital stay only: given in the last day, on neither list."""
        for key in keys:
            self.give(key, drug(key)["doses"][0])

    def carry_as_needed(self, key: str) -> None:
        """A home drug taken as needed and continued, for about half of the patients; call after ``shuffle``.

        Its places come from the lists themselves: whether a patient has one leaves the draws of the others alone.
        """
        own = random.Random(repr(self.home))
        if own.random() < _NEEDS_NOTHING:
            return
        dose, hours = drug(key)["doses"][0], DOSE_HOURS["PRN"][0]
        entry = [key, dose, drug(key)["route"], drug(key)["frequency"]]
        self.home.insert(own.randrange(len(self.home)), [*entry, "taking"])
        self.rows.insert(own.randrange(len(self.rows)), [key, 1])
        self.leaving.insert(own.randrange(len(self.leaving)), [*entry, "none", "continued"])
        self.given.append([key, dose, hours, "Administered"])
        self.given.sort(key=lambda row: -float(row[2]))

    def shuffle(self) -> None:
        """List order must not tell which drug a case is about."""
        for rows in (self.home, self.rows, self.leaving):
            self.rng.shuffle(rows)
        self.given.sort(key=lambda row: -float(row[2]))


def creatinine_course(
    rng: random.Random, baseline: float, admission: float, last: float, days: int
) -> list[list[float]]:
    """Baseline some months before, then one value a day from ``admission`` to ``last`` (mg/dL), monotone."""
    course: list[list[float]] = [[-rng.randrange(60, 300), baseline]]
    for day in range(days + 1):
        share = (day / days) ** 0.7
        course.append([day, round(admission + (last - admission) * share, 1)])
    return course


def stable_course(rng: random.Random, low: float, high: float, days: int) -> list[list[float]]:
    """Creatinine that stays within 0.1 mg/dL of its baseline, itself from ``low`` to ``high`` with both ends kept."""
    tenths = range(round(low * 10), round(high * 10) + 1)
    baseline = rng.choice(tenths) / 10
    near = [t / 10 for t in tenths if abs(t / 10 - baseline) < 0.15]
    return [[-rng.randrange(60, 300), baseline], *([day, rng.choice(near)] for day in range(days + 1))]
