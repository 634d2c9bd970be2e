"""Three slips of a pharmacist who knows PT-014."""

from __future__ import annotations

from pytest_clinicare.suite import Verdict
from pytest_clinicare.systems.scripted.clinical.drugs import class_of, main_ingredients
from pytest_clinicare.systems.scripted.clinical.medication_list import entries
from pytest_clinicare.systems.scripted.clinical.times import iso
from pytest_clinicare.systems.scripted.draft import Draft
from pytest_clinicare.systems.scripted.investigators.med_reconciliation.investigation import Chart, Reading, investigate
from pytest_clinicare.systems.scripted.session import Row, refs


def _orders_of(chart: Chart, ingredient: str) -> list[Row]:
    return [r for r in chart.orders.rows if ingredient in main_ingredients(str(r.get("drug") or ""))]


def _at_home(chart: Chart) -> list[str]:
    named = [ingredient for row in chart.medrecon.rows for ingredient in main_ingredients(str(row.get("name")))]
    return list(dict.fromkeys(named))


@investigate.slip
def ordered_is_continued(reading: Reading, draft: Draft) -> None:
    """Takes a home drug with an order to the end of the stay for continued, list or no list."""
    chart = reading.chart
    final = iso(chart.discharged)[:10]
    for ingredient in _at_home(chart):
        rows = [r for r in _orders_of(chart, ingredient) if str(r.get("stoptime") or "")[:10] >= final]
        if rows:
            draft.add(
                "F5", "comparison", f"{ingredient} is continued: its order is active.", name=ingredient,
                value="continued", evidence=[ref for ref in refs(rows) if ref.startswith("prescriptions:")],
            )  # fmt: skip
    if draft.verdict is Verdict.YES:
        draft.conclude(Verdict.NO, "Every home drug had an active order on the day of discharge.")


@investigate.slip
def order_ends_the_course(reading: Reading, draft: Draft) -> None:
    """Reads the length of an antibiotic off the stop time of the inpatient order."""
    chart = reading.chart
    if chart.leaving is None:
        return
    home = _at_home(chart)
    for entry in entries(chart.leaving):
        new = [i for i in entry.ingredients if i not in home and class_of(i) in ("antibacterial", "anti-infective")]
        for ingredient in new:
            rows = [r for r in _orders_of(chart, ingredient) if str(r.get("ref")).startswith("prescriptions:")]
            if rows:
                stop = str(rows[-1].get("stoptime"))
                draft.add(
                    "F8", "duration", f"{ingredient} runs until {stop}.", name=ingredient, value=stop,
                    evidence=refs(rows[-1:]),
                )  # fmt: skip
                draft.conclude(Verdict.NO, f"The course of {ingredient} has an end.")


@investigate.slip
def a_stop_is_a_gap(reading: Reading, draft: Draft) -> None:
    """Counts every home drug that is missing at the end, whatever the summary says of it."""
    chart = reading.chart
    if chart.leaving is None or not chart.medrecon.rows:
        return
    listed = {i for entry in entries(chart.leaving) for i in entry.ingredients}
    missing = [i for i in _at_home(chart) if i not in listed]
    for ingredient in missing:
        rows = [r for r in chart.medrecon.rows if ingredient in main_ingredients(str(r.get("name")))]
        draft.add(
            "F5", "difference", f"{ingredient} is not on the discharge list.", name=ingredient, value="T1 high",
            evidence=refs(rows),
        )  # fmt: skip
    if missing:
        draft.conclude(Verdict.YES, f"Missing at discharge: {', '.join(missing)}.")


MISTAKES = (ordered_is_continued, order_ends_the_course, a_stop_is_a_gap)
