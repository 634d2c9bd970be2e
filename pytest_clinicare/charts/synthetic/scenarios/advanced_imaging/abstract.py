"""Chart abstract of an advanced-imaging case: windows, orders and reports as a radiologist reads them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pytest_clinicare.charts.synthetic.scenarios.advanced_imaging.timeline import moment


def abstract(recipe: dict[str, Any], decisive: str) -> str:
    """Decisive sentence first, then the stay windows and every order and report with its clock time."""
    intime = datetime.fromisoformat(recipe["intime"])
    others = "; ".join(f"{start} to {end}" for start, end in recipe["other_stays"]) or "none"
    orders = (f"{subtype} {_clock(intime, at)} ({kept})" for subtype, at, kept in recipe["orders"])
    reports = (f"{title} {_clock(intime, at)} ({origin}, {body})" for title, at, origin, body in recipe["reports"])
    return "\n".join(
        [
            decisive,
            f"Stay: {recipe['intime']} to {recipe['outtime']}. Other ICU stays of the admission: {others}.",
            f"Orders (transactions in hours from intime): {'; '.join(orders) or 'none'}.",
            f"Reports: {'; '.join(reports) or 'none'}.",
            f"Other POE rows in the window: {recipe['order_stream']}.",
            f"Discharge summary on imaging: {recipe['summary_claim']}",
        ]
    )


def _clock(intime: datetime, at: float | str) -> str:
    return at if isinstance(at, str) else f"{moment(intime, at).isoformat(' ', 'minutes')} ({at:+.2f} h)"
