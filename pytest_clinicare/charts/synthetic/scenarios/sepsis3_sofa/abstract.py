"""The chart abstract of a sepsis3-sofa case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    cultures = ", ".join(f"{what} {h:+g} h" for h, what in recipe["cultures"]) or "none"
    drugs = "; ".join(
        f"{agent} ordered {start:+g} h, {event} {first:+g} to {last:+g} h"
        if event != "none"
        else f"{agent} ordered {start:+g} h, no administration row"
        for agent, start, first, last, event in recipe["antibiotics"]
    )
    labs = "; ".join(
        f"{h:+g} h creatinine {creatinine:g}, platelets {platelets:g}, bilirubin {bilirubin or 'not measured'}"
        for h, creatinine, platelets, bilirubin in recipe["labs"]
    )
    gases = "; ".join(f"{h:+g} h {po2:g} {kind} on {oxygen or 'charted'}%" for h, po2, oxygen, kind in recipe["gases"])
    low = ", ".join(f"{value} at {h:+g} h" for h, value in recipe["pressures"]) or "none below 70"
    drips = "; ".join(
        f"{drug} " + ", ".join(f"{rate:g} from {a:+g} to {b:+g} h" for a, b, rate in parts)
        for drug, parts in recipe["infusions"]
    )
    prior = ", ".join(f"{value:g} {days} d before" for days, value in recipe["prior"]) or "none"
    vent = recipe["vent"] if recipe["vent"] == "none" else f"{recipe['vent'][0]:+g} to {recipe['vent'][1]:+g} h"
    _, begins, ends, _ = recipe["times"]
    return (
        f"{decisive} ICU {begins:+g} to {ends:+g} h. Cultures: {cultures}. Antibiotics: {drugs or 'none'}. "
        f"Labs: {labs}. "
        f"Gases: {gases or 'none'}. MAP {low}. Ventilated: {vent}; drips: {drips or 'none'}. "
        f"Earlier creatinine: {prior}. "
        f"Summary: {' '.join(recipe['summary'])}"
    )
