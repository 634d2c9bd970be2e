"""Items named by an agent, by id or by label, against the chart's dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from pytest_clinicare.environment.tools.context import Context, ToolError


def find_items(context: Context, dictionary: str, wanted: str | int, also: Sequence[str] = ()) -> list[int]:
    """Item ids for an id (taken as it is, so that its absence can be shown) or a label.

    A label matches as a whole without regard to case (``also`` names further columns to match), else as a part of one.
    """
    if isinstance(wanted, int) or (wanted.isascii() and wanted.isdigit()):
        return [int(wanted)]
    text = wanted.strip().lower()
    exact = " OR ".join(f"lower({column}) = ?" for column in ("label", *also))
    found = context.chart.rows(
        f"SELECT itemid FROM {dictionary} WHERE {exact} ORDER BY itemid", [text] * (1 + len(also))
    )
    if not found:
        part = f"SELECT itemid FROM {dictionary} WHERE instr(lower(label), ?) > 0 ORDER BY itemid"
        found = context.chart.rows(part, [text])
    return [row[0] for row in found]


def unknown_item(context: Context, dictionary: str, wanted: str | int, advice: str) -> ToolError:
    """The error for a label that no item has, with the nearest labels that the chart's dictionary has."""
    labels = {str(row[0]) for row in context.chart.rows(f"SELECT DISTINCT label FROM {dictionary}")}
    lowered = {label.lower(): label for label in sorted(labels)}
    near = [lowered[name] for name in get_close_matches(str(wanted).lower(), lowered, n=5, cutoff=0.5)]
    nearest = f"nearest labels: {', '.join(near)}; " if near else ""
    return ToolError(f"no item in this chart's dictionary is labelled {wanted!r}", nearest + advice)
