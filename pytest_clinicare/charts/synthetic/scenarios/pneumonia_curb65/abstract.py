"""The chart abstract of a pneumonia-curb65 case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe
from pytest_clinicare.charts.synthetic.scenarios.pneumonia_curb65.points import bounds


def abstract(recipe: Recipe, decisive: str) -> str:
    sex, anchor_age, anchor_year, year = recipe["patient"]
    vitals = "; ".join(
        f"{h:+g} h ({source}) RR {rate}, BP {systolic}/{diastolic}"
        for h, source, rate, systolic, diastolic in recipe["vitals"]
    )
    urea = ", ".join(f"{value} at {h:+g} h" for h, value in recipe["bun"])
    icu = recipe["icu"]
    least, most = bounds(recipe)
    return (
        f"{decisive} {sex}, age {anchor_age + year - anchor_year} (anchor age {anchor_age} in {anchor_year}, admitted "
        f"{year}); arrival: {recipe['arrival']}; ICU {'none' if icu == 'none' else f'{icu[0]:+g} to {icu[1]:+g} h'}. "
        f"Urea nitrogen (mg/dL): {urea}. Vital signs: {vitals or 'none'}. "
        f'Examination on arrival: "{recipe["mental_status"][0]}"; history: {recipe["past"]}. '
        f"Films: {', '.join(f'{h:+g} h {finding}' for h, finding, _ in recipe['imaging'])}. "
        f"Summary: {recipe['diagnosis_text']} {recipe['severity']} Items give {least} to {most}."
    )
