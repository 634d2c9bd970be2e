"""The chart abstract of an anticoag-reversal case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    drug, dose = recipe["anticoagulant"]
    last = recipe["last_dose_h"]
    told = ", last dose unknown" if last == "unknown" else f" {dose:g} mg, last dose {last:g} h before T0"
    agents = []
    for product, amount, unit, ordered, minutes, event in recipe["agents"]:
        rows = ", ".join(f"{event} at +{minute} min" for minute in minutes) or "no administered row"
        agents.append(f"{product} {amount} {unit} ordered at +{ordered} min, {rows}")
    inr = "; ".join(f"{h:+g} h {value:g}" for h, value in recipe["inr"])
    hb = "; ".join(f"{h:+g} h {value:g}" for h, value in recipe["hb"])
    vitamin, home = recipe["vitamin_k"], recipe["home_order"]
    return (
        f"{decisive} Anticoagulant: {drug}{told}. Site: "
        f"{recipe['site']}; CT report {recipe['imaged_h']:g} h after arrival. INR: {inr}. Creatinine "
        f"{recipe['creatinine']:g} mg/dL. Hemoglobin in g/dL: {hb}. SBP in the ED (min from arrival): "
        f"{', '.join(f'{m} {v}' for m, v in recipe['sbp'])} mmHg. Weight {recipe['weight_kg']:g} kg, recorded: "
        f"{recipe['weight_from']}. Agents: {'; '.join(agents) or 'none'}. Plasma at min: "
        f"{', '.join(map(str, recipe['plasma'])) or 'none'}. Vitamin K: "
        f"{'none' if vitamin == 'none' else f'{vitamin[0]:g} mg {vitamin[1]} at +{vitamin[2]} min'}. "
        f"Home anticoagulant: {'no row' if home == 'none' else f'{home[1]} at {home[0]:+g} h'}. "
        f"Summary: {recipe['history']} {' '.join(recipe['summary'])}"
    )
