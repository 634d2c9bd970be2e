"""Arguments made to break the tools: each ends in a clear error, the run goes on, nothing leaks, the trace has it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_clinicare.charts import Chart, Draft
from pytest_clinicare.environment import Corpus, CorpusError, Environment, Limits, read_trace, replay
from pytest_clinicare.environment.environment import tool_specs
from tests.environment.conftest import HADM, SUBJECT

OTHER = 10000099
SECRET = "ANOTHER PATIENT"
TOOLS = {spec.name: spec.parameters for spec in tool_specs()}
# Text with NULs, halves of surrogate pairs, controls, marks of direction; numbers that no column holds; deep values.
_TEXT = st.text(st.characters(), max_size=60) | st.sampled_from(
    [
        "\x00",
        "a\x00b",
        "\ud800",
        "\u202egpj",
        "\ufeff",
        "' OR 1=1 --",
        "%' UNION SELECT 1",
        "../" * 20,
        "𝟙𝟚",
        "A" * 70_000,
    ]
)
_VALUE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def other_chart(tmp_path: Path) -> None:
    """Another patient's chart, beside this one's."""
    draft = Draft(OTHER, 2)
    draft.add("patients", gender="M", anchor_age=50, anchor_year=2150, anchor_year_group=SECRET)
    draft.save(tmp_path / f"{OTHER}.sqlite")


@pytest.fixture
def environment(chart: Chart, corpus: Corpus, other_chart: None, tmp_path: Path) -> Iterator[Environment]:
    with Environment(chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=tmp_path / "trace.jsonl") as opened:
        yield opened


def _holds(environment: Environment, tool: str, arguments: dict[str, Any]) -> None:
    before = len(environment.events)
    result = environment.call(tool, arguments)
    told = json.dumps(result.content)
    assert SECRET not in told
    assert "Traceback" not in told
    assert len(told) < 200_000
    if not result.ok:
        assert result.content["error"]["message"]
        assert result.rows == 0
    assert [event.event for event in environment.events[before:]] == ["call", "result"]


@pytest.mark.parametrize("tool", sorted(TOOLS))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_argument_breaks_a_tool(environment: Environment, tool: str, data: st.DataObject) -> None:
    properties: dict[str, Any] = TOOLS[tool]["properties"]  # type: ignore[assignment]
    if tool == "submit_report":
        return  # It ends the run: see below.
    arguments = data.draw(st.dictionaries(st.sampled_from([*properties, "extra", "\x00"]), _VALUE, max_size=4))
    _holds(environment, tool, arguments)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments=st.dictionaries(st.sampled_from(["verdict", "confidence", "rationale", "claims", "\x00"]), _VALUE))
def test_no_report_breaks_a_run(chart: Chart, corpus: Corpus, arguments: dict[str, Any]) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT) as environment:
        result = environment.call("submit_report", arguments)
        if not result.ok:
            assert result.content["error"]["message"]
            assert environment.call("get_patient", {}).ok


@pytest.mark.parametrize(
    ("name", "value"),
    [("subject_id", OTHER), ("hadm_id", 29999999), ("stay_id", 39999999), ("note_id", f"{OTHER}-DS-1")],
)
def test_another_patients_ids_find_nothing(environment: Environment, name: str, value: object) -> None:
    taking = [tool for tool, parameters in TOOLS.items() if name in parameters["properties"]]  # type: ignore[operator]
    assert taking or name == "subject_id"
    for tool in taking or TOOLS:
        result = environment.call(tool, {name: value})
        assert not result.ok, tool
        assert result.rows == 0
        assert result.refs == ()
        assert SECRET not in json.dumps(result.content)


def test_another_patients_ids_in_sql_find_nothing(environment: Environment) -> None:
    for query in (
        f"SELECT * FROM patients WHERE subject_id = {OTHER}",
        f"SELECT * FROM admissions WHERE subject_id <> {SUBJECT}",
    ):
        result = environment.call("run_sql", {"query": query})
        assert (result.ok, result.rows) == (True, 0)


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


# To where the trace can no longer be read back, and to where one more frame of Python is too many.
@pytest.mark.parametrize("levels", [[150, 250, 500], range(900, 1000)], ids=["some", "many"])
def test_arguments_nested_deep_leave_a_trace_that_can_be_read(
    environment: Environment, chart: Chart, corpus: Corpus, tmp_path: Path, levels: list[int]
) -> None:
    for number in levels:
        for tool, name in (("get_labs", "items"), ("submit_report", "claims")):
            assert not environment.call(tool, {name: _nested(number)}).ok
    environment.close()
    trace = read_trace(tmp_path / "trace.jsonl")
    assert trace.broken is None
    assert replay(trace, chart, corpus) == []


OUTSIDE = (
    "../policy_docs/kdigo-aki-2012",
    "../../etc/passwd",
    "/etc/passwd",
    "kdigo-aki-2012/../x",
    "..",
    ".",
    "kdigo-aki-2012\x00",
    "%2e%2e%2fetc%2fpasswd",
    "file:///etc/passwd",
    "~/.ssh/id_rsa",
)


@pytest.mark.parametrize("path", OUTSIDE)
def test_documents_and_notes_are_named_and_not_paths(environment: Environment, path: str) -> None:
    for tool, name in (("read_policy", "document"), ("read_note", "note_id")):
        result = environment.call(tool, {name: path})
        assert not result.ok
        assert "root:" not in json.dumps(result.content)


def test_a_link_out_of_the_corpus_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "secret").write_text(f"---\nid: x\ntitle: t\n---\n{SECRET}\n")
    (tmp_path / "docs" / "x.md").symlink_to(tmp_path / "secret")
    with pytest.raises(CorpusError, match=r"x\.md links to a file outside"):
        _ = Corpus(tmp_path / "docs").documents


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM discharge, labevents WHERE text LIKE '" + "%a" * 100 + "%'",
        "SELECT count(*) FROM discharge, labevents WHERE text GLOB '" + "*a" * 100 + "*'",
        "SELECT length(replace(replace(text, 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa')) FROM discharge",
        "SELECT sum(instr(text, substr(text, 2))) FROM discharge, labevents",
        "SELECT hex(hex(hex(text))) FROM discharge",
    ],
)
def test_costly_queries_end(environment: Environment, query: str) -> None:
    began = time.monotonic()
    _holds(environment, "run_sql", {"query": query})
    assert time.monotonic() - began < 20
    assert environment.call("run_sql", {"query": "SELECT 1 AS one"}).ok


def test_enormous_arguments_are_refused_and_do_not_swell_the_trace(
    environment: Environment, chart: Chart, corpus: Corpus, tmp_path: Path
) -> None:
    enormous = "x" * 5_000_000
    for tool, arguments in (
        ("run_sql", {"query": enormous}),
        ("search_notes", {"query": enormous}),
        ("get_labs", {"items": [enormous]}),
        ("get_labs", {enormous: 1}),
        (enormous, {}),
    ):
        result = environment.call(tool, arguments)
        assert not result.ok
        assert len(json.dumps(result.content)) < 10_000
    assert environment.file_text("verdict: yes " + enormous) is not None
    environment.close()
    assert (tmp_path / "trace.jsonl").stat().st_size < 1_000_000
    trace = read_trace(tmp_path / "trace.jsonl")
    assert replay(trace, chart, corpus) == []


@pytest.mark.parametrize("ending", ["report", "calls", "time"])
def test_calls_to_a_run_that_is_over_do_not_swell_the_trace(
    chart: Chart, corpus: Corpus, tmp_path: Path, ending: str
) -> None:
    path, now = tmp_path / "trace.jsonl", [0.0]
    with Environment(
        chart, corpus, subject_id=SUBJECT, limits=Limits(calls=5), trace_path=path, clock=lambda: now[0]
    ) as environment:
        for _ in range(5 if ending == "calls" else 1):
            environment.call("submit_report", {"verdict": "yes" if ending == "report" else "?"})
        now[0] = 10_000.0 if ending == "time" else 0.0
        for number in range(600):
            tool = ("get_patient", "submit_report")[number % 2]
            refused = environment.call(tool, {"verdict": "?", "rationale": "x" * 20_000})
            assert not refused.ok
            assert refused.content["error"]["message"]
    assert path.stat().st_size < 6_000_000
    trace = read_trace(path)
    assert trace.broken is None
    assert sum(event.event == "call" for event in trace) <= 5 + 200
    assert replay(trace, chart, corpus) == []
