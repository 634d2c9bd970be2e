"""``clinicare charts`` as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pytest_clinicare.charts import Draft
from pytest_clinicare.cli import application


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(application(), ["charts", *map(str, arguments)])


def test_show_tells_encounters_counts_and_timeline(draft: Draft, tmp_path: Path) -> None:
    path = tmp_path / "chart.sqlite"
    draft.save(path)
    shown = _run("show", path)
    assert shown.exit_code == 0
    for text in ("subject 10000001", "icu.chartevents", "ICU in", "imaging order", "radiology:10000001-RR-1"):
        assert text in shown.output
    rows = _run("show", path, "--table", "hosp.labevents")
    assert "labevents:20000006" in rows.output
    assert "hosp.labevents: 1 row" in rows.output


def test_verify_counts_charts_and_fails_on_problems(draft: Draft, tmp_path: Path) -> None:
    draft.save(tmp_path / "good.sqlite")
    assert _run("verify", tmp_path).exit_code == 0
    draft.rows["d_labitems"].clear()
    draft.save(tmp_path / "bad.sqlite")
    result = _run("verify", tmp_path)
    assert result.exit_code == 1
    assert "bad.sqlite: labevents.itemid: 1 row" in result.output
    assert "2 charts, 1 with problems" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build"], "say what to build"),
        (["build", "--mimic", "x", "--all"], "one of them"),
        (["build", "--mimic", "nowhere", "--out", "out"], "nowhere: no such folder"),
        (["build", "--mimic", "nowhere"], "needs --out"),
        (["show", "nowhere.sqlite"], "no such chart"),
        (["verify", "."], "holds no charts"),
    ],
)
def test_mistakes_get_one_message(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = _run(*arguments)
    assert result.exit_code == 4
    assert said in result.output
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []
