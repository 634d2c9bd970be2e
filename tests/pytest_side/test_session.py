"""Whole sessions: selection, exit status, the same under pytest-xdist, crash and resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

REFERENCE = "--clinicare-system=reference"
FEW = ["-p", "no:cacheprovider", "-k", "post-ct-aki-01 or post-ct-aki-02 or post-ct-aki-03 or renal-trajectory-01"]
HELD, NOT_HELD, ERRORS, INCOMPLETE = 0, 20, 21, 22

# Systems of a user, by what they do on the way to the reference's answer.
SYSTEMS = """
import os, time
from pytest_clinicare.systems import resolve_system


class Wrapped:
    def __init__(self):
        self.reference = resolve_system("reference")

    def run(self, brief, tools):
        self.before(brief)
        return self.reference.run(brief, tools)


class Slow(Wrapped):
    name = "test/slow"

    def before(self, brief):
        time.sleep(float(os.environ.get("TEST_SLEEP", "0")))


class Deadly(Wrapped):
    name = "test/deadly"

    def before(self, brief):
        if brief.scenario == "renal-trajectory" and not os.path.exists("cured"):
            os._exit(9)
"""


def _report(pytester: pytest.Pytester) -> dict[str, Any]:
    (path,) = (pytester.path / ".clinicare" / "runs").glob("*/report.json")
    report: dict[str, Any] = json.loads(path.read_text())
    return report


def test_cases_are_collected_and_not_the_tests_of_the_project(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_theirs="def test_theirs(): pass")
    result = pytester.runpytest_subprocess(REFERENCE, "--collect-only", "-q", "-m", "nephrology")
    items = [line for line in result.outlines if "::" in line]
    assert len(items) == 60
    assert items == sorted(items)
    assert items[0].endswith("cases/test_cases.py::test_case[post-ct-aki-01]")
    assert not (pytester.path / ".clinicare").exists()


def test_attempts_are_items(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(
        REFERENCE, "--collect-only", "-q", "-k", "post-ct-aki-01", "--clinicare-attempts=2"
    )
    result.stdout.fnmatch_lines(["*[[]post-ct-aki-01@1]", "*[[]post-ct-aki-01@2]"])


@pytest.mark.parametrize("workers", ["0", "2"])
def test_gate_decides_the_exit_status(pytester: pytest.Pytester, workers: str) -> None:
    run = [*FEW, "-n", workers]
    held = pytester.runpytest_subprocess(REFERENCE, *run, "--clinicare-gate=accuracy >= 0.9")
    assert held.ret == HELD
    held.stdout.fnmatch_lines(["*accuracy*", "*held*"])
    idle = pytester.runpytest_subprocess(
        "--clinicare-system=idle", *run, "--clinicare-gate=defect_free_accuracy >= 0.9"
    )
    assert idle.ret == NOT_HELD
    idle.stdout.fnmatch_lines(["*not held*"])
    crash = pytester.runpytest_subprocess("--clinicare-system=crasher", *run, "--clinicare-gate=accuracy >= 0.0")
    assert crash.ret == ERRORS
    crash.assert_outcomes(errors=4)


def test_failure_tells_verdict_defect_and_trace(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--clinicare-system=idle", *FEW)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*verdict *reference*", "*clinicare trace .clinicare/runs/*.jsonl"])


def test_the_same_with_and_without_workers(pytester: pytest.Pytester) -> None:
    reports = []
    for workers in ("0", "2"):
        pytester.runpytest_subprocess("--clinicare-system=shortcut", *FEW, "-n", workers, "--clinicare-fresh")
        newest = max((pytester.path / ".clinicare" / "runs").glob("*/report.json"), key=lambda p: p.stat().st_mtime_ns)
        reports.append(_steady(json.loads(newest.read_text())))
    assert reports[0] == reports[1]


def test_dead_worker_is_an_error_and_is_run_again(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(their_systems=SYSTEMS)
    run = ["--clinicare-system=their_systems:Deadly", *FEW, "--clinicare-gate=accuracy >= 1.0"]
    died = pytester.runpytest_subprocess(*run, "-n", "2")
    assert died.ret == ERRORS
    died.assert_outcomes(passed=3, errors=1)
    (pytester.path / "cured").touch()
    again = pytester.runpytest_subprocess(*run, "-n", "2")
    assert again.ret == HELD
    again.assert_outcomes(passed=4)
    again.stdout.fnmatch_lines(["*3 reused*"])


def test_lost_items_are_incomplete(pytester: pytest.Pytester) -> None:
    """xdist gives up when a worker may not be restarted, and leaves the rest undone."""
    pytester.makepyfile(their_systems=SYSTEMS)
    result = pytester.runpytest_subprocess(
        "--clinicare-system=their_systems:Deadly", "-p", "no:cacheprovider", "-k", "renal-trajectory",
        "-n", "1", "--max-worker-restart=0", "--clinicare-gate=accuracy >= 0.0",
    )  # fmt: skip
    assert result.ret == INCOMPLETE


def test_kill_and_resume_gives_the_metrics_of_an_undisturbed_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(their_systems=SYSTEMS)
    command = [sys.executable, "-m", "pytest", "--clinicare-system=their_systems:Slow", *FEW, "-n", "2"]
    killed = subprocess.Popen(
        command,
        cwd=pytester.path,
        env={**os.environ, "TEST_SLEEP": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _wait_for_record(pytester.path)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    resumed = pytester.runpytest_subprocess(*command[3:])
    resumed.assert_outcomes(passed=4)
    resumed.stdout.fnmatch_lines(["*reused*"])
    after_kill = _report(pytester)
    undisturbed = pytester.runpytest_subprocess(*command[3:], "--clinicare-runs=undisturbed")
    undisturbed.assert_outcomes(passed=4)
    (path,) = (pytester.path / "undisturbed").glob("*/report.json")
    assert _steady(after_kill) == _steady(json.loads(path.read_text()))


def _wait_for_record(folder: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if any(path.stat().st_size for path in folder.glob(".clinicare/runs/*/records/*.jsonl")):
            return
        time.sleep(0.05)
    raise AssertionError("no record within a minute")


def _steady(value: Any) -> Any:
    """A report without what differs between any two runs: times and names of the run and its files."""
    changing = {"seconds", "cpu_ms", "at", "run", "run_id", "created", "path", "directory"}
    if isinstance(value, dict):
        return {key: _steady(item) for key, item in value.items() if key not in changing}
    return [_steady(item) for item in value] if isinstance(value, list) else value
