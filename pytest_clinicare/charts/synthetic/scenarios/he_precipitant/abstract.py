"""The chart abstract of a he-precipitant case: the recipe in words, with units and times."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    tap = f"{recipe['tap']:+g} h" if isinstance(recipe["tap"], float | int) else recipe["tap"]
    panels = ", ".join(f"Na {na}, K {k}, creatinine {cr} at {h:+g} h" for h, na, k, cr in recipe["panels"])
    clinic = ", ".join(f"creatinine {cr}, Hb {hb} {days} d before" for days, _, _, cr, hb in recipe["clinic"])
    blood = ", ".join(f"{value} at {h:+g} h" for h, value in recipe["hb"])
    cultures = ", ".join(f"{s} {h:+g} h {organism} {count}".strip() for s, h, organism, count in recipe["cultures"])
    drugs = ", ".join(f"{agent} {first:+g} to {last:+g} h" for agent, first, last in recipe["antibiotics"])
    chest = recipe["chest"] if recipe["chest"] == "none" else f"{recipe['chest'][1]} {recipe['chest'][0]:+g} h"
    head = recipe["head"] if recipe["head"] == "none" else f"{recipe['head'][1]} {recipe['head'][0]:+g} h"
    return (
        f"{decisive} Cirrhosis ({recipe['cause'][0]}) with overt HE on arrival. "
        f"Ascites {' by '.join(recipe['ascites'])}; "
        f"tap {tap}, {_fluid(recipe['fluid'])}. From admission: {panels} mmol/L and mg/dL; before: {clinic}; "
        f"Hb {blood} g/dL. Cultures: {cultures or 'none'}. Chest film {chest}; head CT {head}. "
        f"Antibiotics: {drugs or 'none'}. Procedures: "
        f"{', '.join(f'{code} {h:+g} h' for code, h in recipe['procedures']) or 'none'}. "
        f"Triage: {recipe['complaint']}. "
        f"Home: {', '.join(recipe['home'])}. Earlier stay: {_earlier(recipe['earlier'])}. "
        f"Summary: {' '.join([*recipe['history'], *recipe['course']])}"
    )


def _fluid(fluid: Any) -> str:
    if fluid == "none":
        return "no fluid"
    cells, polys, bands, rbc, grown = fluid
    return f"fluid {cells} cells/uL, polys {polys} %, bands {bands} %, RBC {rbc}/uL, culture {grown}"


def _earlier(earlier: Any) -> str:
    return "none" if earlier == "none" else f"{earlier[1]}, {earlier[0]} d before"
