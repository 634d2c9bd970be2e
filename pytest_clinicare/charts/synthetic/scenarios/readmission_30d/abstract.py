"""The chart abstract of a readmission-30d case: the index and what came after it, by calendar day."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.plan_cases import Recipe


def abstract(recipe: Recipe, decisive: str) -> str:
    code, _ = recipe["index_principal"]
    later = "; ".join(_told(row) for row in sorted(recipe["returns"], key=lambda row: (row[0], row[1])))
    said = " ".join(
        f"{'Index summary' if note == 0 else f'Summary of return {note}'}: {text}"
        for note, text in recipe["statements"]
    )
    return (
        f"{decisive} Index: {recipe['index_class']}, first-listed {code}, age {recipe['patient'][1]}, discharged at "
        f"{recipe['index_disch_clock']} ({recipe['index_discharge_location']}). Afterwards: {later or 'nothing'}. "
        f"{said} Death: {'none recorded' if recipe['dod_day'] == 'none' else 'day ' + str(recipe['dod_day'])}."
    )


def _told(row: list[Any]) -> str:
    day, clock, kind, admission_type, via, code, procedures, hours = row
    if kind == "ed":
        return f"day {day} {clock} ED visit, sent home"
    codes = "no codes and no summary" if code == "none" else f"first-listed {code}"
    done = f", procedures {', '.join(procedures)}" if procedures else ""
    return f"day {day} {clock} {admission_type}{' through the ED' if via else ''}, {hours:g} h, {codes}{done}"
