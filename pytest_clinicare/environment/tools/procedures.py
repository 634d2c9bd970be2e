"""Procedures: coded by billing, and charted in the ICU."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InWindow
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query


def get_procedures(context: Context, arguments: InWindow) -> Reading:
    context.check_admission(arguments.hadm_id)
    coded = Select(
        "procedures_icd",
        columns(
            "chartdate seq_num icd_code icd_version hadm_id",
            source="'procedures_icd'",
            time="t.chartdate",
            label="NULL",
        ),
        Filter().admission(arguments).dates(arguments, "t.chartdate"),
    )
    charted = Select(
        "procedureevents",
        columns(
            "starttime endtime itemid value valueuom location ordercategoryname statusdescription hadm_id stay_id",
            source="'procedureevents'",
            time="t.starttime",
            label="NULL",
        ),
        Filter().admission(arguments).window(arguments, "t.starttime", "t.endtime"),
    )

    def labelled(row: Row) -> Row:
        if row["icd_code"] is not None:
            row["label"] = context.titles("d_icd_procedures").get((row["icd_code"], row["icd_version"]))
        return context.labelled(row)

    return query(
        context,
        [coded, charted],
        arguments,
        ("time", "seq_num"),
        tables=("d_icd_procedures", "d_items"),
        finish=labelled,
    )


TOOLS = (
    Tool(
        "get_procedures",
        "Procedures in time order: billing codes (with a date only) and ICU procedures with start and end.",
        InWindow,
        get_procedures,
    ),
)
