"""The chart abstract of an abx-deescalation case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    organism, specimen, sets, _ = recipe["isolate"]
    stain, known, final = recipe["result_times"]
    readings = {reading: [drug for drug, r in recipe["panel"] if r == reading] for reading in "SIR"}
    panel = "; ".join(f"{reading}: {', '.join(drugs)}" for reading, drugs in readings.items() if drugs)
    doses = "; ".join(
        f"{agent} {first:+g} to {last:+g} h ({event})" if first != last else f"{agent} {last:+g} h ({event})"
        for agent, first, last, event in recipe["doses"]
    )
    orders = "; ".join(f"{agent} {start:+g} to {stop:+g} h" for agent, start, stop, _ in recipe["orders"])
    others = "; ".join(f"{kind}: {found}, result {stored:+g} h" for kind, found, _, stored in recipe["other_cultures"])
    count, when = recipe["anc"]
    hours, kind, listed = recipe["exit"]
    leaves = ", ".join(listed) or "no antibiotic"
    return (
        f"{decisive} Index culture: {organism} from {specimen} ({sets}). Reports after collection: Gram stain "
        f"{stain:g} h, identification {known:g} h, panel (T_final) {final:g} h. Panel: {panel}. "
        f"Hours from T_final: given {doses or 'none'}; ordered {orders}; ANC {count:g} K/uL at {when:+g} h; "
        f"{kind} at {hours:+g} h with {leaves} on the list. Other cultures: {others or 'none'}. "
        f"Reason to continue named: {recipe['source_note']}"
    )
