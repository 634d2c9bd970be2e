"""Imaging: what was ordered, what was done, what was reported."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InWindow
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.notes import title_of
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query


def get_imaging(context: Context, arguments: InWindow) -> Reading:
    context.check_admission(arguments.hadm_id)
    reports = Select(
        "radiology",
        columns(
            "hadm_id note_id note_type storetime",
            kind="'report'",
            time="t.charttime",
            study="substr(t.text, 1, 400)",
        ),
        Filter().admission(arguments).window(arguments, "t.charttime"),
    )
    orders = Select(
        "poe",
        columns(
            "hadm_id poe_id transaction_type order_status discontinue_of_poe_id discontinued_by_poe_id",
            kind="'order'",
            time="t.ordertime",
            study="t.order_subtype",
        ),
        Filter().add("t.order_type = 'Radiology'").admission(arguments).window(arguments, "t.ordertime"),
    )
    procedures = Select(
        "procedureevents",
        columns(
            "hadm_id stay_id endtime itemid statusdescription", kind="'procedure'", time="t.starttime", study="NULL"
        ),
        Filter()
        .add(
            "(t.ordercategoryname = 'Imaging' OR "
            "t.itemid IN (SELECT itemid FROM d_items WHERE category LIKE '%Imaging'))"
        )
        .admission(arguments)
        .window(arguments, "t.starttime", "t.endtime"),
    )

    def with_study(row: Row) -> Row:
        return {**row, "study": title_of(row["study"])} if row["kind"] == "report" else context.labelled(row, "study")

    return query(context, [reports, orders, procedures], arguments, ("time",), tables=("d_items",), finish=with_study)


TOOLS = (
    Tool(
        "get_imaging",
        "Imaging in time order by kind: report (a radiology report; read it with read_note), order "
        "(provider order; time is "
        "that of the order, and it says nothing of performance) and procedure (imaging charted in the ICU).",
        InWindow,
        get_imaging,
    ),
)
