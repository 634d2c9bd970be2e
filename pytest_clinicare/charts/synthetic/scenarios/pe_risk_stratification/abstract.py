"""The chart abstract of a pe-risk-stratification case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    sex, age = recipe["patient"]
    signs = "; ".join(f"{h:+.2f} h {where} SBP {sbp}, HR {hr}, SpO2 {o2}" for h, where, sbp, hr, o2 in recipe["bp"])
    drugs = "; ".join(
        f"{drug} {dose} {unit} {route} {often} ordered {start:+g} h, "
        + (", ".join(f"{event} {h:+g} h" for h, event in given) or "no administration")
        for drug, dose, unit, route, often, start, _, given in recipe["anticoagulant"]
    )
    pressors = "; ".join(f"{agent} {start:+g} to {end:+g} h" for agent, start, end in recipe["vasopressors"])
    lysis = "; ".join(f"{kind} {dose} mg {h:+g} h" for kind, dose, h in recipe["reperfusion"])
    troponin = ", ".join(f"{value} at {h:+g} h" for h, value in recipe["troponin"]) or "not measured"
    icu = "none" if recipe["icu"] == "none" else f"SBP {recipe['icu'][1]}-{recipe['icu'][2]} for {recipe['icu'][0]} h"
    return (
        f"{decisive} {sex}, {age} y, {recipe['weight']} kg; history added: {', '.join(recipe['past']) or 'none'}. "
        f"CT {recipe['ct'][0]:g} h after arrival ({recipe['arrival']}): {recipe['ct'][1]} {recipe['ct'][2]} "
        f"Impression: {recipe['ct'][3]} Addendum: {recipe['addendum'][1] or 'none'} "
        f"From the CT: {signs or 'no pressure'}; ICU {icu}; vasopressor {pressors or 'none'}. "
        f"Anticoagulant: {drugs or 'none'}. Reperfusion: {lysis or 'none'}. "
        f"Filter {recipe['filter']}. Troponin T {troponin} ng/mL. Administration record: {recipe['emar']}. "
        f"Codes {', '.join(recipe['codes'])}. Summary: {' '.join(recipe['told'])}"
    )
