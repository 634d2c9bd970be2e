"""What followed T0 (HEM-05 7): whether every heparin stopped, and what was given in its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from pytest_clinicare.systems.scripted.clinical.times import parse_time
from pytest_clinicare.systems.scripted.investigators.hit_4ts import told
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import ANTIBODY, HOUR, Chart, Given
from pytest_clinicare.systems.scripted.investigators.hit_4ts.told import Told
from pytest_clinicare.systems.scripted.session import Row

_COMFORT = ("comfort measures", "cmo")


@dataclass
class Response:
    """``late`` heparin after T0 + 24 h that counts; ``accepted`` alternatives of T0 to T0 + 24 h; ``cut`` the event
    that ended the window before its time."""

    last: Given | None = None
    late: list[Given] = field(default_factory=list)
    started: list[Given] = field(default_factory=list)
    accepted: list[Given] = field(default_factory=list)
    negative: Row | None = None
    reason: list[Told] = field(default_factory=list)
    cut: str = ""

    @property
    def complete(self) -> bool:
        return not self.late and bool(self.accepted)


def respond(chart: Chart, t0: datetime, total: int) -> Response:
    limit, horizon = t0 + 24 * HOUR, min(t0 + 96 * HOUR, chart.left)
    out = Response()
    results = [
        r for r in chart.labs.rows if r["itemid"] == ANTIBODY and str(r.get("value") or "").upper().startswith("NEG")
    ]
    known = [(t, r) for r in results if (t := parse_time(r.get("storetime")))]
    if known:
        out.negative = min(known, key=lambda pair: pair[0])[1]
    resulted = parse_time(out.negative["storetime"]) if out.negative else None
    given = [g for g in chart.heparin if g.start <= horizon]
    out.last = max(given, key=lambda g: g.end, default=None)
    out.late = [g for g in given if g.end > limit and not (resulted and g.start > resulted)]
    out.started = [g for g in chart.alternatives if t0 < g.end and g.start <= limit]
    risk = bool(told.bleeding_risk(chart.mine)) and total <= 5
    out.accepted = [g for g in out.started if therapeutic(chart, g) or risk]
    out.reason = told.reason(chart.mine)
    if resulted is not None and resulted > limit:
        out.negative = None
    comfort = [
        t
        for r in chart.code_status.rows
        if any(word in str(r.get("details") or r.get("value")).lower() for word in _COMFORT)
        and (t := parse_time(r.get("time") or r.get("ordertime")))
    ]
    if chart.left < limit:
        out.cut = "death" if chart.died else "discharge"
    elif any(t < limit for t in comfort):
        out.cut = "comfort measures only"
    return out


def therapeutic(chart: Chart, given: Given) -> bool:
    """Section 7.4."""
    if given.agent in ("argatroban", "bivalirudin", "danaparoid"):
        return True
    amount = chart.amount(given)
    if amount is None:
        return False
    wanted = {
        "fondaparinux": Decimal(5) <= amount <= Decimal(10),
        "apixaban": amount in (5, 10),
        "rivaroxaban": amount in (15, 20),
        "edoxaban": amount == 60,
        "dabigatran": amount == 150,
    }
    return wanted[given.agent]
