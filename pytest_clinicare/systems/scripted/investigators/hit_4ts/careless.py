"""Three slips of an auditor who knows HEM-05: two of numbers, and one of what replaces heparin."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.values import valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.hit_4ts.chart import PLATELETS
from pytest_clinicare.systems.scripted.investigators.hit_4ts.investigation import Reading, investigate


def clumps_count(reading: Reading, draft: Draft) -> None:
    """Takes the lowest count of all for the nadir, clumped or not."""
    found = reading.score
    if found is None or found.nadir is None or not reading.chart.invalid:
        return
    every = valid_values(reading.chart.labs.rows, PLATELETS, "k/ul", high=3000)
    lowest = min(every, key=lambda v: v.value)
    if lowest.value < found.nadir.value:
        draft.finding("F2").measurement(f"Nadir {lowest.value}.", lowest, "nadir platelets", "K/uL")
        draft.conclude(Verdict.NO if draft.verdict is Verdict.YES else Verdict.YES, "A deep fall of platelets.")


def rounded_up(reading: Reading, draft: Draft) -> None:
    """Rounds the fall up to the next ten before scoring it."""
    found = reading.score
    if found is None or found.nadir is None:
        return
    rounded = round(float(found.fall) / 10 + 0.2) * 10
    points = 2 if rounded >= 50 else 1 if rounded >= 30 else 0
    if points != found.parts["thrombocytopenia"].points:
        draft.finding("F6").status(
            f"4Ts thrombocytopenia {points}: about {rounded} %.", [found.nadir.ref], "4Ts thrombocytopenia", points
        )


def warfarin_is_an_alternative(reading: Reading, draft: Draft) -> None:
    """Lets warfarin take heparin's place."""
    for first in reading.chart.warfarin[:1]:
        draft.finding("F8").claim(
            "medication", "Warfarin replaced heparin.", [first.ref], name="alternative", value="warfarin"
        )
        draft.conclude(Verdict.YES, "Heparin was stopped and warfarin begun.")


# Few patients give occasion to any of them, so that all are made together.
MISTAKES = (investigate.slip(clumps_count, rounded_up, warfarin_is_an_alternative),)
