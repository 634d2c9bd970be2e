"""The chart abstract of a ssi-surveillance case: the recipe in words, with day numbers."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    operation = recipe["operation"]
    coded = "no operation coded" if operation == "none" else f"{operation[0]} ({operation[1]}), day 1 by its code"
    cultures = "; ".join(
        f"day {day} {specimen}: {', '.join(grown) if grown else 'no growth'}"
        for specimen, day, grown in recipe["cultures"]
    )
    imaging = "; ".join(f"day {day} {exam}: {read.rstrip('.')}" for day, exam, _, _, read in recipe["imaging"])
    drugs = "; ".join(f"{agent} day {first}-{last}" for agent, first, last in recipe["antibiotics"])
    procedures = "; ".join(f"day {day} {code}" for day, code, _ in recipe["procedures"])
    back, visit = recipe["readmission"], recipe["emergency"]
    later = [day for day, *_ in recipe["others"] if day > 0]
    return (
        f"{decisive} Operation: {coded}; index stay to day {recipe['index'][1]}. "
        f"Index summary: {' '.join(recipe['index_summary'])} "
        f"Readmission: {'none' if back == 'none' else f'day {back[0]}, {back[4]}, {back[1]} days'}; "
        f"emergency visit: {'none' if visit == 'none' else f'day {visit[0]}, {visit[1]}'}. "
        f"Cultures: {cultures or 'none'}. Imaging: {imaging or 'none'}. Antibacterials: {drugs or 'none'}. "
        f"Later procedures: {procedures or 'none'}. Temperature {recipe['temperature']} C, "
        f"white count {recipe['white']}. Summary of the event: {' '.join(recipe['summary']) or 'none'} "
        f"Codes: {', '.join(recipe['codes']) or 'none besides the reason'}. Further admissions after the operation: "
        f"{', '.join(f'day {day}' for day in later) or 'none'}"
        f"{'' if not later else ', past history: ' + recipe['past']}."
    )
