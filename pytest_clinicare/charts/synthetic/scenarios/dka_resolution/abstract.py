"""The chart abstract of a dka-resolution case: the recipe in words, with units and times."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    glucose, bicarbonate, ph, sodium, chloride, ketone = recipe["presentation"]
    panels = "; ".join(
        f"{h:+g} h Na {na}, Cl {cl}, HCO3 {b} (gap {na - cl - b}), K {k}, glucose {sugar}"
        for h, na, k, cl, b, sugar in recipe["chemistry"]
        if -12 <= h <= 6
    )
    gases = "; ".join(f"{h:+g} h {kind} pH {ph:.2f}, lactate {lactate}" for h, ph, kind, lactate in recipe["gas"])
    sugars = ", ".join(f"{value} at {h:+g} h" for h, value in recipe["fingerstick"] if -3 <= h <= 1)
    drip = "; ".join(
        f"{start:g}-{end:g} h {rate:g} units/h ({status})" for start, end, rate, status in recipe["infusion"]
    )
    under = "; ".join(
        f"{agent} {units} units {h:+g} h ({event})" for agent, units, h, event in recipe["sc_insulin"][:4]
    )
    bhb = ", ".join(f"{value} mmol/L at {h:+g} h" for h, value in recipe["bhb"]) or "not measured"
    return (
        f"{decisive} On arrival glucose {glucose} mg/dL, HCO3 {bicarbonate}, venous pH {ph}, Na {sodium}, "
        f"Cl {chloride} (gap {sodium - chloride - bicarbonate}), urine ketone {ketone}. "
        f"Insulin infusion from arrival: {drip or 'none'}. "
        f"From the stop: {panels}; gases {gases}; fingersticks {sugars}; beta-hydroxybutyrate {bhb}; "
        f"under the skin {under}. Reported gap {recipe['reported_gap']}. "
        f"Summary: {' '.join([*recipe['told'], recipe['summary_claim']])}"
    )
