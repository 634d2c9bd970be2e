"""The chart abstract of a hit-4ts case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    counts = "; ".join(
        f"{h:+g} h {count:g}{'' if comment == 'none' else f' ({comment})'}" for h, count, comment in recipe["counts"]
    )
    courses = "; ".join(f"{drug} {first:+g} to {last:+g} h ({event})" for drug, first, last, event in recipe["courses"])
    orders = "; ".join(f"{drug} {start:+g} to {stop:+g} h" for drug, start, stop in recipe["orders"]) or "none"
    ended = "; ".join(f"{drug} at {h:+g} h" for drug, h in recipe["discontinued"]) or "none"
    parts = {
        "venous ultrasound": recipe["duplex"],
        "head CT": recipe["head_ct"],
        "bacteremia": recipe["bacteraemia"],
        "antibody": recipe["antibody"],
        "bypass": recipe["bypass"],
    }
    told = "; ".join(f"{name} {_short(value)}" for name, value in parts.items())
    before = recipe["earlier"]
    told = f"earlier heparin {'none' if before == 'none' else f'to {before[0]} days before day 0'}; {told}"
    return (
        f"{decisive} Hours from the first heparin dose or order. "
        f"Platelets in 10^9/L: {counts}. Given: {courses or 'nothing'}. Ordered without a course: {orders}. "
        f"D/C orders: {ended}. {told[0].upper()}{told[1:]}. Leaves at {recipe['stay']:+g} h"
        f"{' (death)' if recipe['died'] == 'yes' else ''}"
        f"{' (transferred in)' if recipe['transferred'] == 'yes' else ''}. "
        f"Summary: {' '.join(recipe['summary'])}"
    )


def _short(value: object) -> str:
    if not isinstance(value, list):
        return f"{value:+g} h" if isinstance(value, float) else str(value)
    return " ".join(f"{part:+g} h" if n == 0 else str(part) for n, part in enumerate(value[:3]))
