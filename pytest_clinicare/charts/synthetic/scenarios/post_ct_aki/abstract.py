"""The chart abstract of a post-ct-aki case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    prior = "; ".join(f"{v} at {d} d" for d, v in recipe["prior_creatinine"]) or "none"
    drawn = "; ".join(f"{v} at {h:+g} h" for h, v in recipe["encounter_creatinine"])
    codes = ", ".join(recipe["icd_codes"]) or "none"
    return (
        f"{decisive} Creatinine (mg/dL) before admission: {prior}. "
        f"In the encounter, hours from the index scan: {drawn}. "
        f"CT ordered {recipe['order_to_scan_delay_h']:g} h before the scan; report {recipe['ct_report']}; "
        f"later CT (h after the first): {recipe['later_ct']}. Dialysis: {recipe['dialysis']}. "
        f"CKD stage: {recipe['ckd_stage']}. Renal codes of the admission: {codes}. "
        f"Summary on the kidneys: {recipe['summary_claim']}"
    )
