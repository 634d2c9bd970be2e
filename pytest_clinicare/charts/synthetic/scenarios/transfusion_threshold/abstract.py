"""The chart abstract of a transfusion-threshold case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    values = "; ".join(
        f"{h:+g} h {value:g} ({kind})" for h, value, kind in recipe["hb"] if -48 <= h <= 24 and kind in ("cbc", "gas")
    )
    units = ", ".join(f"{h:+g} h in the {where}" for h, where in recipe["units"]) or "none charted"
    troponin = ", ".join(f"{value:g}" if value else "<0.01" for _, value in recipe["troponin"])
    surgery, pressor = recipe["surgery"], recipe["vasopressor"]
    lowest = min(recipe["sbp"], key=lambda row: row[1])
    withdrawn = recipe["order"][1]
    return (
        f"{decisive} Red cells: {units} (hours from the start, {recipe['start_h']:g} h after arrival; source "
        f"{recipe['index_source']}); order at {recipe['order'][0]:+g} h, "
        f"{'not withdrawn' if withdrawn == 'none' else f'D/C at {withdrawn:+g} h'}. "
        f"Hemoglobin in g/dL from 48 h before to 24 h after: {values}. "
        f"Operation: {'none' if surgery == 'none' else f'{surgery[0]} at {surgery[1]:+g} h'}; "
        f"history: {recipe['past']}; troponin T {troponin} ng/mL. "
        f"Lowest SBP of the 24 h before: {lowest[1]} mmHg at -{lowest[0]:g} h; "
        f"vasopressor {'none' if pressor == 'none' else f'{pressor[0]:+g} to {pressor[1]:+g} h'}. "
        f"Summary: {' '.join(recipe['summary'])}"
    )
