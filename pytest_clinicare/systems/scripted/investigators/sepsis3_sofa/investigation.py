"""Sepsis-3, decided in the order of CC-SEP-02 section 7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.gases import CHARTED_OXYGEN, fraction
from pytest_clinicare.systems.scripted.clinical.sofa import COMPONENTS, Scored, Worst, periods, within
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa import findings
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.baseline import (
    Baseline,
    baselines,
    contested,
    excluded,
)
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.chart import Chart, gather, urine
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.suspicion import Pair, Suspicion, suspect

RISE, MEASURED = 2, 4


@dataclass(frozen=True)
class Score:
    """The rises of one pair: ``clear`` from uncontested points and known baselines, ``known`` with contested points,
    ``possible`` with components of unknown baseline counted from 0. ``worst`` is the 24 h of ``known``."""

    pair: Pair
    clear: int
    known: int
    possible: int
    worst: Worst
    measured: tuple[str, ...]
    blind: bool

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name in COMPONENTS if name not in self.measured)


@dataclass
class Reading:
    """What the findings say of one chart."""

    chart: Chart
    suspicion: Suspicion
    base: Mapping[str, Baseline] = field(default_factory=dict)
    disputed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    excluded: tuple[str, str] | None = None
    scores: list[Score] = field(default_factory=list)

    @property
    def leading(self) -> Score | None:
        """The pair that is reported in detail: of the highest rise, the earliest."""
        best: Score | None = None
        for score in self.scores:
            if best is None or (score.clear, score.known, score.possible) > (best.clear, best.known, best.possible):
                best = score
        return best


def look(chart: Chart) -> Reading:
    reading = Reading(chart, suspect(chart), baselines(chart), contested(chart))
    pairs = reading.suspicion.pairs
    reading.excluded = excluded(chart, [c for c in reading.suspicion.courses if any(p.course is c for p in pairs)])
    seen = set()
    for pair in pairs:
        if pair.onset not in seen:
            seen.add(pair.onset)
            reading.scores.append(score(reading, pair))
    return reading


def score(reading: Reading, pair: Pair) -> Score:
    chart, (start, end) = reading.chart, pair.window
    found: list[Scored] = [*chart.scored, *urine(chart, pair.window)]
    all_periods = periods(found, start, end)

    def rise(worst: Worst, *, disputed: bool, unknown: bool) -> int:
        total = 0
        for name, points in worst.points.items():
            base = reading.base[name].points
            if (name in reading.disputed and not disputed) or (base is None and not unknown):
                continue
            total += max(points - (base or 0), 0)
        return total

    # Of periods that rise alike, the one in which most was measured is told.
    worst = max(all_periods, key=lambda w: (rise(w, disputed=True, unknown=True), len(w.points)))
    known = max(all_periods, key=lambda w: (rise(w, disputed=True, unknown=False), len(w.points)))
    clear = max(all_periods, key=lambda w: (rise(w, disputed=False, unknown=False), len(w.points)))
    inside = within(found, start, end)
    measured = tuple(name for name in COMPONENTS if any(s.component == name for s in inside))
    return Score(
        pair,
        rise(clear, disputed=False, unknown=False),
        rise(known, disputed=True, unknown=False),
        rise(worst, disputed=True, unknown=True),
        clear if rise(clear, disputed=False, unknown=False) >= RISE else worst,
        measured,
        _blind(chart, pair),
    )


def _blind(chart: Chart, pair: Pair) -> bool:
    """Ventilation or an FiO2 of 0.50 or more in the window, and no arterial gas."""
    start, end = pair.window
    if any(gas.arterial and start <= gas.time <= end for gas in chart.gases):
        return False
    if any(begin <= end and start <= stop for begin, stop in chart.support):
        return True
    for row in chart.vitals.rows:
        time = parse_time(row.get("charttime"))
        if row.get("itemid") == CHARTED_OXYGEN and time and start <= time <= end:
            share = fraction(reported_figure(row))
            if share is not None and share * 2 >= 1:
                return True
    return False


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart, scores = reading.chart, reading.scores
    if not chart.administered and chart.ordered:
        draft.reopens = "The administration record of the stay."
        return draft.conclude(
            Verdict.LACK, "Antibiotics were prescribed and the admission has no administration record.", Verdict.YES
        )
    if not scores and reading.suspicion.unsettled:
        draft.reopens = "The hour of the culture."
        return draft.conclude(Verdict.LACK, "The pair depends on the hour of a culture known by date.", Verdict.YES)
    if not scores:
        return draft.conclude(Verdict.NO, "No diagnostic culture pairs with an administered antibiotic in the period.")
    met = [s for s in scores if s.clear >= RISE]
    if met and reading.excluded is None:
        best = reading.leading
        assert best is not None
        return draft.conclude(
            Verdict.YES, f"SOFA rose by {best.clear} within the window around onset {iso(best.pair.onset)}."
        )
    if any(s.known < RISE <= s.possible for s in scores):
        draft.reopens = "An earlier value that sets the baseline."
        return draft.conclude(
            Verdict.LACK, "The rise reaches 2 only if a component of unknown baseline is counted from 0.", Verdict.YES
        )
    if any(s.known < RISE and (len(s.measured) < MEASURED or s.blind) for s in scores):
        draft.reopens = "Values of the components that were not measured."
        return draft.conclude(
            Verdict.LACK, "The rise is below 2 and too little was measured to exclude a higher one.", Verdict.NO
        )
    if any(s.known >= RISE for s in scores):
        why = "infection was excluded" if reading.excluded else "the points are attributed to another cause"
        return draft.conclude(Verdict.AMBIGUOUS, f"SOFA rose by 2 or more, but by the summary {why}.", Verdict.YES)
    top = max(s.known for s in scores)
    return draft.conclude(Verdict.NO, f"Every pair has a rise below 2 (highest {top}) with adequate sampling.")


investigate = Investigation(
    findings.TITLES, gather, look, decide, findings.write, absent="The ICU stay or its times are not on record."
)
