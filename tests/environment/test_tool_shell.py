"""``clinicare tools``: lines as a clinician types them, and what is shown."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import Corpus, Environment, ToolCall, read_trace
from pytest_clinicare.tool_shell import ToolShell

from .conftest import HADM, SUBJECT

Typed = Callable[..., str]


@pytest.fixture
def typed(chart: Chart, corpus: Corpus, tmp_path: Path) -> Typed:
    def run(*lines: str, width: int = 100) -> str:
        shown = io.StringIO()
        with Environment(
            chart, corpus, subject_id=SUBJECT, hadm_id=HADM, trace_path=tmp_path / "a.jsonl"
        ) as environment:
            shell = ToolShell(
                environment, environment.brief("post-ct-aki", "Did it happen?"), Console(file=shown, width=width)
            )
            for line in lines:
                shell.onecmd(line)
        return shown.getvalue()

    return run


def test_a_tool_is_listed_explained_and_called(typed: Typed, tmp_path: Path) -> None:
    told = typed("list", "help get_labs", "get_labs items=Creatinine limit=2", "more", "quit")
    assert "search_notes" in told
    assert "Only rows that carry this admission's id" in told
    assert "labevents:100" in told
    assert "labevents:102" in told
    assert "2 of 12 from hosp.labevents, hosp.d_labitems; `more` shows the next  (call 1)" in told
    calls = [event for event in read_trace(tmp_path / "a.jsonl") if isinstance(event, ToolCall)]
    assert [call.tool for call in calls] == ["get_labs", "get_labs"]
    assert calls[0].arguments == {"items": ["Creatinine"], "limit": 2}
    assert calls[1].arguments.keys() == {"items", "limit", "cursor"}


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("get_labs items=Creatinine,50912", {"items": ["Creatinine", "50912"]}),
        ("get_labs items='[50912, 51006]'", {"items": [50912, 51006]}),
        ("get_labs items=50912", {"items": [50912]}),
        (f"get_labs hadm_id={HADM} start=2150-03-01", {"hadm_id": HADM, "start": "2150-03-01"}),
        ("get_labs start='2150-03-01 04:00:00'", {"start": "2150-03-01 04:00:00"}),
        ("search_notes query=2150", {"query": "2150"}),
    ],
)
def test_values_are_read_as_the_tool_wants_them(line: str, given: dict[str, object], typed, tmp_path: Path) -> None:
    typed(line)
    (call,) = (event for event in read_trace(tmp_path / "a.jsonl") if isinstance(event, ToolCall))
    assert call.arguments == given


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("get_labs creatinine", "'creatinine' has no name; see `help get_labs`"),
        ("get_labs items=Kreatinin", "no item in this chart's dictionary is labelled 'Kreatinin'"),
        ("get_lab", "there is no tool 'get_lab'"),
        ("get_labs start='2150", "quote text with spaces"),
        ("more", "there is no further page"),
        ("help get_lab", "there is no tool 'get_lab'; `list` names them"),
    ],
)
def test_mistakes_are_told(line: str, told: str, typed: Typed) -> None:
    assert told in " ".join(typed(line).split())


def test_a_wide_row_is_a_paragraph_and_the_answer_is_there_whole(typed: Typed) -> None:
    told = typed("get_labs items=Creatinine limit=1", "json", width=60)
    assert "valueuom mg/dL" in told
    assert '"specimen_id": 0' in told
