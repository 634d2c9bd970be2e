"""Which source was read with which scope: all 23 tables, by tool, by SQL, and where the chart has no row."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.suite.checks import SOURCE_TABLES
from tests.judging.conftest import EARLIER, HADM, Judge

# Table, tool that reads all of it, the arguments that this needs, and whether it can be asked for one admission.
TOOLS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "ed.edstays": ("list_ed_stays", {}, False),
    "ed.medrecon": ("get_home_medications", {}, False),
    "ed.triage": ("list_ed_stays", {}, False),
    "ed.vitalsign": ("get_vitals", {}, True),
    "hosp.admissions": ("list_admissions", {}, False),
    "hosp.diagnoses_icd": ("get_diagnoses", {}, True),
    "hosp.emar": ("get_medication_administrations", {}, True),
    "hosp.labevents": ("get_labs", {}, True),
    "hosp.microbiologyevents": ("get_microbiology", {}, True),
    "hosp.omr": ("get_outpatient_measurements", {}, False),
    "hosp.patients": ("get_patient", {}, False),
    "hosp.pharmacy": ("get_medication_orders", {}, True),
    "hosp.poe": ("get_orders", {}, True),
    "hosp.prescriptions": ("get_medication_orders", {}, True),
    "hosp.procedures_icd": ("get_procedures", {}, True),
    "hosp.transfers": ("list_transfers", {}, True),
    "icu.chartevents": ("get_vitals", {}, True),
    "icu.icustays": ("list_icu_stays", {}, True),
    "icu.inputevents": ("get_fluid_balance", {}, True),
    "icu.outputevents": ("get_fluid_balance", {}, True),
    "icu.procedureevents": ("get_procedures", {}, True),
    "note.discharge": ("list_notes", {"kind": "discharge"}, True),
    "note.radiology": ("list_notes", {"kind": "radiology"}, True),
}


def _reached(grade: Judge, table: str, scope: str, call: tuple[str, dict[str, Any]]) -> bool | None:
    return grade([{"check": "queried", "table": table, "scope": scope}], [call], {}).met


def test_every_source_is_here() -> None:
    assert TOOLS.keys() == SOURCE_TABLES


@pytest.mark.parametrize("table", sorted(TOOLS))
def test_a_tool_reaches_its_table_in_the_scope_it_was_asked_for(grade: Judge, table: str) -> None:
    tool, arguments, by_admission = TOOLS[table]
    assert _reached(grade, table, "patient", (tool, arguments))
    assert _reached(grade, table, "encounter", (tool, arguments))
    assert not _reached(grade, table, "patient", ("list_policies", {}))
    if by_admission:
        of_this, of_another = ((tool, {**arguments, "hadm_id": hadm_id}) for hadm_id in (HADM, EARLIER))
        assert _reached(grade, table, "encounter", of_this)
        assert not _reached(grade, table, "patient", of_this)
        assert not _reached(grade, table, "encounter", of_another)


@pytest.mark.parametrize("table", sorted(TOOLS))
def test_sql_reaches_a_table_by_the_rows_that_it_showed(grade: Judge, chart: Chart, table: str) -> None:
    name = table.split(".")[1]
    # Of a table without a row, seeing none is all that there is to see.
    empty = not chart.rows(f"SELECT 1 FROM {name} LIMIT 1")
    for scope in ("patient", "encounter"):
        assert _reached(grade, table, scope, ("run_sql", {"query": f"SELECT * FROM {name}"}))
        for showing_none in (f"SELECT * FROM {name} WHERE 1 = 0", f"SELECT count(*) FROM {name}"):
            assert _reached(grade, table, scope, ("run_sql", {"query": showing_none})) is empty


def test_there_are_tables_with_rows_and_without(chart: Chart) -> None:
    held = [bool(chart.rows(f"SELECT 1 FROM {table.split('.')[1]} LIMIT 1")) for table in TOOLS]
    assert {True, False} <= set(held)
