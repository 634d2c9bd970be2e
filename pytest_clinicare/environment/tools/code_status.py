"""Code status as ordered and as charted."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InAdmission
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.orders import DETAILS, ORDER_COLUMNS, with_details
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query

# Items of d_items that hold a code status.
_CODE_STATUS_ITEMS = (223758, 228687, 229784)


def get_code_status(context: Context, arguments: InAdmission) -> Reading:
    context.check_admission(arguments.hadm_id)
    ordered = Select(
        "poe",
        columns(ORDER_COLUMNS, kind="'order'", time="t.ordertime", details=DETAILS),
        Filter().add("lower(t.order_subtype) LIKE '%code status%'").admission(arguments),
    )
    charted = Select(
        "chartevents",
        columns("hadm_id stay_id itemid value storetime", kind="'charted'", time="t.charttime"),
        Filter().add(f"t.itemid IN {_CODE_STATUS_ITEMS}").admission(arguments),
    )
    return query(context, [ordered, charted], arguments, ("time",), tables=("poe_detail",), finish=_status)


def _status(row: Row) -> Row:
    if row["kind"] == "charted":
        return {**row, "details": {}}
    shown = with_details(row)
    return {**shown, "value": next(iter(shown["details"].values()), None)}


TOOLS = (
    Tool(
        "get_code_status",
        "Code status in time order, as ordered (provider orders, also discontinued ones) and as "
        "charted in the ICU. No row "
        "means that none is recorded, not that the patient was full code.",
        InAdmission,
        get_code_status,
    ),
)
