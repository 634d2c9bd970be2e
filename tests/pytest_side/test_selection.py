"""Holdout cases stay out of runs that did not ask for them; the development subset is a run of its own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pytest_clinicare.cli import application
from pytest_clinicare.suite import load_suite

THEIRS = "--clinicare-system=their_systems:Theirs"
DEV = "--clinicare-split=dev"
SYSTEM = """
class Theirs:
    name = "test/theirs"

    def run(self, brief, tools):
        return "verdict: no"
"""


def _generate(folder: Path, seed: int, *arguments: str) -> None:
    command = ["cases", "generate", "renal-trajectory", "--seed", str(seed), "--per-scenario", "2", *arguments]
    assert CliRunner().invoke(application(), [*command, "--out", str(folder)]).exit_code == 0


@pytest.fixture
def theirs(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder ``form`` of two public and two holdout cases, and a system that is not scripted."""
    _generate(pytester.path / "form" / "public", 1)
    _generate(pytester.path / "form" / "private", 2, "--holdout")
    pytester.makepyfile(their_systems=SYSTEM)
    return pytester


def _run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", "--clinicare-cases=form", *arguments)


def _reports(pytester: pytest.Pytester) -> list[dict[str, Any]]:
    paths = sorted((pytester.path / ".clinicare/runs").glob("*/report.json"), key=lambda path: path.stat().st_mtime_ns)
    return [json.loads(path.read_text()) for path in paths]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_holdout_cases_are_left_out_and_counted(theirs: pytest.Pytester, workers: str) -> None:
    result = _run(theirs, THEIRS, "-n", workers)
    result.stdout.fnmatch_lines(["*2 holdout cases left out (--clinicare-include-holdout runs them)*"])
    (report,) = _reports(theirs)
    assert report["manifest"]["holdout"] == "left out"
    assert [record["holdout"] for record in report["records"]] == [False, False]
    if workers == "0":
        assert result.parseoutcomes()["deselected"] == 2


def test_holdout_cases_run_when_asked_for(theirs: pytest.Pytester) -> None:
    _run(theirs, THEIRS, "--clinicare-include-holdout").stdout.fnmatch_lines(["*2 holdout cases included*"])
    (report,) = _reports(theirs)
    assert report["manifest"]["holdout"] == "included"
    assert sorted(record["holdout"] for record in report["records"]) == [False, False, True, True]


def test_a_scripted_system_is_given_them_unasked(theirs: pytest.Pytester) -> None:
    result = _run(theirs, "--clinicare-system=reference")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*2 holdout cases included*"])
    assert _reports(theirs)[0]["manifest"]["holdout"] == "included"


def test_nothing_but_holdout_cases_is_a_mistake(theirs: pytest.Pytester) -> None:
    result = _run(theirs, THEIRS, "--clinicare-cases=form/private")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*every case here is a holdout case*--clinicare-include-holdout*"])


def test_dev_is_up_to_two_cases_of_each_verdict_of_each_scenario(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--clinicare-system=idle", DEV, "--collect-only", "-q")
    ids = [line.partition("[")[2].rstrip("]") for line in result.outlines if "::test_case[" in line]
    suite = load_suite()
    chosen = [case for case in suite.cases if case.id in ids]
    assert len(chosen) == len(ids)
    there = Counter((case.scenario, case.verdict) for case in suite.cases)
    assert Counter((case.scenario, case.verdict) for case in chosen) == {key: min(2, n) for key, n in there.items()}
    assert ids[0] == next(case.id for case in suite.cases)


def test_splits_never_mix(theirs: pytest.Pytester) -> None:
    """Even where they select the same cases."""
    selected = [THEIRS, "--clinicare-cases=form/public"]
    _run(theirs, *selected)
    _run(theirs, *selected, DEV).stdout.fnmatch_lines(["*split dev (2 of 2 cases)*"])
    whole, dev = _reports(theirs)
    assert (whole["manifest"]["split"], dev["manifest"]["split"]) == ("all", "dev")
    assert whole["manifest"]["cases"] == dev["manifest"]["cases"]
    assert whole["run"] != dev["run"]


def test_holdout_cases_are_in_no_dev_split(theirs: pytest.Pytester) -> None:
    result = _run(theirs, "--clinicare-system=reference", "--clinicare-cases=form/private", DEV)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--clinicare-split=dev: no case here is in it*"])


def test_unknown_split(theirs: pytest.Pytester) -> None:
    result = _run(theirs, THEIRS, "--clinicare-split=test")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--clinicare-split: unknown split 'test'; there are: all, dev*"])
