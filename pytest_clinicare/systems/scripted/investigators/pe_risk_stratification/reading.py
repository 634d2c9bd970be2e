"""``Reading``: the chart with its status and treatments, and what lies in which window (TH-09 sections 4.1 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.chart import HOUR, Chart
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.shock import Shock
from pytest_clinicare.systems.scripted.investigators.pe_risk_stratification.treatment import Dose, Treatment

Lysis = tuple[datetime, Decimal | None, tuple[str, ...]]
_SYSTEMIC = 50


@dataclass
class Reading:
    chart: Chart
    shock: Shock
    treatment: Treatment

    @property
    def dose(self) -> Dose | None:
        """First treatment dose in its window, which in high-risk embolism lasts to onset + 6 h if that is later."""
        since, until = self.chart.ct_hours(-24, 6)
        if self.shock.high and self.shock.onset:
            until = max(until, self.shock.onset + 6 * HOUR)
        return self.treatment.first(since, until)

    @property
    def lysis(self) -> list[Lysis]:
        """Systemic thrombolysis: alteplase of 50 mg or more, or tenecteplase."""
        return [row for row in self.treatment.lysis if row[1] is None or row[1] >= _SYSTEMIC]

    @property
    def systemic(self) -> list[Lysis]:
        since, until = self.chart.ct_hours(-12, 24)
        return [row for row in self.lysis if since <= row[0] <= until]

    @property
    def early(self) -> list[Lysis]:
        """Begun before the onset."""
        return [row for row in self.systemic if self.shock.onset and row[0] < self.shock.onset]

    @property
    def reperfused(self) -> bool:
        onset = self.shock.onset
        if onset is None:
            return False
        times = [*(row[0] for row in self.lysis), *(time for time, _ in self.treatment.device)]
        return any(onset <= time <= onset + 6 * HOUR for time in times)

    @property
    def filter_in_time(self) -> bool:
        return any(time <= self.chart.t_ct + 48 * HOUR for time, _ in self.treatment.filter)
