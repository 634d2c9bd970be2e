"""Two slips of an auditor who knows TM-02: of numbers, and of words."""

from __future__ import annotations

from decimal import Decimal

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.clinical.values import reported_figure, valid_values
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.chart import COUNT
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.investigation import investigate
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.reading import Reading
from pytest_clinicare.systems.scripted.session import refs


@investigate.slip
def lowest_against_seven(reading: Reading, draft: Draft) -> None:
    """Takes the lowest haemoglobin of the stay, whenever it was, and holds it against 7.0 in everybody."""
    chart = reading.chart
    rows = chart.session.query("get_labs", items=[COUNT], start=iso(chart.start), end=iso(chart.left)).rows
    values = valid_values(rows, COUNT, "g/dl", high=30)
    if chart.began is None or not values:
        return
    lowest = min(values, key=lambda v: v.value)
    for finding in ("F2", "F3"):
        draft.findings.pop(finding, None)
    draft.finding("F2").measurement(
        f"Haemoglobin {lowest.value} g/dL at {iso(lowest.time)}.", lowest, "last haemoglobin", "g/dL"
    )
    draft.finding("F3").status("The threshold is 7.0 g/dL.", [lowest.ref], "threshold", "7.0")
    below = lowest.value < 7
    draft.conclude(Verdict.YES if below else Verdict.NO, f"{lowest.value} is {'' if below else 'not '}below 7.0.")


@investigate.slip
def words_at_face_value(reading: Reading, draft: Draft) -> None:
    """Takes every raised troponin for a coronary syndrome and every mention of bleeding for bleeding."""
    raised = [r for r in reading.troponin if (figure := reported_figure(r)) and figure > Decimal("0.01")]
    if raised and not reading.syndrome:
        draft.findings.pop("F6", None)
        draft.finding("F6").status(
            "The troponin is raised: acute coronary syndrome.", refs(raised), "acute coronary syndrome", "present"
        )
        draft.conclude(Verdict.AMBIGUOUS, "With an acute coronary syndrome no threshold applies.")
    if reading.dismissed and not reading.bleeding:
        draft.findings.pop("F4", None)
        draft.finding("F4").status(
            f'Overt bleeding: "{reading.dismissed[0].text}"',
            [t.ref for t in reading.dismissed],
            "overt bleeding",
            "present",
        )
        if reading.unstable:
            draft.conclude(Verdict.YES, "Unstable bleeding.")


MISTAKES = (lowest_against_seven, words_at_face_value)
