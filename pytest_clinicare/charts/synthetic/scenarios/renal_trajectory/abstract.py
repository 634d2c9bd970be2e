"""The chart abstract of a renal-trajectory case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    person = "Man" if recipe["sex"] == "M" else "Woman"
    parts = []
    for number, (age, days, stay, lowest, peak, (before, last), dates) in enumerate(recipe["admissions"]):
        parts.append(
            f"admission {number + 1} at {age} (day {days}, {stay} d): lowest {lowest}, peak {peak}, "
            f"last two {before} and {last}, "
            f"{dates} date(s), CKD code {recipe['ckd_codes'][number]}, AKI {recipe['aki'][number]}"
        )
    weights = recipe["weight_lb"]
    weight = "none" if weights == "none" else "; ".join(f"{lb} lb on day {day}" for day, lb in weights)
    return (
        f"{decisive} {person}; creatinine in mg/dL. {'; '.join(parts)}. Replacement: {recipe['replacement']}. "
        f"Outpatient weight: {weight}. Cystatin C: {recipe['cystatin_c']}."
    )
