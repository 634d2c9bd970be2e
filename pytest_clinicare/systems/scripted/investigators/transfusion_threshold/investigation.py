"""Red-cell transfusion, decided in the order of TM-02 section 9."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigation import Investigation
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold import findings
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.chart import HOUR, gather
from pytest_clinicare.systems.scripted.investigators.transfusion_threshold.reading import Reading, read


def decide(reading: Reading, draft: Draft) -> None:
    """The first step that fits."""
    chart = reading.chart
    if chart.index is None:
        draft.reopens = "A charted red-cell unit."
        return draft.conclude(
            Verdict.LACK, "No red-cell unit is documented as given outside the operating room.", Verdict.YES
        )
    if chart.began is None:
        draft.reopens = "A start time of the unit."
        return draft.conclude(Verdict.LACK, "A unit was given, and nothing fixes its start to within 6 h.", Verdict.YES)
    if reading.exempt and reading.bleeding:
        return draft.conclude(
            Verdict.YES,
            f"Unstable bleeding: {reading.bleeding[0]} with {reading.unstable} within 6 h (24 h for a fall).",
        )
    if reading.last is None:
        draft.reopens = "A haemoglobin collected in the 24 h before the start."
        return draft.conclude(Verdict.LACK, "No haemoglobin was collected in the 24 h before the start.", Verdict.NO)
    assert reading.threshold is not None
    value, threshold = reading.last[0].value, reading.threshold
    when = f"{(chart.began - reading.last[0].time) / HOUR:.2f} h before the start at {iso(chart.began)}"
    if reading.syndrome and 8 <= value < 10:
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"Acute coronary syndrome with haemoglobin {value} g/dL: the standard gives no threshold.",
            Verdict.YES,
        )
    if reading.programme:
        return draft.conclude(Verdict.AMBIGUOUS, "A chronic or exchange transfusion programme has its own targets.")
    if value < threshold.value:
        return draft.conclude(
            Verdict.YES, f"Haemoglobin {value} g/dL, {when}, is below {threshold.value} ({threshold.setting})."
        )
    if value < 9 and reading.symptoms:
        return draft.conclude(
            Verdict.AMBIGUOUS,
            f"Haemoglobin {value} g/dL is at or above {threshold.value}, and the summary lays symptoms to the anaemia.",
            Verdict.NO,
        )
    return draft.conclude(
        Verdict.NO, f"Haemoglobin {value} g/dL, {when}, is not below {threshold.value} ({threshold.setting})."
    )


investigate = Investigation(findings.TITLES, gather, read, decide, findings.write)
