"""``clinicare cases pair``: what a user sees and gets."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from pytest_clinicare.cli import application
from pytest_clinicare.suite import load_cases, load_suite, paired_cases, with_twins


def _pair(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(application(), ["cases", "pair", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_a_twin_is_shown_with_what_it_changes(tmp_path: Path) -> None:
    code, output = _pair("cdi-treatment-08", "--out", str(tmp_path))
    assert code == 0, output
    told = " ".join(output.split())
    assert "cdi-treatment-08 No, by step 5" in told
    assert "cdi-treatment-08b Yes, by step 6" in told
    assert "last anti-CDI dose: +84.5 -> +15 h from the result" in told
    assert "rows of the chart that differ: emar -14 +2" in told
    case, *twins = load_cases(tmp_path, load_suite()).cases
    assert [twin.pair_of for twin in twins] == [case.id] * 2
    assert [(twin.subject_id, twin.hadm_id, twin.seed) for twin in twins] == [
        (case.subject_id, case.hadm_id, case.seed)
    ] * 2
    assert all(twin.verdict is not case.verdict and twin.recipe != case.recipe for twin in twins)


def test_mistakes_are_told() -> None:
    assert _pair("cdi-treatment-99")[0] == 4
    assert "there is no case 'cdi-treatment-99'" in _pair("cdi-treatment-99")[1]
    assert "name a case" in _pair()[1]
    assert "name a case" in _pair("cdi-treatment-08", "--committed")[1]


def test_twins_are_of_the_pairs_alone() -> None:
    suite = load_suite()
    assert not any(case.pair_of for case in suite.cases)
    members = paired_cases(with_twins(suite).cases)
    twins = [case for case in members if case.pair_of]
    assert {case.id for case in members if not case.pair_of} == {case.pair_of for case in twins}
    assert paired_cases(suite.cases) == []
