"""A mistake of the user is one clear message and exit status 4, with nothing written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pytest_clinicare
from pytest_clinicare.cli import application
from pytest_clinicare.suite import suite_root

REFERENCE = "--clinicare-system=reference"


def _refused(pytester: pytest.Pytester, *arguments: str) -> str:
    before = set(pytester.path.rglob(".clinicare/**/*"))
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)
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


MODULES = {
    "raising": "raise RuntimeError('boom')",
    "exiting": "import sys\nsys.exit('where is the key')",
    "broken": "def f(:",
    "factories": """
import sys
def needs(key): pass
def ends(): sys.exit("where is the key")
class Silent:
    name = "mine"
""",
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--clinicare-system=refrence"], ["--clinicare-system", "refrence", "reference"]),
        (["--clinicare-system="], ["--clinicare-system", "empty"]),
        (["--clinicare-system=no_such_module:Thing"], ["no_such_module"]),
        (["--clinicare-system=raising:Thing"], ["raising", "boom"]),
        (["--clinicare-system=exiting:Thing"], ["exiting", "where is the key"]),
        (["--clinicare-system=broken:Thing"], ["broken", "SyntaxError"]),
        (["--clinicare-system=factories:needs"], ["factories:needs", "no argument"]),
        (["--clinicare-system=factories:ends"], ["factories:ends", "where is the key"]),
        (["--clinicare-system=factories:Silent"], ["Silent", "run(brief, tools)"]),
        (["--clinicare-system=factories:Absent"], ["Absent", "package.module:factory"]),
        (["--clinicare-gate=accuracy >= 0.7"], ["--clinicare-gate", "--clinicare-system=NAME"]),
        ([REFERENCE, "--clinicare-gate=acuracy >= 0.7"], ["--clinicare-gate", "acuracy", "accuracy"]),
        ([REFERENCE, "--clinicare-gate=accuracy about 0.7"], ["--clinicare-gate", "about"]),
        ([REFERENCE, "--clinicare-cases=missing"], ["--clinicare-cases", "missing"]),
        ([REFERENCE, "--clinicare-cases=."], ["holds no case"]),
        ([REFERENCE, "--clinicare-charts=missing"], ["--clinicare-charts", "missing"]),
        ([REFERENCE, "--clinicare-attempts=none"], ["--clinicare-attempts", "none"]),
        ([REFERENCE, "--clinicare-attempts=0"], ["--clinicare-attempts", "0", "at least 1"]),
        ([REFERENCE, "--clinicare-max-errors=-1"], ["--clinicare-max-errors", "-1", "at least 0"]),
        ([REFERENCE, "--clinicare-judge=oracle"], ["--clinicare-judge", "oracle", "rules"]),
        ([REFERENCE, "--clinicare-runs="], ["--clinicare-runs", "empty"]),
        ([REFERENCE, "-k", "no-such-case"], ["no-such-case", "clinicare cases list"]),
        ([REFERENCE, "-k", "no-such-case", "-n", "2"], ["no-such-case", "clinicare cases list"]),
        ([REFERENCE, "-m", "no_such_marker"], ["no_such_marker", "--markers"]),
        ([REFERENCE, "-k", "post-ct-aki-01 and ("], ["post-ct-aki-01 and ("]),
        ([REFERENCE, "-k", "post-ct-aki-01 and (", "-n", "2"], ["post-ct-aki-01 and ("]),
    ],
    ids=lambda value: " ".join(value[-3:]) if value[0].startswith("-") else "",
)
def test_option(pytester: pytest.Pytester, arguments: list[str], told: list[str]) -> None:
    pytester.makepyfile(**MODULES)
    message = _refused(pytester, *arguments)
    assert [word for word in told if word not in message] == []


def test_environment_is_checked_too(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLINICARE_FRESH", "perhaps")
    assert "CLINICARE_FRESH: 'perhaps'" in _refused(pytester, REFERENCE)


def test_settings_that_wait_for_a_system_are_no_mistake(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_theirs="def test_theirs(): pass")
    pytester.makeini("[pytest]\nclinicare_gate = accuracy >= 0.7\n")
    monkeypatch.setenv("CLINICARE_RUNS", "elsewhere")
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


@pytest.fixture
def own_checkout(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package and its suite that pytest imports in place of the installed one, to be spoilt."""
    folder = pytester.mkdir("checkout")
    skipped = shutil.ignore_patterns("__pycache__", "_data")
    shutil.copytree(Path(pytest_clinicare.__file__).parent, folder / "pytest_clinicare", ignore=skipped)
    root = suite_root()
    for part in (root.cases, root.rubrics, root.policy_docs, root.fixtures):
        shutil.copytree(part, folder / part.name, ignore=skipped)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def test_rubric_missing_or_malformed(pytester: pytest.Pytester, own_checkout: Path) -> None:
    rubric = own_checkout / "rubrics" / "renal-trajectory.toml"
    text = rubric.read_text()
    rubric.write_text(text.replace("[facts]", "[facts]\nbroken = 'SELECT nothing FROM nowhere'"))
    told = _refused_elsewhere(pytester)
    assert "renal-trajectory.toml:" in told
    assert "facts.broken" in told
    rubric.unlink()
    told = _refused_elsewhere(pytester)
    assert "the rubric of scenario 'renal-trajectory' is missing" in told


def _refused_elsewhere(pytester: pytest.Pytester) -> str:
    """In a process of its own, which imports another copy of the package."""
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", REFERENCE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert not (pytester.path / ".clinicare").exists()
    assert "Traceback" not in result.stderr.str()
    return result.stderr.str()


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


@pytest.mark.usefixtures("charts")
@pytest.mark.parametrize("workers", ["0", "2"])
def test_unreadable_run_directory(pytester: pytest.Pytester, workers: str) -> None:
    selected = ["-p", "no:cacheprovider", "-k", "post-ct-aki-01", "-n", workers]
    pytester.runpytest_inprocess(REFERENCE, "-p", "no:cacheprovider", "-k", "post-ct-aki-01")
    (manifest,) = (pytester.path / ".clinicare" / "runs").glob("*/manifest.json")
    manifest.write_text("{")
    assert "manifest.json" in _refused(pytester, REFERENCE, *selected)


def test_environment_and_ini_are_read_in_order(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\nclinicare_system = from_ini:Thing\n")
    assert "from_ini" in _refused(pytester)
    monkeypatch.setenv("CLINICARE_SYSTEM", "from_environment:Thing")
    assert "from_environment" in _refused(pytester)
    assert "from_line" in _refused(pytester, "--clinicare-system=from_line:Thing")


@pytest.mark.parametrize(
    "arguments",
    ["cases check --cases nope", "cases show nope", "charts show nope", "report nope", "trace nope", "replay nope"],
)
def test_command(pytester: pytest.Pytester, arguments: str) -> None:
    result = CliRunner().invoke(application(), arguments.split())
    assert result.exit_code == pytest.ExitCode.USAGE_ERROR
    assert "nope" in result.output
    assert not list(pytester.path.iterdir())
