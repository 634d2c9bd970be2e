"""Chart abstract of a med-reconciliation case: the decisive facts as a pharmacist reads them."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.charts.synthetic.scenarios.med_reconciliation.regimen import drug


def abstract(recipe: dict[str, Any], decisive: str) -> str:
    """Decisive sentence first, then the three lists, the statements and the last values, with units and times."""
    heart_rate, systolic = recipe["vitals_last"]
    creatinine = ", ".join(f"{value} (day {day:g})" for day, value in recipe["creatinine"])
    parts = [
        decisive,
        f"ED stay: {recipe['ed_link']}.",
        f"Home list rows: {_join(_rows(row) for row in recipe['medrecon_rows'])}.",
        f"Medications on Admission: {_join(_home(row) for row in recipe['home_meds'])}.",
        f"Given in the last 24 h (hours before discharge): {_join(_dose(row) for row in recipe['final_24h'])}.",
        f"Discharge list ({recipe['note_state']}): {_join(_leaving(row) for row in recipe['discharge_list'])}.",
        f"Statements: {_join(f'{section}: {text}' for _, text, section in recipe['statements'])}.",
        f"Creatinine, mg/dL: {creatinine}. Events: {recipe['events']}.",
        f"Discharge examination: heart rate {heart_rate}/min, systolic {systolic} mmHg.",
    ]
    return "\n".join(part.replace("..", ".") for part in parts)


def _join(items: Any) -> str:
    return "; ".join(items) or "none"


def _rows(row: list[Any]) -> str:
    key, rows = row
    return f"{drug(key)['home']} x{rows}"


def _dose(row: list[Any]) -> str:
    key, dose, hours, _ = row
    return f"{drug(key)['inpatient']} {dose} ({hours} h)"


def _home(row: list[str]) -> str:
    key, dose, route, frequency, status = row
    return f"{drug(key)['note']} {dose} {route} {frequency}" + ("" if status == "taking" else f" [{status}]")


def _leaving(row: list[str]) -> str:
    key, dose, route, frequency, duration, annotation = row
    days = "" if duration == "none" else f" for {duration}"
    return f"{drug(key)['note']} {dose} {route} {frequency}{days}" + (" [new]" if annotation == "new" else "")
