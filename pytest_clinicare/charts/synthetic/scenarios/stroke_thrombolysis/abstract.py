"""The chart abstract of a stroke-thrombolysis case: the recipe in words, minutes from arrival."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    collected, resulted, inr, pt, ptt, platelets, glucose = recipe["labs"]
    pressures = ", ".join(f"{high}/{low} at {at:+d}" for at, high, low in recipe["pressures"])
    given = ", ".join(f"{amount} mg at {at:+d} ({event})" for amount, at, event in recipe["alteplase"])
    agent = recipe["anticoagulant"]
    drug = "no anticoagulant" if agent == "none" else f"{agent[0]}, last dose {agent[1]} h before arrival"
    clock = recipe["clock"]
    order = recipe["order"]
    ordered = "none" if order == "none" else f"{order:+d} min{', discontinued' if recipe['dc'] == 'yes' else ''}"
    return (
        f"{decisive} Minutes from arrival at {clock // 60:02d}:{clock % 60:02d}. {recipe['patient'][1]} years. "
        f"Last known well {recipe['lkw']}, discovery {recipe['found']}, triage text: {recipe['triage_told']}. "
        f"Alteplase: {given or 'none given'}; order {ordered}; weight {recipe['weight']} kg. Pressures: {pressures}. "
        f"Laboratory collected {collected:+d}, resulted {resulted:+d}: INR {inr}, PT {pt}, aPTT {ptt}, platelets "
        f"{platelets}, glucose {glucose}; platelets a month before {recipe['clinic_platelets']}. {drug.capitalize()}. "
        f"NIHSS {recipe['nihss']}. History: {', '.join(recipe['history'])}. Line clearance: {recipe['clearance']}. "
        f"Summary: {recipe['lkw_told']} {recipe['severity']} {recipe['decision']}"
    )
