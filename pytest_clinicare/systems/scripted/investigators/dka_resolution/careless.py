"""Four slips of an auditor who knows RH-ENDO-02."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.clinical.values import reported_figure
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.dka_resolution.chart import HOUR, REPORTED_GAP
from pytest_clinicare.systems.scripted.investigators.dka_resolution.episode import MET, at_stop
from pytest_clinicare.systems.scripted.investigators.dka_resolution.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import Session, refs

IN_2024 = "ada-hyperglycemic-crises-2024"


@investigate.slip
def reported_gap(reading: Reading, draft: Draft) -> None:
    """Takes the gap that the laboratory prints, and a pH nobody measured for failed."""
    if reading.values is None or reading.chart.stop is None:
        return
    stop, values = reading.chart.stop, reading.values
    rows = [r for r in reading.chart.labs.rows if r.get("itemid") == REPORTED_GAP]
    rows = [r for r in rows if (t := parse_time(r.get("charttime"))) and stop - 6 * HOUR <= t <= stop]
    criteria = dict(values.criteria)
    for row in rows[-1:]:
        figure = reported_figure(row)
        assert figure is not None
        criteria["anion gap"] = MET if figure <= 12 else "failed"
        draft.findings["F5"] = []
        draft.add(
            "F5", "measurement", f"Anion gap {figure} mEq/L.", name="latest anion gap", value=float(figure),
            time=str(row["charttime"]), evidence=refs([row]),
        )  # fmt: skip
    for name, state in values.criteria.items():
        if state == "unknown":
            criteria[name] = "failed"
            draft.add(
                "F6", "status", f"The {name} criterion failed.", name=f"{name} criterion", value="failed",
                evidence=[reading.chart.segments[0].row["ref"]],
            )  # fmt: skip
    if draft.verdict.definitive and draft.verdict is Verdict.YES and list(criteria.values()).count(MET) < 2:
        draft.conclude(Verdict.NO, "The gap was still open.")


@investigate.slip
def newer_edition(reading: Reading, draft: Draft) -> None:
    """Asks for a bicarbonate of 18 and ketones below 0.6, as the edition of 2024 does."""
    span = reading.chart.session.policy(IN_2024, "4 Resolution")
    draft.findings["F8"] = []
    draft.add(
        "F8", "status", "The consensus of 2024 governs.", name="edition", value=IN_2024,
        evidence=[str(reading.chart.admission["ref"])], policy=[span],
    )  # fmt: skip
    values = reading.values
    if draft.verdict is Verdict.YES and values and values.bicarbonate and values.bicarbonate.value < 18:
        draft.conclude(Verdict.NO, "Bicarbonate is below 18.")


@investigate.slip
def nearest_to_the_stop(reading: Reading, draft: Draft) -> None:
    """Takes the panel nearest to the stop, before or after it."""
    if reading.values is None or reading.chart.stop is None:
        return
    chart, stop = reading.chart, reading.chart.stop
    later = at_stop(chart, stop + 6 * HOUR)
    if later.gap is None or later.bicarbonate is None:
        return
    draft.findings["F4"], draft.findings["F5"] = [], []
    draft.add(
        "F5", "computation", f"Gap {later.gap.told}.", name="latest anion gap", value=float(later.gap.value),
        time=iso(later.gap.time), evidence=later.gap.refs,
    )  # fmt: skip
    if draft.verdict in (Verdict.NO, Verdict.LACK) and later.gap.value <= 12 and later.bicarbonate.value >= 15:
        draft.conclude(Verdict.YES, "The gap had closed.")


def first_pause(session: Session) -> Draft:
    """Takes the first end of a segment for the stop, and so the sugars and panels before it."""
    reading, draft = investigate.begin(session)
    if reading is None or reading.chart.stop is None:
        return draft
    chart = reading.chart
    first = next((s for s in chart.segments if s.end and s.row.get("statusdescription") == "Paused"), chart.segments[0])
    assert first.end
    chart.stop = first.end
    return investigate.report(Reading(chart, reading.start, at_stop(chart, first.end)))


MISTAKES = (reported_gap, newer_edition, nearest_to_the_stop, first_pause)
