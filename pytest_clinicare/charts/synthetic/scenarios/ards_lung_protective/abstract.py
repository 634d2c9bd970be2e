"""The chart abstract of an ards-lung-protective case: the recipe in words, with units and times."""

from __future__ import annotations

from statistics import median

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    sex, age, weight = recipe["patient"]
    heights = ", ".join(f"{value:g} {unit} ({source})" for source, value, unit, _, _ in recipe["heights"]) or "none"
    inside = [row for row in recipe["settings"] if 0 < row[0] <= 24]
    volumes = [row[2] for row in inside if row[2]]
    plateaus = [row[5] for row in inside if row[5]]
    gases = "; ".join(
        f"{h:+g} h pO2 {po2:g} {kind}" + (f" on {oxygen:g}%" if oxygen else "")
        for h, po2, oxygen, kind in recipe["gases"]
    )
    films = "; ".join(f"{h:+g} h {impression}" for h, _, impression in recipe["imaging"])
    start, end = recipe["vent"]
    return (
        f"{decisive} {sex}, {age} years, {weight:g} kg, height {heights}. Ventilated {start:+g} to {end:+g} h from the "
        f"qualifying gas. Gases: {gases}. Films: {films}. In 24 h after it {len(volumes)} set volumes, "
        f"{min(volumes, default=0):g}-{max(volumes, default=0):g}, median {median(volumes) if volumes else 0:g} mL; "
        f"plateau {', '.join(f'{p:g}' for p in plateaus) or 'none'} cmH2O. Summary: {' '.join(recipe['summary'])}"
    )
