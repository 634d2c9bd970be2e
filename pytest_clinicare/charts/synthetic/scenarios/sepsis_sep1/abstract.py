"""The chart abstract of a sepsis-sep1 case: the recipe in words, minutes from time zero."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def _clock(minutes: float) -> str:
    sign, left = "-" if minutes < 0 else "+", abs(round(minutes))
    return f"{sign}{left // 60}:{left % 60:02d}"


def abstract(recipe: Recipe, decisive: str) -> str:
    lactates = ", ".join(f"{value} at {_clock(at)}" for at, value in recipe["lactates"]) or "none"
    cultures = ", ".join(f"{kind} {_clock(at)}" for at, kind in recipe["cultures"])
    drugs = ", ".join(f"{agent} from {_clock(first)} ({event})" for agent, first, _, event in recipe["antibiotics"])
    fluids = ", ".join(
        f"{volume} mL {fluid} from {_clock(at)} at {rate} mL/h ({where})"
        for at, volume, rate, fluid, where in recipe["crystalloid"]
    )
    volume = sum(row[1] for row in recipe["crystalloid"])
    low = [f"SBP {row[4]} {_clock(row[0])}" for row in recipe["readings"] if row[4] < 90]
    low += [f"SBP {sbp} MAP {mean} {_clock(at)}" for at, sbp, mean in recipe["pressures"]]
    pressor, code = recipe["norepinephrine"], recipe["code_status"]
    last = recipe["readings"][-2] if len(recipe["readings"]) > 1 else recipe["readings"][0]
    at, white, creatinine, platelets = recipe["draw"]
    given = "" if recipe["administered"] == "yes" else " No administration row of any kind up to +6:00."
    return (
        f"{decisive} Hours from time zero. {recipe['source'].upper()} arrival {_clock(recipe['arrival'])}, ICU "
        f"{_clock(recipe['icu'][0])}, {recipe['leaves'][1]} at {_clock(recipe['leaves'][0])}. Reading "
        f"{_clock(last[0])}: {last[1]} F, HR {last[2]}, RR {last[3]}. Draw {_clock(at)}: WBC {white}, creatinine "
        f"{creatinine}, platelets {platelets}. Lactate: {lactates}. Cultures: {cultures}. Antibacterials: {drugs}."
        f"{given} Crystalloid: {fluids or 'none'}; {volume} mL of {recipe['weight']} kg, "
        f"{volume / recipe['weight']:.1f} mL/kg. Hypotension: {', '.join(low) or 'none'}; norepinephrine "
        f"{'none' if pressor == 'none' else _clock(pressor[0])}. Code status: "
        f"{'full' if code == 'none' else f'{code[1]} {_clock(code[0])}'}. Summary: {' '.join(recipe['summary'])} "
        f"Codes: {', '.join(recipe['codes'])}."
    )
