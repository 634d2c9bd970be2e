"""``clinicare cases generate``: fresh forms of the suite, and the committed cases once more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pytest_clinicare.charts.synthetic import forms
from pytest_clinicare.cli import application
from pytest_clinicare.suite import Case, load_cases, load_suite, suite_root


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(application(), ["cases", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def _form(folder: Path, *arguments: str) -> tuple[Case, ...]:
    code, output = _run("generate", "--out", str(folder), *arguments)
    assert code == 0, output
    return load_cases(folder, load_suite()).cases


def _texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*-[0-9][0-9].toml")}


def _identifiers(cases: tuple[Case, ...]) -> list[int]:
    return [number for case in cases for number in (case.subject_id, case.hadm_id, case.stay_id) if number is not None]


def test_the_committed_cases_come_out_as_they_are(tmp_path: Path) -> None:
    code, output = _run("generate", "--committed", "--out", str(tmp_path))
    assert code == 0, output
    assert _texts(tmp_path) == _texts(suite_root().cases)


@pytest.mark.parametrize("seed", ["7", "8"])
def test_a_form_has_the_variants_and_no_patient_of_the_committed_cases(tmp_path: Path, seed: str) -> None:
    shipped = load_suite().cases
    form = _form(tmp_path, "--seed", seed)
    assert Counter(case.variant for case in form) == Counter(case.variant for case in shipped)
    assert {case.id for case in form}.isdisjoint(case.id for case in shipped)
    numbers = _identifiers(form)
    assert len(set(numbers)) == len(numbers)
    assert set(numbers).isdisjoint(_identifiers(shipped))
    assert [case.id for case in form if any(case.recipe == other.recipe for other in shipped)] == []
    assert not any(case.holdout for case in form)
    assert _run("check", "--cases", str(tmp_path))[0] == 0


def test_the_seed_decides(tmp_path: Path) -> None:
    one, again, other = (
        _form(tmp_path / name, "post-ct-aki", "--seed", seed) for name, seed in (("a", "3"), ("b", "3"), ("c", "4"))
    )
    smaller = _form(tmp_path / "d", "post-ct-aki", "--seed", "3", "--per-scenario", "9")
    assert one == again
    assert {case.id for case in one}.isdisjoint(case.id for case in smaller)
    assert {case.id for case in one}.isdisjoint(case.id for case in other)
    assert set(_identifiers(one)).isdisjoint(_identifiers(other))


def test_numbers_follow_neither_verdict_nor_variant(tmp_path: Path) -> None:
    """The first half of the ids is no more of one verdict than lots would make it."""
    cases = _form(tmp_path, "post-ct-aki", "--seed", "5", "--per-scenario", "60")
    first = Counter(case.verdict for case in cases[:30])
    whole = Counter(case.verdict for case in cases)
    assert all(abs(2 * first[verdict] - whole[verdict]) <= 12 for verdict in whole)
    assert len({case.variant for case in cases[:10]}) > 4


@pytest.mark.parametrize(
    ("count", "verdicts"),
    [("10", {"yes": 4, "no": 4, "lack": 1, "ambiguous": 1}), ("60", {"yes": 24, "no": 24, "lack": 6, "ambiguous": 6})],
)
def test_other_sizes_keep_the_proportions(tmp_path: Path, count: str, verdicts: dict[str, int]) -> None:
    form = _form(tmp_path, "post-ct-aki", "--seed", "7", "--per-scenario", count, "--holdout")
    assert Counter(str(case.verdict) for case in form) == verdicts
    assert all(case.holdout for case in form)
    assert "synthetic chart, holdout;" in _run("show", form[0].id, "--cases", str(tmp_path))[1].replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--seed", "7"], "new cases need --seed and --out"),
        (["--out", "form"], "new cases need --seed and --out"),
        (["cough", "--seed", "7", "--out", "form"], "there is no scenario 'cough' (there are: "),
        (["--committed", "--seed", "7"], "--committed goes with no --seed"),
        (["--seed", "7", "--out", "taken"], "taken holds cases already; name a new folder"),
        (["post-ct-aki", "--seed", "7", "--out", "file/form"], "cannot write to file/form"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").mkdir()
    Path("taken/a.toml").touch()
    Path("file").touch()
    code, output = _run("generate", *arguments)
    assert code == 4
    assert output.startswith("clinicare cases generate: ")
    assert told in output
    assert not Path("form").exists()


def test_a_plan_that_draws_nothing_new_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = forms.committed_cases("renal-trajectory")
    monkeypatch.setattr(forms, "_planned", lambda scenario, seed: committed)
    code, output = _run("generate", "renal-trajectory", "--seed", "7", "--out", str(tmp_path / "form"))
    assert code == 4
    assert "renal-trajectory: there are not that many different cases (missing: " in output
