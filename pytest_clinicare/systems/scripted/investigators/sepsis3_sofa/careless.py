"""Slips of an auditor who knows CC-SEP-02."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.antibiotics import agent_of
from pytest_clinicare.systems.scripted.clinical.sofa import CNS, COMPONENTS, RENAL, Scored, glasgow
from pytest_clinicare.systems.scripted.clinical.times import iso, parse_time
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.sepsis3_sofa.investigation import Reading, investigate
from pytest_clinicare.systems.scripted.session import refs


@investigate.slip
def any_culture_any_order(reading: Reading, draft: Draft) -> None:
    """Pairs a screen or culture with prophylaxis or an order."""
    chart, suspicion = reading.chart, reading.suspicion
    orders = [r for r in chart.orders.rows if agent_of(str(r.get("drug") or ""))]
    for row in orders[:1]:
        draft.findings.pop("F3", None)
        draft.add(
            "F3", "medication", f"{row['drug']} was started {row['starttime']}.", name="antibiotic",
            value=str(row["drug"]), time=str(row["starttime"]), evidence=refs([row]),
        )  # fmt: skip
    screens = [row for culture in suspicion.screens for row in culture.rows]
    if screens:
        prophylaxis = [course.doses[0].ref for course, _ in suspicion.set_aside]
        draft.add(
            "F4", "index_event", "Pair of a culture and an antibiotic.", name="pair",
            time=str(screens[0]["charttime"]), evidence=[*refs(screens[:1]), *prophylaxis],
        )  # fmt: skip
    if orders and chart.cultures:
        draft.conclude(Verdict.YES, "Culture and antibiotic lie together, and organs failed.")


@investigate.slip
def everything_counts(reading: Reading, draft: Draft) -> None:
    """The worst values of the whole stay, Glasgow as charted, against a baseline of zero."""
    chart = reading.chart
    draft.findings.pop("F5", None)
    draft.findings.pop("F7", None)
    total = 0
    values: list[Scored] = [s for s in chart.scored if s.start >= chart.admitted]
    for row in chart.aside:
        time = parse_time(row["charttime"])
        if time:
            values.append(Scored(CNS, glasgow(3), time, time, "GCS 3", (str(row["ref"]),)))
    for name in COMPONENTS:
        worst = max((s for s in values if s.component == name), key=lambda s: (s.points, s.start), default=None)
        if worst is None:
            continue
        total += worst.points
        title = "GCS" if name == CNS else name
        draft.add(
            "F5", "measurement", f"{title}: {worst.told}, {worst.points} points.", name=title, value=worst.points,
            unit="points", time=iso(worst.start), evidence=worst.refs[:3],
        )  # fmt: skip
    draft.add(
        "F7", "status", "Baseline of the kidney: 0.", name=f"{RENAL} baseline", value=0,
        evidence=refs(chart.labs.rows[-1:]),
    )  # fmt: skip
    draft.conclude(Verdict.YES if total >= 2 else Verdict.NO, f"The total is {total}.")


@investigate.slip
def old_criteria(reading: Reading, draft: Draft) -> None:
    """Judges by SIRS and qSOFA."""
    cited = refs(reading.chart.vitals.rows[:3]) or (str(reading.chart.stay["ref"]),)
    draft.add("F8", "computation", "SIRS 3 of 4 and qSOFA 2.", name="SIRS", value=3, evidence=cited)
    draft.conclude(Verdict.YES if reading.suspicion.courses else Verdict.NO, "By SIRS and qSOFA.")


MISTAKES = (any_culture_any_order, everything_counts, old_criteria)
