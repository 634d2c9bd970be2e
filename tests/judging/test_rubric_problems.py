"""A mistake in a rubric's checks is told with its file and line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_clinicare.judging import rubric_problems
from pytest_clinicare.suite import SuiteRoot, load_suite, suite_root


@pytest.mark.parametrize(
    ("sound", "spoilt", "told"),
    [
        ('{ check = "queried",', '{ check = "queryed",', "criteria.D1.checks"),
        ('start = "search_from"', 'start = "search_form"', "criteria.D1.checks"),
        ('start = "prior_start"', 'start = "prior_begin"', "sources.hosp.labevents"),
        ("datetime(:t0, '+48 hours')", "datetime(:t_zero, '+48 hours')", "facts.t0_48h"),
    ],
)
def test_mistake_is_placed(tmp_path: Path, sound: str, spoilt: str, told: str) -> None:
    shipped = suite_root()
    shutil.copytree(shipped.rubrics, tmp_path / "rubrics")
    for name in ("cases", "policy_docs", "fixtures"):
        (tmp_path / name).symlink_to(shipped.path / name)
    file = tmp_path / "rubrics" / "post-ct-aki.toml"
    text = file.read_text(encoding="utf-8")
    assert sound in text
    file.write_text(text.replace(sound, spoilt, 1), encoding="utf-8")
    suite = load_suite(SuiteRoot(tmp_path))
    problem, *_ = rubric_problems(suite)
    line = text[: text.index(sound)].count("\n") + 1
    assert problem.file == file
    assert problem.message.startswith(told)
    assert problem.line is not None
    assert problem.line <= line  # the key that holds the mistake, which may span lines
    assert line - problem.line <= 2


def test_shipped_rubrics_are_sound() -> None:
    assert rubric_problems(load_suite()) == []
