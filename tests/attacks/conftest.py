"""A chart with tools and a shell; where this machine has no sandbox, the attacks on it are skipped and say so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import (
    Bubblewrap,
    Corpus,
    Environment,
    SandboxError,
    ShellLimits,
    ToolResult,
    prove_sandbox,
)
from tests.environment.conftest import HADM, SUBJECT, chart, chart_path, corpus  # noqa: F401

Shell = Callable[..., ToolResult]
LIMITS = ShellLimits(seconds=20, memory_mb=512, processes=64, file_mb=12, work_mb=16)


@pytest.fixture(scope="session")
def sandbox() -> Bubblewrap:
    try:
        return prove_sandbox(LIMITS, slot=os.getpid())
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """What must not be seen: it stands in a file that all may read, beside the chart."""
    (tmp_path / "other-patient.sqlite").write_text("ANOTHER PATIENT")
    return "ANOTHER PATIENT"


@pytest.fixture
def environment(
    chart: Chart,  # noqa: F811
    corpus: Corpus,  # noqa: F811
    sandbox: Bubblewrap,
    tmp_path: Path,
) -> Iterator[Environment]:
    with Environment(
        chart,
        corpus,
        subject_id=SUBJECT,
        hadm_id=HADM,
        sandbox=sandbox,
        trace_path=tmp_path / "trace.jsonl",
        artifacts=tmp_path / "artifacts",
    ) as opened:
        yield opened


@pytest.fixture
def shell(environment: Environment) -> Iterator[Shell]:
    """Runs a command; afterwards the run goes on and the trace has every call."""
    calls = 0

    def run(command: str, **arguments: object) -> ToolResult:
        nonlocal calls
        calls += 1
        return environment.call("run_shell", {"command": command, **arguments})

    yield run
    assert environment.call("get_patient", {}).ok
    assert sum(event.event == "result" for event in environment.events) == calls + 1
