"""Provider order entry: New, Change and D/C transactions as MIMIC links them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from pytest_clinicare.charts.synthetic.encounter import Encounter, stamp
from pytest_clinicare.charts.synthetic.streams import apart

if TYPE_CHECKING:
    from pytest_clinicare.charts.synthetic.record import Record


@apart("order_type", "subtype", "time")
def order(
    record: Record,
    enc: Encounter,
    order_type: str,
    subtype: str | None,
    time: datetime,
    transaction: str = "New",
    replaces: str | None = None,
    detail: Mapping[str, str] | None = None,
) -> str:
    """Status is Inactive on every past order, as in the source system, and says nothing about performance."""
    poe_id = f"{record.subject_id}-{record.serial()}"
    record.add(
        "poe",
        poe_id=poe_id,
        poe_seq=0,
        hadm_id=enc.hadm_id,
        ordertime=stamp(time),
        order_type=order_type,
        order_subtype=subtype,
        transaction_type=transaction,
        discontinue_of_poe_id=replaces,
        discontinued_by_poe_id=None,
        order_provider_id=record.rng.choice(record.providers),
        order_status="Inactive",
    )
    if replaces is not None:
        ended = next(row for row in record.rows["poe"] if row["poe_id"] == replaces)
        ended["discontinued_by_poe_id"] = poe_id
    for name, value in (detail or {}).items():
        record.add("poe_detail", poe_id=poe_id, poe_seq=0, field_name=name, field_value=value)
    return poe_id
