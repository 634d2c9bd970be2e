"""A mistake of the user is one clear message and exit status 4, with nothing written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_clinicare.suite import suite_root

REFERENCE = "--clinicare-system=reference"


def _refused(pytester: pytest.Pytester, *arguments: str) -> str:
    before = set(pytester.path.rglob(".clinicare/**/*"))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)
    told = result.stderr.str() + result.stdout.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR, told
    assert "Traceback" not in told
    assert set(pytester.path.rglob(".clinicare/**/*")) == before, "nothing may be written"
    return told


@pytest.fixture
def own_cases(pytester: pytest.Pytester) -> Path:
    """A folder with two cases of the suite, to be spoilt."""
    folder = pytester.path / "own"
    folder.mkdir()
    for source in sorted((suite_root().cases / "post-ct-aki").glob("post-ct-aki-0[12].toml")):
        shutil.copy(source, folder)
    return folder


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--clinicare-system=refrence"], ["--clinicare-system", "refrence", "reference"]),
        (["--clinicare-system=no_such_module:Thing"], ["no_such_module"]),
        ([REFERENCE, "--clinicare-gate=acuracy >= 0.7"], ["--clinicare-gate", "acuracy", "accuracy"]),
        ([REFERENCE, "--clinicare-gate=accuracy about 0.7"], ["--clinicare-gate", "about"]),
        ([REFERENCE, "--clinicare-cases=missing"], ["--clinicare-cases", "missing"]),
        ([REFERENCE, "--clinicare-attempts=none"], ["--clinicare-attempts", "none"]),
        ([REFERENCE, "--clinicare-judge=oracle"], ["--clinicare-judge", "oracle", "rules"]),
    ],
    ids=["system", "module", "gate-metric", "gate-syntax", "cases", "attempts", "judge"],
)
def test_option(pytester: pytest.Pytester, arguments: list[str], told: list[str]) -> None:
    message = _refused(pytester, *arguments)
    assert [word for word in told if word not in message] == []


def test_malformed_case_names_file_key_and_line(pytester: pytest.Pytester, own_cases: Path) -> None:
    spoilt = own_cases / "post-ct-aki-01.toml"
    lines = spoilt.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("verdict"))
    lines[at] = 'verdict = "maybe"'
    spoilt.write_text("\n".join(lines) + "\n")
    message = _refused(pytester, REFERENCE, "--clinicare-cases=own")
    assert f"post-ct-aki-01.toml:{at + 1}" in message
    assert "verdict" in message


def test_run_folder_that_is_a_file(pytester: pytest.Pytester) -> None:
    pytester.makefile(".txt", runs="not a folder")
    assert "runs.txt" in _refused(pytester, REFERENCE, "--clinicare-runs=runs.txt")


@pytest.mark.parametrize("workers", ["0", "2"])
def test_unreadable_run_directory(pytester: pytest.Pytester, workers: str) -> None:
    selected = ["-p", "no:cacheprovider", "-k", "post-ct-aki-01", "-n", workers]
    pytester.runpytest_subprocess(REFERENCE, *selected)
    (manifest,) = (pytester.path / ".clinicare" / "runs").glob("*/manifest.json")
    manifest.write_text("{")
    assert "manifest.json" in _refused(pytester, REFERENCE, *selected)


def test_environment_and_ini_are_read_in_order(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\nclinicare_system = from_ini:Thing\n")
    assert "from_ini" in _refused(pytester)
    monkeypatch.setenv("CLINICARE_SYSTEM", "from_environment:Thing")
    assert "from_environment" in _refused(pytester)
    assert "from_line" in _refused(pytester, "--clinicare-system=from_line:Thing")
