"""The tools through ``Environment.call``: results, scope, paging and mistakes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Corpus, Environment, Limits

from .conftest import EARLIER, ED, HADM, ICU, ROOT, SUBJECT

EXPECTED = {
    "get_patient": ({}, {"hosp.patients"}, 1),
    "list_admissions": ({}, {"hosp.admissions"}, 2),
    "list_transfers": ({"hadm_id": HADM}, {"hosp.transfers", "hosp.services"}, 2),
    "list_icu_stays": ({"hadm_id": EARLIER}, {"icu.icustays"}, 0),
    "list_ed_stays": ({}, {"ed.edstays", "ed.triage"}, 1),
    "list_notes": ({"kind": "radiology", "end": "2150-03-01"}, {"note.radiology"}, 1),
    "search_notes": ({"query": "kidney* OR nothing"}, {"note.discharge", "note.radiology"}, 2),
    "search_lab_items": ({"text": "urine"}, {"hosp.d_labitems"}, 1),
    "get_labs": (
        {"items": ["creatinine"], "start": "2150-03-01 03:00", "end": "2150-03-01T05:00:00"},
        {"hosp.labevents", "hosp.d_labitems"},
        3,
    ),
    "get_vitals": ({"items": ["heart rate"]}, {"icu.chartevents", "icu.d_items", "ed.vitalsign"}, 2),
    "get_outpatient_measurements": ({"name": "egfr"}, {"hosp.omr"}, 1),
    "get_medication_orders": ({"drug": "FURO", "start": "2150-03-02"}, {"hosp.prescriptions", "hosp.pharmacy"}, 1),
    "get_medication_administrations": (
        {"drug": "furosemide"},
        {"hosp.emar", "hosp.emar_detail", "icu.inputevents", "icu.d_items"},
        1,
    ),
    "get_home_medications": ({"stay_id": ED}, {"ed.medrecon"}, 1),
    "get_microbiology": ({"start": "2150-03-02", "end": "2150-03-02"}, {"hosp.microbiologyevents"}, 1),
    "get_procedures": (
        {},
        {"hosp.procedures_icd", "icu.procedureevents", "hosp.d_icd_procedures", "icu.d_items"},
        2,
    ),
    "get_imaging": ({"hadm_id": HADM}, {"note.radiology", "hosp.poe", "icu.procedureevents", "icu.d_items"}, 3),
    "get_orders": ({"order_type": "radiology"}, {"hosp.poe", "hosp.poe_detail"}, 1),
    "get_diagnoses": (
        {"hadm_id": HADM},
        {"hosp.diagnoses_icd", "hosp.d_icd_diagnoses", "ed.diagnosis", "hosp.admissions", "ed.edstays"},
        2,
    ),
    "get_fluid_balance": ({}, {"icu.inputevents", "icu.outputevents", "icu.d_items"}, 2),
    "get_code_status": ({}, {"hosp.poe", "hosp.poe_detail", "icu.chartevents"}, 2),
}


@pytest.mark.parametrize("tool", EXPECTED)
def test_row_tool(environment: Environment, chart: Chart, tool: str) -> None:
    arguments, tables, total = EXPECTED[tool]
    result = environment.call(tool, arguments)
    content = result.content
    assert result.ok, content
    assert set(result.tables) == tables == set(content["read"]["tables"])
    assert (content["total"], content["returned"], content["truncated"]) == (total, total, False)
    assert content["next_cursor"] is None
    assert all(chart.has_ref(ref) for ref in result.refs)
    assert {row["ref"] for row in content["rows"]} <= set(result.refs)
    assert result.scope["subject_id"] == SUBJECT
    assert {key for key in arguments if key in ("hadm_id", "start", "end", "items")} <= set(result.scope)


def test_every_tool_has_a_closed_json_schema(environment: Environment) -> None:
    names = {spec.name for spec in environment.specs}
    assert names >= set(EXPECTED) | {"read_note", "run_sql", "list_policies", "search_policies", "read_policy"}
    for spec in environment.specs:
        assert spec.parameters["additionalProperties"] is False
        assert json.dumps(spec.parameters)


def test_labs_of_an_admission_leave_out_rows_that_carry_none(environment: Environment) -> None:
    everything = environment.call("get_labs", {"items": [50912]}).content
    of_admission = environment.call("get_labs", {"items": [50912], "hadm_id": HADM}).content
    assert (everything["total"], of_admission["total"]) == (12, 10)
    assert everything["rows"][0]["hadm_id"] is None
    assert everything["rows"][0]["storetime"] == "2150-03-01 00:30:00"
    assert of_admission["read"]["scope"]["items"] == [50912]


def test_an_item_without_results_is_an_empty_result_that_can_be_cited(environment: Environment) -> None:
    result = environment.call("get_labs", {"items": [50813]})
    assert result.ok
    assert result.content["rows"] == []


def test_vital_signs_of_the_emergency_department_alone(environment: Environment) -> None:
    """Asked for by their ED columns, with no charted item among them."""
    result = environment.call("get_vitals", {"items": ["sbp", "dbp"]})
    assert result.ok
    assert {(row["label"], row["valuenum"], row["itemid"]) for row in result.content["rows"]} == {
        ("sbp", 120, None),
        ("dbp", 70, None),
    }


@pytest.mark.parametrize("most", [{"rows": 5}, {"bytes": 1200}])
def test_pages_are_told_and_add_up(chart: Chart, corpus: Corpus, most: dict[str, int]) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, limits=Limits(**most)) as environment:
        seen: list[str] = []
        arguments: dict[str, Any] = {"items": ["Creatinine"]}
        while True:
            result = environment.call("get_labs", arguments)
            assert result.ok
            assert result.rows <= 5
            assert result.content["total"] == 12
            seen += result.refs
            if not result.truncated:
                break
            arguments["cursor"] = result.content["next_cursor"]
    assert seen == [f"labevents:{100 + number}" for number in range(12)]


def test_a_note_is_read_in_parts(chart: Chart, corpus: Corpus) -> None:
    note_id, parts, offset = f"{SUBJECT}-DS-1", [], 0
    with Environment(chart, corpus, subject_id=SUBJECT, limits=Limits(bytes=1000)) as environment:
        while offset is not None:
            content = environment.call("read_note", {"note_id": note_id, "offset": offset}).content
            parts.append(content["text"])
            offset = content["next_offset"]
    assert len(parts) > 1
    assert "".join(parts) == chart.rows("SELECT text FROM discharge")[0][0]
    assert content["length"] == len("".join(parts))


def test_search_points_into_the_note(environment: Environment) -> None:
    row = environment.call("search_notes", {"query": '"chronic kidney disease"'}).content["rows"][0]
    assert row["ref"] == f"discharge:{SUBJECT}-DS-1"
    text = environment.call("read_note", {"note_id": row["note_id"], "offset": row["offset"]}).content["text"]
    assert text.startswith("chronic kidney disease stage 3")


@pytest.mark.parametrize(
    "query", ['"', "text:a", "NEAR(a b)", "a OR", "*", "'; DROP TABLE x", "^a", "a AND (b", "\x00"]
)
def test_no_search_text_breaks_the_search(environment: Environment, query: str) -> None:
    result = environment.call("search_notes", {"query": query})
    assert result.ok or result.content["error"]["hint"]


def test_imaging_keeps_order_and_report_apart(environment: Environment) -> None:
    rows = environment.call("get_imaging", {}).content["rows"]
    assert [(row["kind"], row["time"]) for row in rows] == [
        ("order", "2150-03-01 11:00:00"),
        ("report", "2150-03-01 14:00:00"),
        ("procedure", "2150-03-02 05:00:00"),
    ]
    assert rows[1]["study"] == "CT ABD AND PELVIS WITH CONTRAST"


def test_details_come_with_orders_and_totals_with_fluids(environment: Environment) -> None:
    rows = environment.call("get_code_status", {}).content["rows"]
    assert [row["value"] for row in rows] == ["Resuscitate (Full code)", "DNR / DNI"]
    assert environment.call("get_fluid_balance", {}).content["summary"] == {"input_ml": 500.0, "output_ml": 120.0}
    given = environment.call("get_medication_administrations", {"drug": "furo"}).content["rows"][0]
    assert (given["dose_given"], given["dose_given_unit"]) == ("20,20", "mg")


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("get_lab", {}, "get_labs"),
        ("get_labs", {"itemz": [50912]}, "did you mean items?"),
        ("get_labs", {"items": ["Creatinin"], "hadm_id": 1}, str(HADM)),
        ("get_labs", {"items": ["Kreatinine"]}, "Creatinine"),
        ("get_labs", {"start": "yesterday"}, "YYYY-MM-DD"),
        ("get_labs", {"start": "2150-02-30"}, "no such date"),
        ("get_labs", {"cursor": "x"}, "next_cursor"),
        ("get_labs", {"cursor": "99"}, "13 rows"),
        ("get_labs", {"limit": 0}, "limit"),
        ("list_notes", {"kind": "nursing"}, "'discharge' or 'radiology'"),
        ("get_home_medications", {"stay_id": 1}, str(ED)),
        ("get_vitals", {"stay_id": HADM}, str(ICU)),
        ("get_vitals", {"items": ["hart rate"]}, "Heart Rate"),
        ("read_note", {"note_id": "20000000-DS-1"}, "list_notes"),
        ("read_note", {}, "note_id: is required"),
        ("read_policy", {"document": "kdigo-aki-2021"}, "kdigo-aki-2012"),
        ("read_policy", {"document": "kdigo-aki-2012", "start_line": 5000}, "lines"),
        ("submit_report", {"verdict": "perhaps"}, "ambiguous"),
        ("submit_report", {"verdict": "yes", "claims": [{"kind": "other"}]}, "text"),
    ],
)  # fmt: skip
def test_mistakes_are_told(environment: Environment, tool: str, arguments: dict[str, Any], told: str) -> None:
    result = environment.call(tool, arguments)
    assert not result.ok
    assert result.rows == 0
    assert told in f"{result.content['error']['message']} {result.content['error']['hint']}"


@pytest.mark.parametrize("arguments", [None, [], "x", 3, {1: 2}, {"items": {"a": object()}}, {"hadm_id": 1e400}])
def test_no_arguments_raise(environment: Environment, arguments: Any) -> None:
    assert not environment.call("get_labs", arguments).ok
    assert not environment.call(arguments, {}).ok


def test_policies_are_found_and_numbered(environment: Environment) -> None:
    found = environment.call("search_policies", {"query": "KDIGO acute kidney injury creatinine rise 0.3"}).content[
        "rows"
    ]
    assert "kdigo-aki-2012" in [row["document"] for row in found[:3]]
    part = environment.call("read_policy", {"document": "kdigo-aki-2012", "start_line": 2, "end_line": 3}).content
    assert part["text"].splitlines()[0] == "L2: id: kdigo-aki-2012"
    assert (part["start_line"], part["end_line"]) == (2, 3)
    assert environment.call("list_policies", {}).content["total"] == len(list((ROOT / "policy_docs").glob("*.md")))


def test_vitals_of_the_emergency_department_alone(environment: Environment) -> None:
    """Its columns have no item number."""
    result = environment.call("get_vitals", {"items": ["sbp"]})
    assert result.ok
    assert {row["label"] for row in result.content["rows"]} <= {"sbp"}
