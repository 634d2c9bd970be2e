"""Two slips of an auditor who knows HEM-05: of numbers, and of what counts as given."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hit_4ts import findings
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import PLATELETS
from pytest_clinicare.systems.scripted.investigators.hit_4ts.investigation import Reading, begin, decide
from pytest_clinicare.systems.scripted.session import Session


def _whole(session: Session) -> tuple[Reading | None, Draft]:
    reading, draft = begin(session)
    if reading is not None:
        decide(reading, draft)
        findings.write(reading.chart, draft, reading.score, reading.second, reading.response)
    return reading, draft


def _numbers(reading: Reading, draft: Draft) -> None:
    """The lowest count of all, clumped or not, and a fall that is rounded up to the next ten."""
    found = reading.score
    if found is None or found.nadir is None:
        return
    every = valid_values(reading.chart.labs.rows, PLATELETS, "k/ul", high=3000)
    lowest = min(every, key=lambda v: v.value)
    if lowest.value < found.nadir.value and reading.chart.invalid:
        draft.finding("F2").measurement(f"Nadir {lowest.value}.", lowest, "nadir platelets", "K/uL")
        draft.conclude(Verdict.NO if draft.verdict is Verdict.YES else Verdict.YES, "A deep fall of platelets.")
    rounded = round(float(found.fall) / 10 + 0.2) * 10
    points = 2 if rounded >= 50 else 1 if rounded >= 30 else 0
    if points != found.parts["thrombocytopenia"].points:
        draft.finding("F6").status(
            f"4Ts thrombocytopenia {points}: about {rounded} %.", [found.nadir.ref], "4Ts thrombocytopenia", points
        )


def _given(reading: Reading, draft: Draft) -> None:
    """Warfarin takes heparin's place, and a D/C order stops it."""
    chart = reading.chart
    if chart.warfarin:
        first = chart.warfarin[0]
        draft.finding("F8").claim(
            "medication", "Warfarin replaced heparin.", [first.ref], name="alternative", value="warfarin"
        )
        draft.conclude(Verdict.YES, "Heparin was stopped and warfarin begun.")


def slips(session: Session) -> Draft:
    reading, draft = _whole(session)
    if reading is not None:
        _numbers(reading, draft)
        _given(reading, draft)
    return draft


MISTAKES = (slips,)
