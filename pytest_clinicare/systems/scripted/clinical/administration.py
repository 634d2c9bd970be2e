"""Administration records: which events are doses given (QA-001 2.4), and how much was given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from pytest_clinicare.systems.scripted.clinical.drugs import ingredients
from pytest_clinicare.systems.scripted.clinical.medication_list import in_milligrams
from pytest_clinicare.systems.scripted.clinical.rows import Row

_GIVEN = re.compile(
    r"^(?:delayed )?(?:administered|applied|partial administered|administered bolus from iv drip|started|restarted|"
    r"removed existing / applied new)(?: in other location)?$",
    re.IGNORECASE,
)


def is_given(event_txt: object) -> bool:
    """Whether an eMAR event text says that a dose was given or an infusion begun."""
    return _GIVEN.fullmatch(str(event_txt or "").strip()) is not None


def given(rows: Sequence[Row]) -> list[Row]:
    """eMAR rows of doses given and ICU inputs with an amount, each once."""
    out = [r for r in rows if r.get("source") == "emar" and is_given(r.get("event_txt"))]
    return out + [r for r in rows if r.get("source") == "inputevents" and (r.get("amount") or 0) > 0]


def doses_of(rows: Sequence[Row], ingredient: str) -> list[tuple[Decimal | None, str, Row]]:
    """Doses of one ingredient as (amount, unit, row); the amount is None where the record gives none."""
    return [(*_amount(row), row) for row in rows if ingredient in ingredients(str(row.get("drug") or ""))]


def dose_text(row: Row) -> str:
    """The dose of an administration as it is told, such as ``100 mg``; empty where the record gives none."""
    total, unit = _total(row, "dose_given"), str(row.get("dose_given_unit") or "")
    if total is not None and "," not in unit:
        return f"{total.normalize():f} {unit}".rstrip()
    return f"{row['dose_given']} {unit}".rstrip() if row.get("dose_given") else ""


def _amount(row: Row) -> tuple[Decimal | None, str]:
    for amount, unit in (("dose_given", "dose_given_unit"), ("dose_due", "dose_due_unit"), ("amount", "amountuom")):
        if (total := _total(row, amount)) is not None:
            return in_milligrams(total, str(row.get(unit) or "mg").split(",")[0].strip())
    return None, ""


def _total(row: Row, column: str) -> Decimal | None:
    """The parts of a dose together: two tablets scanned are two parts, ``50,50``."""
    parts = [part.strip() for part in str(row.get(column) or "").split(",") if part.strip()]
    try:
        return sum((Decimal(part) for part in parts), Decimal(0)) if parts else None
    except InvalidOperation:
        return None
