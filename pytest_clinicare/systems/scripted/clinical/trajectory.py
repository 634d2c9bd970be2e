"""Renal function over admissions: values of each, which can be evaluated, and the decline (RH-NEPH-05)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.egfr import ckd_epi_2021, g_category, in_stage_or_worse, lower_category
from pytest_clinicare.systems.scripted.clinical.values import Value

APART = timedelta(days=90)
LONG_STAY = timedelta(days=21)


@dataclass
class Admission:
    """One admission; ``stage`` is the CKD stage coded or stated, ``dialysis`` the rows that show it, of any mode."""

    hadm_id: int
    ref: str
    start: datetime
    admitted: datetime
    discharged: datetime
    age: int
    female: bool
    values: tuple[Value, ...] = ()
    aki_stated: bool = False
    dialysis: tuple[str, ...] = ()
    stage: int | None = None
    why_not: str = field(default="", init=False)

    @property
    def lowest(self) -> Value:
        return min(self.values, key=lambda v: v.value)

    @property
    def peak(self) -> Value:
        return max(self.values, key=lambda v: v.value)

    @property
    def last(self) -> Value:
        return self.values[-1]

    @property
    def dates(self) -> int:
        return len({v.time.date() for v in self.values})

    @property
    def sampled(self) -> bool:
        """Values on two calendar dates and no dialysis."""
        return self.dates >= 2 and not self.dialysis

    @property
    def aki(self) -> bool:
        """Peak at least 1.5 x lowest, or stated in the summary."""
        return bool(self.values) and (self.peak.value >= Decimal("1.5") * self.lowest.value or self.aki_stated)

    @property
    def egfr(self) -> float:
        return ckd_epi_2021(float(self.lowest.value), self.age, self.female)

    @property
    def category(self) -> str:
        return g_category(self.egfr)

    @property
    def evaluable(self) -> bool:
        """Only meaningful after ``evaluate``."""
        return not self.why_not


def within(values: Iterable[Value], start: datetime, end: datetime) -> tuple[Value, ...]:
    return tuple(v for v in values if start <= v.time <= end)


def evaluate(admissions: list[Admission]) -> list[Admission]:
    """Set ``why_not`` of each, in order of time; gives the evaluable ones (sections 2.1 and 2.2)."""
    first: Admission | None = None
    for position, admission in enumerate(admissions):
        admission.why_not = _why_not(admission, first, admissions[position + 1 :])
        if first is None and admission.evaluable:
            first = admission
    return [a for a in admissions if a.evaluable]


def _why_not(admission: Admission, first: Admission | None, later: list[Admission]) -> str:
    if admission.dialysis:
        return "dialysis in the admission"
    if admission.dates < 2:
        dates = {0: "no valid creatinine", 1: "creatinine on one calendar date"}
        return dates[admission.dates]
    if not admission.aki or _settled(admission, first, later):
        return ""
    return "acute kidney injury that is not settled"


def _settled(admission: Admission, first: Admission | None, later: list[Admission]) -> bool:
    if first is not None and admission.last.value - first.lowest.value <= Decimal("0.2"):
        return True
    ends = last_of_each_date(admission.values)[-2:]
    level = len(ends) == 2 and abs(ends[1].value - ends[0].value) < Decimal("0.3")
    return level and any(a.sampled for a in later)


def last_of_each_date(values: tuple[Value, ...]) -> list[Value]:
    return list({v.time.date(): v for v in values}.values())


@dataclass(frozen=True)
class Trend:
    """First against last evaluable admission. ``decline`` is a fraction; negative is improvement."""

    reference: Admission
    latest: Admission

    @property
    def apart(self) -> bool:
        return self.latest.admitted - self.reference.admitted >= APART

    @property
    def decline(self) -> float:
        return (self.reference.egfr - self.latest.egfr) / self.reference.egfr

    @property
    def words(self) -> str:
        """The decline in words; a negative one is an improvement."""
        change = f"{abs(self.decline):.1%}"
        return f"a decline of {change}" if self.decline >= 0 else f"an improvement of {change}"

    @property
    def lower_category(self) -> bool:
        return lower_category(self.latest.category, self.reference.category)

    @property
    def sustained(self) -> bool:
        """25 % with a lower category, or 30 % (section 4.2)."""
        return (self.decline >= 0.25 and self.lower_category) or self.decline >= 0.30


def rising_stage(admissions: list[Admission]) -> int | None:
    """Highest stage that an admission carries after one with a lower stage."""
    risen = [
        later.stage
        for i, later in enumerate(admissions)
        for earlier in admissions[:i]
        if later.stage and earlier.stage and later.stage > earlier.stage
    ]
    return max(risen, default=None)


def appearing_stage(admissions: list[Admission], first: Admission) -> int | None:
    """Stage 3-5 that appears after a first evaluable admission at which, and before which, there was none."""
    at = admissions.index(first)
    if any(a.stage for a in admissions[: at + 1]):
        return None
    return max((a.stage for a in admissions[at + 1 :] if a.stage and a.stage >= 3), default=None)


def concordant_progression(trend: Trend, risen: int | None) -> bool:
    """A risen stage that the latest eGFR has reached, with a decline of 15 % or more (section 4.3)."""
    return risen is not None and in_stage_or_worse(trend.latest.egfr, risen) and trend.decline >= 0.15


def contradicted(trend: Trend, stage: int | None) -> bool:
    """A risen or appearing stage 3-5 whose range the latest eGFR is better than (section 6.2)."""
    return stage is not None and stage >= 3 and not in_stage_or_worse(trend.latest.egfr, stage)
