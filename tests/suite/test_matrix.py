"""``clinicare cases matrix``, printed and drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from typer.testing import CliRunner

from pytest_clinicare.cli import application
from pytest_clinicare.suite import load_suite
from pytest_clinicare.suite.coverage import OPERATIONS, coverage


def _matrix(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(application(), ["cases", "matrix", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_every_scenario_has_a_row_with_its_skills() -> None:
    code, output = _matrix()
    assert code == 0
    lines = output.splitlines()
    for scenario in load_suite().scenarios.values():
        (line,) = [line for line in lines if f" {scenario.id} " in line]
        assert line.count("●") == len(scenario.skills) == int(line.split()[-1])


def test_counts_agree_with_the_rows() -> None:
    covered = coverage(load_suite())
    assert sum(map(covered.asked, covered.skills)) == sum(len(row.skills) for row in covered.rows)
    assert OPERATIONS not in covered.specialties


def test_it_is_drawn_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "c.png"):
        assert _matrix("--out", str(tmp_path / name))[0] == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    texts = {element.text for element in ElementTree.parse(tmp_path / "a.svg").iter() if element.text}
    assert set(load_suite().scenarios) <= texts
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_other_files_are_refused(tmp_path: Path) -> None:
    code, output = _matrix("--out", str(tmp_path / "m.pdf"))
    assert code == 4
    assert "pictures are .svg or .png files" in output
    (tmp_path / "file").write_text("")
    code, output = _matrix("--out", str(tmp_path / "file" / "m.svg"))
    assert code == 4
    assert "cannot write" in output
