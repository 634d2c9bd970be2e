"""The chart abstract of a cdi-treatment case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    anchor, group, year = recipe["calendar"]
    first = int(group[:4]) + year - anchor
    assays = ", ".join(f"{kind} {result}" for _, kind, result, _ in recipe["assays"])
    labs = "; ".join(
        f"{h:+g} h WBC {cells:g}, creatinine {creatinine:g}" for h, cells, creatinine in recipe["labs"] if abs(h) <= 24
    )
    doses = "; ".join(
        f"{agent} {amount} {often} {start:+g} to {stop:+g} h ({event})"
        for agent, amount, often, start, stop, event in recipe["doses"]
    )
    pressures = ", ".join(f"{value} at {h:+g} h" for h, value in recipe["pressures"]) or "none low"
    pressor, imaging = recipe["vasopressor"], recipe["imaging"]
    prior = recipe["prior_episode"]
    return (
        f"{decisive} Possible years {first}-{first + 2}. Stool: {assays}, "
        f"result {recipe['result']:g} h after collection. "
        f"Within 24 h of collection: {labs}; SBP {pressures}; "
        f"norepinephrine {'none' if pressor == 'none' else f'{pressor[0]:+g} to {pressor[1]:+g} h'}; "
        f"abdominal film {'none' if imaging == 'none' else imaging[1]}; laxative {recipe['laxative']}. "
        f"Hours from the result: given {doses or 'nothing'}. "
        f"Earlier episode: {'none' if prior == 'none' else f'{prior[0]} days before, {prior[1]}'}. "
        f"Summary: {' '.join(recipe['summary'])}"
    )
