"""Fluid balance: what went in and what came out in the ICU."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InWindow
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Select, columns, query


def get_fluid_balance(context: Context, arguments: InWindow) -> Reading:
    context.check_admission(arguments.hadm_id)
    given = Filter().admission(arguments).window(arguments, "t.starttime", "t.endtime")
    put_out = Filter().admission(arguments).window(arguments, "t.charttime")
    inputs = Select(
        "inputevents",
        columns(
            "endtime itemid rate rateuom ordercategoryname statusdescription hadm_id stay_id",
            direction="'in'",
            charttime="t.starttime",
            label="NULL",
            amount="t.amount",
            amountuom="t.amountuom",
        ),
        given,
    )
    outputs = Select(
        "outputevents",
        columns(
            "charttime itemid hadm_id stay_id",
            direction="'out'",
            label="NULL",
            amount="t.value",
            amountuom="t.valueuom",
        ),
        put_out,
    )
    reading = query(
        context, [inputs, outputs], arguments, ("charttime", "itemid"), tables=("d_items",), finish=context.labelled
    )
    reading.content["summary"] = {
        "input_ml": _total(context, "inputevents", "amount", "amountuom", given),
        "output_ml": _total(context, "outputevents", "value", "valueuom", put_out),
    }
    return reading


def _total(context: Context, table: str, amount: str, unit: str, where: Filter) -> float:
    clauses = " AND ".join([f"lower(t.{unit}) = 'ml'", *where.clauses])
    found = context.chart.rows(f"SELECT total(t.{amount}) FROM {table} t WHERE {clauses}", where.params)
    return round(float(found[0][0]), 1)


TOOLS = (
    Tool(
        "get_fluid_balance",
        "ICU inputs and outputs in time order, and the totals in millilitres over all rows that "
        "match (not only this page). "
        "An input that overlaps the window counts whole.",
        InWindow,
        get_fluid_balance,
    ),
)
