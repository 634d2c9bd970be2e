"""Orders as chains of transactions: New, the Change rows that replace it, the D/C row that ends it (RH-RAD-01 4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pytest_clinicare.systems.scripted.clinical.rows import Row
from pytest_clinicare.systems.scripted.clinical.times import parse_time

CROSS_SECTIONAL = ("CT Scan", "MRI", "Cross-Sectional Interventional Radiology")
UNSETTLED = ("Nuclear Med", "Angio", "Interventional Neuro", "Interventional Radiology")


@dataclass(frozen=True)
class Order:
    """One order, timed at its first row. ``discontinued`` is the time of the D/C row that ends it, if any."""

    refs: tuple[str, ...]
    order_type: str
    subtype: str
    time: datetime
    changes: tuple[datetime, ...]
    discontinued: datetime | None

    @property
    def cross_sectional(self) -> bool:
        return self.subtype in CROSS_SECTIONAL

    def live_at(self, performed: datetime) -> bool:
        """Not ended by a D/C row entered before the study."""
        return self.discontinued is None or self.discontinued >= performed

    @property
    def transactions(self) -> str:
        """How the chain went, in words."""
        parts = ["new"]
        parts += [f"replaced by a Change at {t:%Y-%m-%d %H:%M}" for t in self.changes]
        parts.append(f"discontinued at {self.discontinued:%Y-%m-%d %H:%M}" if self.discontinued else "not discontinued")
        return ", ".join(parts)


def chains(rows: list[Row]) -> list[Order]:
    """Orders from the rows of the order stream, in order of time."""
    by_id = {str(row["poe_id"]): row for row in rows if row.get("poe_id")}
    ending: dict[str, list[Row]] = {}
    for row in rows:
        if row.get("discontinue_of_poe_id"):
            ending.setdefault(str(row["discontinue_of_poe_id"]), []).append(row)
    # The link may be written on the older row only.
    named = {str(row["discontinued_by_poe_id"]) for row in rows if row.get("discontinued_by_poe_id")}
    orders = []
    for row in rows:
        kind = transaction(row)
        replaces_known = kind == "change" and (
            str(row.get("discontinue_of_poe_id")) in by_id or str(row.get("poe_id")) in named
        )
        if kind != "d/c" and not replaces_known and parse_time(row.get("ordertime")):
            orders.append(_chain(row, ending, by_id))
    return sorted(orders, key=lambda order: order.time)


def transaction(row: Row) -> str:
    """Transaction type in lower case (new, change, d/c)."""
    return str(row.get("transaction_type") or "new").strip().lower()


def _chain(first: Row, ending: dict[str, list[Row]], by_id: dict[str, Row]) -> Order:
    members, changes, stopped, current = [first], [], None, first
    while stopped is None:
        later = [*ending.get(str(current["poe_id"]), [])]
        if link := by_id.get(str(current.get("discontinued_by_poe_id"))):
            later.append(link)
        later = [row for row in later if row["poe_id"] not in {m["poe_id"] for m in members}]
        stop = next((row for row in later if transaction(row) == "d/c"), None)
        change = next((row for row in later if transaction(row) == "change"), None)
        if stop is not None:
            members.append(stop)
            stopped = parse_time(stop.get("ordertime"))
            break
        if change is None:
            break
        members.append(change)
        changes += [t] if (t := parse_time(change.get("ordertime"))) else []
        current = change
    moment = parse_time(first.get("ordertime"))
    assert moment is not None
    return Order(
        tuple(str(row["ref"]) for row in members),
        str(first.get("order_type") or ""),
        str(first.get("order_subtype") or "").strip(),
        moment,
        tuple(changes),
        stopped,
    )
