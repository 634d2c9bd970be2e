"""Lung-protective ventilation, decided in the order of CC-07 section 6."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.gases import Gas, last_before
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.clinical.ventilator import (
    PEEP,
    PLATEAU,
    Charted,
    controlled_volumes,
    middle,
    values,
)
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective import findings
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.chart import HOUR, Chart, gather
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.height import Height, heights, predicted
from pytest_clinicare.systems.scripted.investigators.ards_lung_protective.imaging import (
    Imaging,
    Origin,
    Report,
    judge,
    origin,
    reports,
)
from pytest_clinicare.systems.scripted.session import Row

VOLUME_LIMIT, PLATEAU_LIMIT, RATIO_LIMIT, FEWEST = Decimal(8), Decimal(30), Decimal(300), 4
WEEK = timedelta(days=7)


@dataclass
class Reading:
    """What the findings say of one chart; ``onset`` is T0, where there is one."""

    chart: Chart
    films: list[Report] = field(default_factory=list)
    summary: Origin = field(default_factory=lambda: Origin("unstated", "", ""))
    usable: list[tuple[Gas, Row]] = field(default_factory=list)
    qualifying: Gas | None = None
    imaging: Imaging | None = None
    onset: datetime | None = None
    late: bool = False
    heights: list[Height] = field(default_factory=list)
    volumes: list[Charted] = field(default_factory=list)
    plateaus: list[Charted] = field(default_factory=list)

    @property
    def window(self) -> tuple[datetime, datetime] | None:
        if self.onset is None or self.chart.episode is None:
            return None
        return self.onset, min(self.onset + 24 * HOUR, self.chart.episode.end)

    def per_kilogram(self, height: Height) -> Decimal | None:
        """The median volume by predicted body weight."""
        volume = middle(self.volumes)
        return None if volume is None else volume / predicted(height.centimetres, self.chart.female)


def look(chart: Chart) -> Reading:
    reading = Reading(chart, reports(chart.radiology.items), origin(chart.mine))
    for gas in chart.gases:
        peep = last_before(chart.charted.rows, PEEP, gas.time, 2 * HOUR)
        if gas.ratio is not None and peep is not None and (reported_figure(peep) or 0) >= 5:
            reading.usable.append((gas, peep))
    for gas, _ in reading.usable:
        if gas.ratio is None or gas.ratio > RATIO_LIMIT:
            continue
        imaging = judge(reading.films, gas.time, reading.summary)
        late = gas.time > chart.arrival + WEEK
        first = reading.qualifying is None
        better = imaging.status == "open" and reading.imaging is not None and reading.imaging.status != "open"
        if imaging.status == "established" and not late:
            reading.qualifying, reading.imaging, reading.onset, reading.late = gas, imaging, gas.time, False
            break
        if first or better:
            reading.qualifying, reading.imaging, reading.late = gas, imaging, late
    reading.heights = heights(chart, reading.onset)
    if reading.window:
        reading.volumes = controlled_volumes(chart.charted.rows, *reading.window)
        reading.plateaus = values(chart.charted.rows, PLATEAU, *reading.window)
    return reading


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart = reading.chart
    if chart.episode is None:
        return draft.conclude(Verdict.LACK, "There was no invasive ventilation in this stay.")
    if not reading.usable:
        draft.reopens = "An arterial gas with its oxygen and a PEEP of at least 5 during ventilation."
        return draft.conclude(
            Verdict.LACK, "No arterial gas with a matched FiO2 and PEEP >= 5 was taken during ventilation.", Verdict.YES
        )
    if reading.onset is None:
        if reading.imaging and reading.imaging.status == "open":
            draft.reopens = "A later report or a note that names the cause of the opacities."
            return draft.conclude(
                Verdict.AMBIGUOUS,
                "Bilateral opacities are left open between cardiogenic edema and ARDS by every report and the summary.",
                Verdict.YES,
            )
        if reading.qualifying is None:
            why = "no arterial PaO2/FiO2 is 300 or less"
        elif reading.late:
            why = "onset lies more than 7 days after arrival and no recent insult is documented"
        else:
            why = reading.imaging.why if reading.imaging else "no chest imaging"
        return draft.conclude(Verdict.LACK, f"ARDS onset is not established: {why}; no limit is scored.", Verdict.NO)
    if not reading.heights:
        draft.reopens = "A height in any source."
        return draft.conclude(Verdict.LACK, "No height is on record, so predicted body weight is unknown.", Verdict.NO)
    if len(reading.volumes) < FEWEST:
        return draft.conclude(
            Verdict.LACK, f"Only {len(reading.volumes)} controlled-mode tidal volumes lie in the window.", Verdict.YES
        )
    return _limits(reading, draft)


def _limits(reading: Reading, draft: Draft) -> None:
    scored = [(reading.per_kilogram(height), height) for height in reading.heights]
    above = [figure is not None and figure > VOLUME_LIMIT for figure, _ in scored]
    told = " or ".join(f"{figure:.2f} mL/kg" for figure, _ in scored if figure is not None)
    if any(above) and not all(above):
        draft.reopens = "A height that settles which of the two is right."
        return draft.conclude(
            Verdict.AMBIGUOUS, f"Two heights of equal rank give {told}, on both sides of 8.0.", Verdict.NO
        )
    if all(above):
        return draft.conclude(Verdict.NO, f"The median tidal volume is {told} predicted body weight, above 8.0.")
    plateau = middle(reading.plateaus)
    if plateau is None:
        draft.reopens = "Plateau pressures of the window."
        return draft.conclude(
            Verdict.LACK, f"Tidal volume passes ({told}), but no plateau pressure was charted.", Verdict.YES
        )
    if plateau > PLATEAU_LIMIT:
        return draft.conclude(Verdict.NO, f"The median plateau pressure is {plateau} cmH2O, above 30.")
    return draft.conclude(Verdict.YES, f"Median tidal volume {told} (at most 8.0) and plateau {plateau} (at most 30).")


def write(reading: Reading, draft: Draft) -> None:
    """All findings."""
    if not reading.chart.mine:
        draft.missing.append("There is no discharge summary of the admission.")
    findings.episode(reading.chart, draft)
    findings.onset(reading, draft)
    findings.opacities(reading, draft)
    findings.heart(reading, draft)
    findings.height(reading, draft)
    findings.weight(reading, draft)
    findings.volumes(reading, draft)
    findings.plateaus(reading, draft)


def hours(reading: Reading, time: datetime) -> str:
    """How long after T0."""
    return "" if reading.onset is None else f"{(time - reading.onset) / HOUR:+.1f} h, {iso(time)}"


investigate = Investigation(
    findings.TITLES,
    gather,
    look,
    decide,
    write,
    absent="The ICU stay is not on record.",
)
