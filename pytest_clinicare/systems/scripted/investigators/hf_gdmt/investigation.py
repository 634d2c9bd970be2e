"""Therapy at discharge in heart failure, decided in the order of CAR-04 section 8."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.notes import find_asserted
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.hf_gdmt import findings
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.chart import Chart, Fraction, gather
from pytest_clinicare.systems.scripted.investigators.hf_gdmt.classes import (
    ALL,
    Last,
    Reason,
    Regimen,
    Years,
    excuse,
    last_values,
    read_list,
    required,
    years,
)

_COMFORT = re.compile(r"comfort measures only|\bCMO\b", re.IGNORECASE)


@dataclass
class Reading:
    """What the findings say of one chart; ``over`` is why the audit ends before the classes."""

    chart: Chart
    years: Years | None
    latest: Fraction | None
    regimen: Regimen | None
    last: Last
    excuses: dict[str, Reason] = field(default_factory=dict)
    over: str = ""

    @property
    def needs(self) -> dict[str, tuple[str, ...]]:
        """Required classes by candidate edition."""
        if self.years is None or self.latest is None:
            return {}
        female = self.chart.female
        return {e: required(e, self.latest.percent, self.last, female) for e in self.years.candidates}

    def missing(self, edition: str) -> list[str]:
        present = self.regimen.present if self.regimen else {}
        return [kind for kind in self.needs[edition] if kind not in present and kind not in self.excuses]


def look(chart: Chart) -> Reading:
    last = last_values(chart)
    regimen = read_list(chart)
    back = chart.looked_back
    reading = Reading(chart, years(chart), _latest(back), regimen, last)
    for kind in ALL:
        if regimen is not None and kind not in regimen.present:
            found = excuse(chart, kind, last)
            if found:
                reading.excuses[kind] = found
    return reading


def _latest(back: list[Fraction]) -> Fraction | None:
    """The last value; of two on one day the lower (3.3)."""
    if not back:
        return None
    day = back[-1].time.date()
    return min((f for f in back if f.time.date() == day), key=lambda f: f.percent)


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart = reading.chart
    over = _premise(reading)
    if over:
        reading.over = over
        draft.reopens = "A reduced ejection fraction in the look-back, or a discharge list of this admission."
        return draft.conclude(Verdict.LACK, f"{over[0].upper()}{over[1:]}.", Verdict.NO)
    assert reading.latest is not None
    assert reading.regimen is not None
    mine = [f.percent for f in chart.looked_back if f.mine]
    above = reading.latest.percent > 40 and any(f.percent <= 40 for f in chart.fractions)
    if above or (min(mine, default=50) <= 40 < max(mine, default=0)):
        told = ", ".join(f"{f.told} %" for f in chart.fractions)
        draft.reopens = "A statement of which ejection fraction holds."
        return draft.conclude(
            Verdict.AMBIGUOUS, f"LVEF lies on both sides of 40 % ({told}): reduced or improved.", Verdict.NO
        )
    if reading.regimen.harmful:
        return draft.conclude(Verdict.NO, "The discharge list holds a harmful pair of renin-angiotensin drugs.")
    if reading.years is None:
        return draft.conclude(Verdict.LACK, "The anchor year group gives no years.", Verdict.NO)
    missing = {edition: reading.missing(edition) for edition in reading.years.candidates}
    told = "; ".join(f"{edition}: {', '.join(kinds)} missing" for edition, kinds in missing.items() if kinds)
    if any(missing.values()) and not all(missing.values()):
        draft.reopens = "The calendar year of the encounter."
        return draft.conclude(Verdict.AMBIGUOUS, f"The candidate editions differ: {told}.", Verdict.NO)
    if told:
        return draft.conclude(Verdict.NO, f"Without an excuse, {told}.")
    return draft.conclude(Verdict.YES, "Every required class is on the discharge list or excused.")


def _premise(reading: Reading) -> str:
    """Steps 1 to 3; empty where the audit goes on."""
    chart, admission = reading.chart, reading.chart.admission
    where = str(admission.get("discharge_location") or "").upper()
    if int(admission.get("hospital_expire_flag") or 0) or "HOSPICE" in where or where == "DIED":
        return "the patient died or left for hospice"
    if chart.mine and find_asserted(_COMFORT, chart.mine.text):
        return "care was comfort measures only"
    if reading.latest is None:
        return "no LVEF is documented from 365 days before admission to discharge"
    if all(f.percent > 40 for f in chart.fractions if f.time <= chart.left):
        return "every documented LVEF exceeds 40 %"
    if reading.regimen is None:
        return "there is no discharge medication list of this admission"
    return ""


investigate = Investigation(findings.TITLES, gather, look, decide, findings.write)
