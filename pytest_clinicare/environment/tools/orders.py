"""Provider orders with their details."""

from __future__ import annotations

import json

from pydantic import Field

from pytest_clinicare.environment.tools.arguments import InWindow
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query

ORDER_COLUMNS = (
    "ordertime order_type order_subtype transaction_type order_status discontinue_of_poe_id discontinued_by_poe_id "
    "hadm_id poe_id"
)
DETAILS = (
    "(SELECT json_group_array(json_array(d.field_name, d.field_value)) FROM poe_detail d WHERE d.poe_id = t.poe_id)"
)


class GetOrders(InWindow):
    order_type: str | None = Field(
        default=None, min_length=1, description="Part of the type: Medications, Lab, Radiology, General Care, ..."
    )
    order_subtype: str | None = Field(
        default=None, min_length=1, description="Part of the subtype: CT Scan, Code status, ..."
    )


def get_orders(context: Context, arguments: GetOrders) -> Reading:
    context.check_admission(arguments.hadm_id)
    where = (
        Filter()
        .admission(arguments)
        .window(arguments, "t.ordertime")
        .contains(arguments.order_type, "t.order_type")
        .contains(arguments.order_subtype, "t.order_subtype")
    )
    orders = Select("poe", columns(ORDER_COLUMNS, details=DETAILS), where)
    return query(context, [orders], arguments, ("ordertime",), tables=("poe_detail",), finish=with_details)


def with_details(row: Row) -> Row:
    """Details as an object of field names and values."""
    return {**row, "details": dict(json.loads(row["details"] or "[]"))}


TOOLS = (
    Tool(
        "get_orders",
        "Provider orders in time order with their details. transaction_type is New, Change, D/C, "
        "...; an order that was "
        "discontinued names the order that did so in discontinued_by_poe_id.",
        GetOrders,
        get_orders,
    ),
)
