"""Diagnoses as coded: billing codes of admissions and of ED stays."""

from __future__ import annotations

from pytest_clinicare.environment.tools.arguments import InAdmission
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query


def get_diagnoses(context: Context, arguments: InAdmission) -> Reading:
    context.check_admission(arguments.hadm_id)
    hospital = Select(
        "diagnoses_icd",
        columns(
            "hadm_id seq_num icd_code icd_version",
            source="'hospital'",
            long_title="NULL",
            at="(SELECT a.dischtime FROM admissions a WHERE a.hadm_id = t.hadm_id)",
        ),
        Filter().admission(arguments),
    )
    emergency = Select(
        "diagnosis",
        columns(
            "stay_id seq_num icd_code icd_version",
            source="'ed'",
            hadm_id="e.hadm_id",
            long_title="t.icd_title",
            at="e.outtime",
        ),
        Filter().admission(arguments, "e.hadm_id"),
        match="LEFT JOIN edstays e ON e.stay_id = t.stay_id",
    )

    def titled(row: Row) -> Row:
        if row["source"] == "hospital":
            row["long_title"] = context.titles("d_icd_diagnoses").get((row["icd_code"], row["icd_version"]))
        return row

    return query(
        context,
        [hospital, emergency],
        arguments,
        ("at", "source", "seq_num"),
        tables=("d_icd_diagnoses", "admissions", "edstays"),
        finish=titled,
    )


TOOLS = (
    Tool(
        "get_diagnoses",
        "Diagnosis codes of admissions (assigned at discharge for billing) and ED stays; at is the "
        "discharge time. Codes "
        "carry no time of onset.",
        InAdmission,
        get_diagnoses,
    ),
)
