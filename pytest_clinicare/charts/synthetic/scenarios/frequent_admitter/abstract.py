"""The chart abstract of a frequent-admitter case: every admission with type, times, code and reason."""

from __future__ import annotations

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    told = {row[0]: row for row in recipe["summaries"]}
    stays = []
    for number, (day, clock, kind, length, _, code, more) in enumerate(recipe["admissions"]):
        found = told[number]
        reason = "no summary" if found[1] == "absent" else f'"{found[3]}" (diagnosis {found[2]})'
        others = f", also coded {', '.join(more)}" if more else ""
        stays.append(f"day {day} {clock}, {kind}, {length / 60:.1f} h, first-listed {code}{others}: {reason}")
    mentions = "; ".join(f'summary {number}: "{text}"' for number, text, _ in recipe["outside_mentions"]) or "none"
    visits = ", ".join(f"day {day} {where} ({why})" for day, _, where, why in recipe["ed_visits"]) or "none"
    return (
        f"{decisive} Admissions: {' | '.join(stays)}. Admissions elsewhere: {mentions}. ED visits without admission: "
        f"{visits}. Family of the majority: {recipe['family']}."
    )
