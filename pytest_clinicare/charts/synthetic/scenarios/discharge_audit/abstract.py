"""The chart abstract of a discharge-audit case: the recipe in words, hours before and after discharge."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    """Sentences that a clinician checks the case by."""
    specimens = "; ".join(
        f"{kind} {before:g} h before, stored {abs(stored):g} h {'before' if stored < 0 else 'after'} dischtime "
        f"({', '.join(grown) or 'no growth'})"
        for kind, before, stored, grown in recipe["specimens"]
    )
    drugs = "; ".join(
        f"{agent} until {last:g} h before dischtime, {'listed' if line else 'not listed'}"
        for agent, _, last, line in recipe["drugs"]
    )
    exam, _, _, _, impression = recipe["imaging"]
    return (
        f"{decisive} Note {recipe['note_state']}; discharge_location {recipe['location']}, note "
        f"'{recipe['disposition']}'. First-listed code {recipe['principal']}; discharge diagnosis: "
        f"{recipe['diagnosis'] or 'empty'}. Condition: {recipe['condition'] or 'empty'} Follow-up: "
        f"{recipe['follow_up'] or 'empty'} Course: {' '.join(recipe['course']) or 'nothing further'} "
        f"Transitional: {' '.join(recipe['transitional'])} Specimens: {specimens}. Drugs: {drugs or 'none'}; at home "
        f"and listed: {recipe['chronic']}. Procedures coded: "
        f"{', '.join(code for code, _ in recipe['procedures']) or 'none'}, note '{recipe['procedure_line']}'. "
        f"{exam}: {impression} Labs: {', '.join(f'{i} {v:g}' for i, v in recipe['labs'])}."
    )
