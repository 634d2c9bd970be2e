"""The chart abstract of an eol-goal-concordance case: the recipe in words, with times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    goals = "; ".join(
        f"{level} {source}{'' if source == 'charted' else f' ({kind})'} at {h:g} h"
        for h, level, source, kind in recipe["goals"]
    )
    given = "; ".join(
        f"{kind} {start:g} to {stop:g} h" + ("" if done == "yes" else " (ordered only)")
        for kind, start, stop, done, _ in recipe["interventions"]
    )
    sex, age = recipe["patient"]
    return (
        f"{decisive} {'Man' if sex == 'M' else 'Woman'} of {age}; hours from admission. "
        f"Code status: {goals or 'none ordered or charted'}. Treatment: {given or 'none'}. "
        f"End: {recipe['end']} at {recipe['death_h']:g} h. Codes: {', '.join(recipe['codes']) or 'none'}. "
        f"Summary: {' '.join(recipe['statements'])}"
    )
