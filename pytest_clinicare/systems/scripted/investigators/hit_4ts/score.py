"""The 4Ts by HEM-05: baseline, onset, nadir, the four components, T0 and the total (sections 3 to 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.investigators.hit_4ts import told
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import HOUR, Chart

DAY = 24 * HOUR
_PUMP = re.compile(r"performance of cardiac output|bypass coronary|replacement of .* valve.*open|extracorporeal", re.I)
_THIRTY, _FIFTY = Decimal(30), Decimal(50)


@dataclass(frozen=True)
class Part:
    """Points of a component, why, and what shows it."""

    points: int
    why: str
    evidence: tuple[str, ...]


@dataclass
class Score:
    """One reading of the fall. ``t0`` is None where no count reaches 4; ``total`` is the highest from there on."""

    baseline: Value
    onset: Value | None = None
    nadir: Value | None = None
    parts: dict[str, Part] = field(default_factory=dict)
    t0: Value | None = None
    total: int = 0

    @property
    def fall(self) -> Decimal:
        """Percent, not rounded."""
        if self.nadir is None:
            return Decimal(0)
        return (self.baseline.value - self.nadir.value) / self.baseline.value * 100


def drop(baseline: Decimal, count: Decimal) -> Decimal:
    return (baseline - count) / baseline * 100


def thrombocytopenia(fall: Decimal, nadir: Decimal) -> int:
    """More than 50 % and 20 or more: 2; 30 to 50 %, or 10 to 19: 1; less, or below 10: 0."""
    if fall < _THIRTY or nadir < 10:
        return 0
    return 2 if fall > _FIFTY and nadir >= 20 else 1


def evaluable(chart: Chart) -> bool:
    """Two valid counts after the first dose, and one from 7 days before it to 24 h after it."""
    if chart.first is None:
        return False
    after = [v for v in chart.counts if v.time > chart.first]
    near = [v for v in chart.counts if chart.first - 7 * DAY <= v.time <= chart.first + DAY]
    return len(after) >= 2 and bool(near)


def score(chart: Chart, since: Value | None = None) -> Score:
    """The score, or with ``since`` that of a second fall whose baseline is this recovered peak."""
    assert chart.first is not None
    first = chart.first
    window = [v for v in chart.counts if v.time >= first - 3 * DAY]
    if not any(v.time <= first + DAY for v in window):
        window = [v for v in chart.counts if v.time >= first - 7 * DAY]
    if since is not None:
        window = [v for v in window if v.time >= since.time]
    baseline, onset = window[0], None
    for value in window[1:]:
        if value.time > first and drop(baseline.value, value.value) >= _THIRTY:
            onset = value
            break
        if value.value > baseline.value:
            baseline = value
    found = Score(baseline, onset)
    after = [v for v in window if v.time > first]
    found.parts["timing"] = _timing(chart, found, window)
    for value in after:
        low = min((v for v in after if v.time <= value.time), key=lambda v: v.value)
        points = (
            thrombocytopenia(drop(baseline.value, low.value), low.value) if onset and value.time >= onset.time else 0
        )
        clot, other = _thrombosis(chart, value.time + DAY), _other(chart, found, value.time + DAY, low.value)
        timed = found.parts["timing"].points if onset and value.time >= onset.time else 0
        total = points + timed + clot.points + other.points
        if found.t0 is None and total >= 4:
            found.t0 = value
    end = _end(chart, found)
    period = [v for v in after if v.time <= end]
    found.nadir = min(period, key=lambda v: v.value, default=None)
    limit = found.t0.time + DAY if found.t0 else chart.left
    found.parts["thrombosis"] = _thrombosis(chart, limit)
    found.parts["other"] = _other(chart, found, limit, found.nadir.value if found.nadir else Decimal(100))
    if found.nadir is not None:
        points = thrombocytopenia(found.fall, found.nadir.value) if onset else 0
        found.parts["thrombocytopenia"] = Part(
            points,
            f"{baseline.value} to {found.nadir.value}, a fall of {found.fall:.1f} %",
            (baseline.ref, found.nadir.ref),
        )
    found.total = sum(part.points for part in found.parts.values())
    return found


def _end(chart: Chart, found: Score) -> datetime:
    """The later of T0 + 72 h and onset + 72 h, else discharge."""
    marks = [v.time + 3 * DAY for v in (found.t0, found.onset) if v]
    return max(marks, default=chart.left)


def exposure_days(chart: Chart) -> int | None:
    """Calendar days from the last heparin of an earlier stay to day 0."""
    if not chart.before or chart.first is None:
        return None
    return (chart.first.date() - chart.before[-1].end.date()).days


def _timing(chart: Chart, found: Score, window: list[Value]) -> Part:
    assert chart.first is not None
    if found.onset is None:
        return Part(0, "no count lies 30 % or more below the baseline, hence no onset", (found.baseline.ref,))
    onset, days = found.onset, exposure_days(chart)
    evidence = (onset.ref, chart.heparin[0].ref, *((chart.before[-1].ref,) if days is not None and days <= 100 else ()))
    day = (onset.time.date() - chart.first.date()).days
    points = _points(onset.time, chart.first, days)
    before = [v for v in window if v.time < onset.time]
    last = before[-1].time if before else chart.first
    if onset.time - last > 2 * DAY:
        between = [last + n * DAY for n in range(1, (onset.time - last).days + 1)]
        if any(_points(time, chart.first, days) != points for time in between):
            return Part(1, f"onset by day {day}, the day unclear", evidence)
    told_ = f"heparin {days} days before" if days is not None and days <= 100 else "no heparin in the 100 days before"
    return Part(points, f"onset on day {day} ({(onset.time - chart.first) / HOUR:.1f} h), {told_}", evidence)


def _points(time: datetime, first: datetime, days: int | None) -> int:
    """The table of section 4."""
    day = (time.date() - first.date()).days
    if day > 14:
        return 1
    if day >= 5:
        return 2
    if time <= first + DAY:
        return 0 if days is None or days > 100 else 2 if days <= 30 else 1
    return 1 if days is not None and days <= 100 else 0


def _thrombosis(chart: Chart, limit: datetime) -> Part:
    assert chart.first is not None
    seen = [said for time, said in told.clots(chart.radiology.items) if chart.first < time <= limit]
    if seen:
        return Part(2, f'new thrombosis: "{seen[0].text}"', (seen[0].ref,))
    if necrotic := told.necrosis(chart.mine):
        return Part(2, "skin necrosis", (necrotic[0].ref,))
    looked = [n.ref for n in (*chart.radiology.items[:8], *chart.mine)]
    return Part(0, "no new thrombosis or skin lesion", tuple(looked))


def _other(chart: Chart, found: Score, limit: datetime, count: Decimal) -> Part:
    """Definite 0, possible 1, otherwise 2; where there is no onset the causes are dated by the limit."""
    mark = found.onset.time if found.onset else limit
    pumped = [
        r
        for r in chart.procedures.rows
        if r.get("source") == "procedures_icd" and _PUMP.search(str(r.get("label") or ""))
        and timedelta(0) <= mark.date() - datetime.fromisoformat(str(r["chartdate"])[:10]).date() <= 3 * DAY
    ]  # fmt: skip
    if pumped:
        return Part(0, f"cardiopulmonary bypass on {pumped[0]['chartdate']}", tuple(str(r["ref"]) for r in pumped))
    grown = [c for c in chart.cultures if abs(c.collected - mark) <= 3 * DAY]
    if grown:
        refs = tuple(str(r["ref"]) for r in grown[0].rows)
        return Part(0, f"bacteraemia ({grown[0].isolates[0].organism}) of {iso(grown[0].collected)}", refs)
    if chemo := told.chemotherapy(chart.mine):
        given = chart.start - chemo[0] * DAY
        if timedelta(0) <= mark - given <= 21 * DAY and (mark.date() - given.date()).days <= 20:
            return Part(0, f'chemotherapy: "{chemo[1].text}"', (chemo[1].ref,))
    if dic := told.coagulopathy(chart.mine):
        return Part(0, f'"{dic[0].text}"', (dic[0].ref,))
    for said in (*told.sepsis(chart.mine), *told.ventilated(chart.mine)):
        return Part(1, f'possible: "{said.text}"', (said.ref,))
    looked = (*(n.ref for n in chart.mine), *(str(r["ref"]) for r in chart.microbiology.rows[:4]))
    return Part(2, "none apparent", looked)


def second_fall(chart: Chart) -> tuple[Value, Value, Value] | None:
    """First nadir, recovered peak and second onset after bypass, where the recovery was partial (section 8.3)."""
    pump = [
        r for r in chart.procedures.rows if r.get("source") == "procedures_icd" and _PUMP.search(str(r.get("label")))
    ]
    if not pump or chart.first is None:
        return None
    before = [v for v in chart.counts if iso(v.time)[:10] <= str(pump[0]["chartdate"])[:10]]
    if not before:
        return None
    base = max(before, key=lambda v: v.value)
    after = [v for v in chart.counts if v.time > base.time and v.time > before[-1].time]
    for n in range(2, len(after)):
        lowest = min(range(n), key=lambda at: after[at].value)
        since = after[lowest + 1 : n]
        if not since:
            continue
        nadir, peak, later = after[lowest], max(since, key=lambda v: v.value), after[n]
        partial = nadir.value * Decimal("1.1") < peak.value < base.value * Decimal("0.7")
        if partial and drop(base.value, nadir.value) >= _THIRTY and drop(peak.value, later.value) >= _THIRTY:
            return nadir, peak, later
    return None
