"""Three slips of an auditor who knows RH-NEPH-03."""

from __future__ import annotations

from datetime import timedelta

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical import creatinine
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import Value
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.post_ct_aki import findings
from pytest_clinicare.systems.scripted.investigators.post_ct_aki.chart import Chart, gather
from pytest_clinicare.systems.scripted.investigators.post_ct_aki.investigation import investigate
from pytest_clinicare.systems.scripted.session import Session

_WINDOW = timedelta(hours=48)


def _judged(draft: Draft, base: Value, values: list[Value]) -> None:
    rising = [v for v in values if creatinine.qualifies(v.value, base.value)]
    if rising:
        draft.conclude(Verdict.YES, f"{rising[0].value} mg/dL after {base.value}: kidney injury followed the CT.")
    else:
        draft.conclude(Verdict.NO, f"No value rose enough above {base.value} mg/dL.")


def _baseline(draft: Draft, base: Value, tier: str) -> None:
    draft.findings.pop("F3", None)
    draft.add(
        "F3", "baseline", f"Baseline creatinine ({tier}): {base.value} mg/dL of {iso(base.time)}.", name=tier,
        value=float(base.value), unit="mg/dL", time=iso(base.time), evidence=[base.ref],
    )  # fmt: skip


def _scan(chart: Chart, session: Session) -> tuple[Draft, list[Value]]:
    """A report without verdict, and the values of the window."""
    draft = Draft(titles=findings.TITLES)
    _, scanned, _ = findings.index(chart, session, draft)
    return draft, creatinine.post_scan(chart.values, scanned) if scanned else []


def lowest_of_all_is_the_baseline(session: Session) -> Draft:
    """Takes the lowest creatinine ever measured before the admission for tier 1, whenever it was."""
    draft, chart = investigate(session), gather(session)
    if chart is None:
        return draft
    # The window of the search is left aside: all earlier values are asked for.
    rows = session.query("get_labs", items=[creatinine.SERUM_CREATININE], end=iso(chart.admitted)).rows
    earlier = [v for v in creatinine.serum_values(rows) if v.time < chart.start]
    if earlier:
        base = min(earlier, key=lambda v: v.value)
        _baseline(draft, base, "tier 1")
        _judged(draft, base, _scan(chart, session)[1])
    return draft


def arrival_is_the_baseline(session: Session) -> Draft:
    """Forgets the year before and compares with the first value of the stay, in whomever."""
    draft, chart = investigate(session), gather(session)
    if chart is None or not chart.in_encounter:
        return draft
    base = chart.in_encounter[0]
    _baseline(draft, base, "tier 2")
    _judged(draft, base, _scan(chart, session)[1])
    return draft


def order_starts_the_clock(session: Session) -> Draft:
    """Counts the 48 hours from the order of the CT, and any later value as their peak."""
    draft, chart = investigate(session), gather(session)
    if chart is None or not chart.ct_orders or not chart.in_encounter:
        return draft
    ordered = chart.ct_orders[0].time
    draft.findings.pop("F1", None)
    draft.add(
        "F1", "index_time", f"The CT was done at {iso(ordered)}.", name="T0", value=iso(ordered), time=iso(ordered),
        evidence=chart.ct_orders[0].refs,
    )  # fmt: skip
    after = [v for v in chart.in_encounter if v.time > ordered]
    within = [v for v in after if v.time <= ordered + _WINDOW]
    if after:
        peak = max(after, key=lambda v: v.value)
        draft.finding("F5").claim(
            "peak", f"Peak creatinine {peak.value} mg/dL.", [peak.ref], name="peak", value=float(peak.value),
            unit="mg/dL", time=iso(peak.time),
        )  # fmt: skip
    _judged(draft, chart.in_encounter[0], within)
    return draft


MISTAKES = (lowest_of_all_is_the_baseline, arrival_is_the_baseline, order_starts_the_clock)
