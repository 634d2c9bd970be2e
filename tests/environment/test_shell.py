"""The shell as a tool: what is told of it, what is handed in, what it leaves, and how a replay takes it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_clinicare.charts import Chart
from pytest_clinicare.environment import (
    Bubblewrap,
    Corpus,
    Environment,
    SandboxError,
    ToolResult,
    prove_sandbox,
    read_trace,
    replay,
)
from pytest_clinicare.environment.sandbox import cgroups
from pytest_clinicare.environment.sandbox.protocol import Ran
from pytest_clinicare.environment.sandbox.work_archive import files_of, with_files
from pytest_clinicare.environment.workspace import Workspace

from .conftest import HADM, SUBJECT


@pytest.fixture(scope="module")
def sandbox() -> Bubblewrap:
    try:
        return prove_sandbox(slot=os.getpid())
    except SandboxError as error:
        pytest.skip(str(error))


def test_a_run_without_a_sandbox_has_no_shell(environment: Environment) -> None:
    assert "run_shell" not in [spec.name for spec in environment.specs]
    refused = environment.call("run_shell", {"command": "true"})
    assert refused.content["error"]["message"] == "there is no shell in this run"


def test_the_agent_is_told_what_is_there(chart: Chart, corpus: Corpus, sandbox: Bubblewrap) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, sandbox=sandbox) as environment:
        (spec,) = (spec for spec in environment.specs if spec.name == "run_shell")
        said = environment.call(
            "run_shell", {"command": "python3 -c 'import pandas, numpy, scipy; print(pandas.__version__)'"}
        )
    versions = sandbox.description["versions"]
    assert f"pandas {versions['pandas']}" in spec.description
    assert "no network" in spec.description
    assert said.content["output"].strip() == versions["pandas"]


def test_results_are_handed_in_and_recorded(chart: Chart, corpus: Corpus, sandbox: Bubblewrap, tmp_path: Path) -> None:
    path, artifacts = tmp_path / "a.jsonl", tmp_path / "artifacts"
    with Environment(
        chart,
        corpus,
        subject_id=SUBJECT,
        hadm_id=HADM,
        sandbox=sandbox,
        trace_path=path,
        artifacts=artifacts,
    ) as environment:
        labs = environment.call("get_labs", {"items": ["Creatinine"]})
        summed = environment.call(
            "run_shell",
            {
                "command": "python3 -c \"import pandas as p; t = p.read_csv('call-1.csv'); "
                "print(round(t.valuenum.sum(), 3)); t.describe().to_csv('table.csv')\"",
                "inputs": [1],
            },
        )
        whole = environment.call("run_shell", {"command": "cat call-1.json"})
        wrong = environment.call("run_shell", {"command": "true", "inputs": [1, 9]})
        environment.call("get_patient", {})
    assert summed.content["status"] == 0
    assert float(summed.content["output"]) == round(sum(row["valuenum"] for row in labs.content["rows"]), 3)
    assert summed.content["inputs"].keys() == {"call-1.json", "call-1.csv"}
    assert {file["name"] for file in summed.content["files"]} == {"call-1.json", "call-1.csv", "table.csv"}
    assert json.loads(whole.content["output"]) == labs.content
    assert wrong.content["error"]["message"] == "inputs: call 9 has no result"
    assert (artifacts / "table.csv").read_text().startswith(",itemid")
    trace = read_trace(path)
    assert [event.ok for event in trace if isinstance(event, ToolResult)] == [True, True, True, False, True]
    assert replay(trace, chart, corpus) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "command: is required"),
        ({"command": ""}, "command"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": "true", "seconds": 0}, "seconds"),
        ({"command": "true", "inputs": ["1; rm"]}, "inputs"),
        ({"command": "x" * 30_000}, "command"),
    ],
)
def test_wrong_arguments_are_told(
    arguments: dict[str, Any], told: str, chart: Chart, corpus: Corpus, sandbox: Bubblewrap
) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, sandbox=sandbox) as environment:
        refused = environment.call("run_shell", arguments)
    assert told in refused.content["error"]["message"]


def test_text_of_any_kind_is_a_command_like_others(chart: Chart, corpus: Corpus, sandbox: Bubblewrap) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, sandbox=sandbox) as environment:
        said = environment.call("run_shell", {"command": "echo 'ärztlich ☤ \ud800' \"$(printf '\\377')\""})
    assert said.ok
    assert said.content["output"].startswith("ärztlich ☤ ")


def test_exit_status_and_both_streams_are_told(chart: Chart, corpus: Corpus, sandbox: Bubblewrap) -> None:
    with Environment(chart, corpus, subject_id=SUBJECT, sandbox=sandbox) as environment:
        said = environment.call("run_shell", {"command": "echo out; echo err >&2; exit 7"})
    assert (said.content["status"], said.content["ended_by"]) == (7, "exit")
    assert said.content["output"] == "out\nerr\n"


def test_limits_hold_without_a_control_group(sandbox: Bubblewrap) -> None:
    from dataclasses import replace

    without = replace(sandbox, mechanism="rlimits")
    assert without.run("python3 -c 'bytearray(3 << 30)'", seconds=10, state=b"").status == 1
    assert without.description["limits_by"] == "rlimits"
    assert cgroups.mechanism() == sandbox.description["limits_by"]


def test_a_sandbox_that_cannot_start_is_infrastructure(sandbox: Bubblewrap, tmp_path: Path) -> None:
    from dataclasses import replace

    gone = replace(sandbox, analysis=replace(sandbox.analysis, folder=tmp_path / "gone"))
    with pytest.raises(SandboxError, match="cannot be started: bwrap: ") as raised:
        gone.run("true", seconds=1, state=b"")
    assert raised.value.outcome == "sandbox_failure"


def test_an_archive_of_anything_is_read_or_left() -> None:
    state = with_files(with_files(b"", {"a/b.txt": b"one", "c": b"two"}), {"c": b"three"})
    assert {file.name: file.content for file in files_of(state, 100)} == {"a/b.txt": b"one", "c": b"three"}
    assert [file.name for file in files_of(state, 4)] == ["a/b.txt"]
    assert list(files_of(b"no archive", 100)) == []
    assert list(files_of(state[:700], 100)) == list(files_of(state[:1024], 100))
    for name in ("/etc/passwd", "../up", "a/../../up", "a//b", "new\nline", "x" * 300, "a/."):
        assert list(files_of(with_files(b"", {name: b"x"}), 100)) == [], name


class _Ending:
    """A sandbox in which every command is ended by a limit, which leaves the work directory as it was."""

    def __init__(self) -> None:
        self.description: dict[str, Any] = {}
        self.sizes: list[int] = []

    def run(self, command: str, *, seconds: float, state: bytes) -> Ran:
        self.sizes.append(len(state))
        return Ran(None, "time limit", "", 0, False, state)


def test_results_handed_in_again_and_again_do_not_add_up() -> None:
    sandbox = _Ending()
    workspace = Workspace(sandbox, lambda call: {"rows": [{"call": call}]})
    for number in (1, 2, 1, 2, 1, 2):
        workspace.hand_in([number])
        workspace.run("sleep 100", 1)
    assert sandbox.sizes[1:] == [sandbox.sizes[1]] * 5
    assert [file.name for file in workspace.files] == ["call-1.csv", "call-1.json", "call-2.csv", "call-2.json"]
