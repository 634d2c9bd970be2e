"""The chart abstract of an overdose-disposition case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    agents = ", ".join(f"{drug} {form} {dose}" for drug, form, dose in recipe["agents"]) or "none"
    levels = ", ".join(f"{v or 'negative'} at {h:+g} h" for h, v in recipe["acetaminophen"]) or "not drawn"
    liver = ", ".join(f"ALT {alt}, INR {inr} at {h:+g} h" for h, alt, inr in recipe["alt_inr"])
    nac = ", ".join(f"{event} {h:+g} h" for h, event in recipe["nac"]) or "no administration"
    icu, order, (hours, where) = recipe["icu"], recipe["psychiatry_order"], recipe["release"]
    triggers = ", ".join(f"{kind} {h:+g} h" for kind, h, _ in recipe["triggers"]) or "none"
    return (
        f"{decisive} Agents: {agents}; ingestion {recipe['ingestion_time']} (h before arrival). Triage: "
        f"{recipe['complaint']}. Codes {', '.join(recipe['codes'])}. "
        f"From arrival: acetaminophen {levels} mcg/mL; {liver}; "
        f"acetylcysteine {nac}, order {recipe['nac_order']}; triggers {triggers}; "
        f"ICU {'none' if icu == 'none' else f'{icu[0]:g}-{icu[1]:g} h'}; psychiatry order {order}. "
        f"Released {hours:+g} h to {where}. Summary {recipe['discharge_summary']}: "
        f"{' '.join([*recipe['history'], *recipe['course']])}"
    )
