"""The chart abstract of a sodium-correction case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    serum = ", ".join(
        f"{value} at {hour:+g} h{'' if comment == 'none' else f' ({comment.lower()})'}"
        for hour, value, comment in recipe["serum_sodium"]
    )
    gas = ", ".join(f"{value} at {hour:+g} h" for hour, value in recipe["gas_sodium"])
    potassium = ", ".join(f"{value} at {hour:+g} h" for hour, value in recipe["potassium"] if abs(hour) <= 24)
    glucose = ", ".join(f"{value} at {hour:+g} h" for hour, value in recipe["glucose"] if abs(hour) <= 48)
    given = "; ".join(f"{agent} {dose} at {hour:+g} h" for agent, hour, dose in recipe["treatment"])
    risk = " ".join(f"[{where}] {text}" for where, text in recipe["risk_statements"]) or "nothing on risk factors."
    return (
        f"{decisive} Index drawn at {recipe['index_clock']}. Serum sodium mmol/L: {serum}. Whole blood: {gas}. "
        f"Potassium: {potassium}. Glucose: {glucose}. Given: {given}. Summary: {risk} Onset: "
        f"{recipe['onset_statement']} {recipe['told']} Discharged {recipe['leaves']:g} h after the index."
    )
