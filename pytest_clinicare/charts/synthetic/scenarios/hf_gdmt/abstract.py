"""The chart abstract of an hf-gdmt case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    anchor, group, year = recipe["calendar"]
    first, last = (min(int(part) + year - anchor, 2022) for part in group.split(" - "))
    values = "; ".join(f"{ef} % {days} d before discharge ({source})" for days, ef, source, _ in recipe["lvef"])
    hour, potassium, creatinine = recipe["labs"][-1]
    listed = recipe["discharge_list"]
    given = ", ".join(f"{row[0]} to {row[6]:g} h before discharge" for row in recipe["inpatient"])
    sex, age = recipe["patient"]
    return (
        f"{decisive} {'Woman' if sex == 'F' else 'Man'} of {age}. "
        f"Group {group}, d = {year - anchor}, years {first}-{last}. "
        f"LVEF {values or 'never stated'}. "
        f"Last potassium {potassium} mmol/L and creatinine {creatinine} mg/dL {hour:g} h before discharge; discharge "
        f"examination BP {recipe['vitals_last'][0]} mmHg systolic, HR {recipe['vitals_last'][1]}. "
        f"Discharge list: {'none' if listed == 'none' else '; '.join(listed)}. "
        f"Stopped: {'; '.join(recipe['stopped'])}. "
        f"Given in hospital: {given or 'none of the classes'}. Goes to: {recipe['disposition']}. "
        f"Summary: {' '.join(recipe['reasons'])}"
    )
