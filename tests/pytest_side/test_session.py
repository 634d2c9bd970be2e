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

from pytest_clinicare.suite import load_suite

REFERENCE = "--clinicare-system=reference"
QUIET = ["-p", "no:cacheprovider"]
FEW = [*QUIET, "-k", "post-ct-aki-01 or post-ct-aki-02 or renal-trajectory-01"]
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


class Exiting(Wrapped):
    name = "test/exiting"

    def before(self, brief):
        raise SystemExit("no key")
"""


def _report(folder: Path) -> dict[str, Any]:
    """The report of the newest run in a folder of runs."""
    newest = max(folder.glob("*/report.json"), key=lambda path: path.stat().st_mtime_ns)
    report: dict[str, Any] = json.loads(newest.read_text())
    return report


def test_cases_are_collected_and_not_the_tests_of_the_project(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_theirs="def test_theirs(): pass")
    result = pytester.runpytest_inprocess(REFERENCE, "--collect-only", "-q", "-m", "nephrology")
    items = [line for line in result.outlines if "::" in line]
    assert len(items) == 30 * sum(s.specialty == "nephrology" for s in load_suite().scenarios.values())
    assert items == sorted(items)
    assert items[0].endswith("cases/test_cases.py::test_case[post-ct-aki-01]")
    assert not (pytester.path / ".clinicare").exists()


def test_attempts_are_items(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        REFERENCE, "--collect-only", "-q", "-k", "post-ct-aki-01", "--clinicare-attempts=2"
    )
    result.stdout.fnmatch_lines(["*[[]post-ct-aki-01@1]", "*[[]post-ct-aki-01@2]"])


@pytest.mark.usefixtures("charts")
def test_gate_decides_the_exit_status(pytester: pytest.Pytester) -> None:
    """Without workers; with them it is decided in the tests of dead workers and of equality below."""
    held = pytester.runpytest_inprocess(REFERENCE, *FEW, "--clinicare-gate=accuracy >= 0.9")
    assert held.ret == HELD
    held.stdout.fnmatch_lines(["*accuracy*", "*held*"])
    crash = pytester.runpytest_inprocess("--clinicare-system=crasher", *FEW, "--clinicare-gate=accuracy >= 0.0")
    assert crash.ret == ERRORS
    crash.assert_outcomes(errors=3)
    tolerated = pytester.runpytest_inprocess(
        "--clinicare-system=crasher", *FEW, "--clinicare-gate=accuracy >= 0.0", "--clinicare-max-errors=3"
    )
    assert tolerated.ret == HELD


@pytest.mark.usefixtures("charts")
def test_exit_status_without_a_gate_is_that_of_pytest(pytester: pytest.Pytester) -> None:
    """By the command as it is installed, in a process of its own."""
    run = [*QUIET, "-k", "post-ct-aki-01"]
    assert pytester.runpytest_subprocess(REFERENCE, *run).ret == pytest.ExitCode.OK
    failed = pytester.runpytest_inprocess("--clinicare-system=idle", *run)
    assert failed.ret == pytest.ExitCode.TESTS_FAILED
    # A failure tells the verdict, the reference and how to open the trace.
    failed.stdout.fnmatch_lines(["*verdict *reference*", "*clinicare trace .clinicare/runs/*.jsonl"])


@pytest.mark.usefixtures("charts")
def test_system_that_ends_the_process_is_an_error_of_the_infrastructure(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(their_systems=SYSTEMS)
    result = pytester.runpytest_inprocess("--clinicare-system=their_systems:Exiting", *FEW)
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["*3 of 3 runs recorded*3 infrastructure errors*", "*SystemExit: no key*"])


@pytest.mark.usefixtures("charts")
@pytest.mark.parametrize("workers", ["2", pytest.param("16", marks=pytest.mark.slow)])
def test_the_same_with_and_without_workers(pytester: pytest.Pytester, workers: str) -> None:
    run = ["--clinicare-system=shortcut", *FEW, "--clinicare-gate=defect_free_accuracy >= 0.99"]
    reports = []
    for number in ("0", workers):
        result = pytester.runpytest_inprocess(*run, "-n", number, f"--clinicare-runs=with-{number}")
        assert result.ret == NOT_HELD
        result.stdout.fnmatch_lines(["*not held*"])
        reports.append(_steady(_report(pytester.path / f"with-{number}")))
    assert reports[0] == reports[1]


@pytest.mark.usefixtures("charts")
def test_dead_worker_is_an_error_and_is_run_again(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(their_systems=SYSTEMS)
    run = ["--clinicare-system=their_systems:Deadly", *FEW, "--clinicare-gate=accuracy >= 1.0"]
    died = pytester.runpytest_inprocess(*run, "-n", "2")
    assert died.ret == ERRORS
    died.assert_outcomes(passed=2, errors=1)
    (pytester.path / "cured").touch()
    again = pytester.runpytest_inprocess(*run, "-n", "2")
    assert again.ret == HELD
    again.assert_outcomes(passed=3)
    again.stdout.fnmatch_lines(["*2 reused*"])


@pytest.mark.usefixtures("charts")
def test_lost_items_are_incomplete(pytester: pytest.Pytester) -> None:
    """xdist gives up when a worker may not be restarted, and leaves the rest undone."""
    pytester.makepyfile(their_systems=SYSTEMS)
    result = pytester.runpytest_inprocess(
        "--clinicare-system=their_systems:Deadly", *QUIET, "-k", "renal-trajectory-0",
        "-n", "1", "--max-worker-restart=0", "--clinicare-gate=accuracy >= 0.0",
    )  # fmt: skip
    assert result.ret == INCOMPLETE


@pytest.mark.usefixtures("charts")
def test_kill_and_resume_gives_the_metrics_of_an_undisturbed_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(their_systems=SYSTEMS)
    run = ["--clinicare-system=their_systems:Slow", *FEW]
    killed = subprocess.Popen(
        [sys.executable, "-m", "pytest", *run, "-n", "2"],
        cwd=pytester.path,
        env={**os.environ, "TEST_SLEEP": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    runs = pytester.path / ".clinicare" / "runs"
    _wait_for_record(runs)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert not list(runs.glob("*/report.json")), "killed before its end"
    resumed = pytester.runpytest_inprocess(*run, "-n", "2")
    resumed.assert_outcomes(passed=3)
    resumed.stdout.fnmatch_lines(["*reused*"])
    undisturbed = pytester.runpytest_inprocess(*run, "--clinicare-runs=undisturbed")
    undisturbed.assert_outcomes(passed=3)
    assert _steady(_report(runs)) == _steady(_report(pytester.path / "undisturbed"))


def _wait_for_record(runs: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if any(path.stat().st_size for path in runs.glob("*/records/*.jsonl")):
            return
        time.sleep(0.05)
    raise AssertionError("no record within a minute")


def _steady(value: Any) -> Any:
    """A report without what differs between any two runs: times and names of the run and its files."""
    changing = {"seconds", "cpu_ms", "at", "run", "run_id", "created", "path", "directory", "trace_tip"}
    if isinstance(value, dict):
        return {key: _steady(item) for key, item in value.items() if key not in changing}
    return [_steady(item) for item in value] if isinstance(value, list) else value
