"""``clinicare cases`` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pytest_clinicare.cli import application
from pytest_clinicare.suite import load_suite


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(application(), ["cases", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_check_counts_what_ships() -> None:
    code, output = _run("check")
    assert (code, output.strip().endswith(": no problems")) == (0, True), output
    assert f"{len(load_suite().cases)} cases" in output


def test_check_tells_where_a_users_case_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/a.toml").write_text('id = "a"\nscenario = "advanced-imaging"\nsource = "mimic"\nsubject_id = 1\n')
    code, output = _run("check", "--cases", "mine")
    assert code == 1
    assert "mine/a.toml:1: hadm_id is missing" in output
    assert "mine/a.toml:1: stay_id is missing" in output
    assert "2 problems" in output


def test_list_and_show() -> None:
    code, output = _run("list", "--scenario", "post-ct-aki")
    assert code == 0
    first = output.splitlines()[0].split()[0]
    assert first == "post-ct-aki-01"
    code, output = _run("show", first)
    assert code == 0
    case = load_suite().case(first)
    assert case is not None
    assert case.verdict is not None
    for part in (f"subject_id {case.subject_id}", case.verdict.label, f"Decided by step {case.step} of", "Trap"):
        assert part in output


def test_sample_without_charts_says_how_to_make_them(tmp_path: Path) -> None:
    code, output = _run("sample", "--charts", str(tmp_path), "--out", str(tmp_path / "out"))
    assert code == 4
    assert "clinicare charts build --mimic" in output
    assert not (tmp_path / "out").exists()


def test_unknown_names_are_refused_with_what_there_is() -> None:
    assert _run("show", "post-ct-aki-99") == (
        4,
        "clinicare cases show: there is no case 'post-ct-aki-99'; `clinicare cases list` names them\n",
    )
    code, output = _run("list", "--scenario", "cough")
    assert code == 4
    assert "there is no scenario 'cough' (there are: " in output
