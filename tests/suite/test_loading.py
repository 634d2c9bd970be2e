"""Suites load from TOML, and a mistake is told with its file, key and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_clinicare.suite import SuiteError, Verdict, fill_query, load_cases, load_suite, suite_root

from .conftest import SuiteOnDisk


def test_loads_in_order_of_scenario_and_id(suite: SuiteOnDisk) -> None:
    loaded = load_suite(suite.root)
    assert [case.id for case in loaded.cases] == [f"fever-{n:02}" for n in range(1, 31)]
    assert loaded.scenarios["fever"].procedure[0].verdict is Verdict.LACK
    assert loaded.rubrics["fever"].budget == 8
    assert loaded.file("case", "fever-07") == suite.case_file(7)


def test_fills_the_query_with_identifiers(suite: SuiteOnDisk) -> None:
    loaded = load_suite(suite.root)
    query = fill_query(loaded.scenarios["fever"], loaded.cases[0])
    assert query == "Did subject_id 10000001, hadm_id 20000001 have a fever?"


def test_tells_every_mistake_with_file_key_and_line(suite: SuiteOnDisk) -> None:
    suite.case_file(1).write_text('id = "fever-01"\nscenario = "fever"\nsubject_id = "ten"\ncolour = "red"\n')
    suite.case_file(2).write_text('id = "fever-02"\nscenario = = 1\n')
    suite.case_file(3).write_bytes(b'id = "\xff"\n')
    suite.change_scenario(lambda s: s["variants"][1].update(verdict="perhaps"))
    line = _line(suite.scenario_file, 'verdict = "perhaps"')

    with pytest.raises(SuiteError) as error:
        load_suite(suite.root)

    told = str(error.value).splitlines()
    assert len(told) == len(error.value.problems) == 5
    assert told[0].startswith(f"{suite.scenario_file}:{line}: variants[1].verdict: input should be 'yes', 'no'")
    assert told[1].startswith(f"{suite.case_file(1)}:3: subject_id: ")
    assert told[2].startswith(f"{suite.case_file(1)}:4: colour: ")
    assert told[3] == f"{suite.case_file(2)}:2: not valid TOML: invalid value"
    assert told[4].startswith(f"{suite.case_file(3)}: not UTF-8")


def test_names_must_be_unique_and_known(suite: SuiteOnDisk) -> None:
    suite.change_case(2, lambda c: c.update(id="fever-01"))
    suite.change_case(3, lambda c: c.update(scenario="cough"))
    with pytest.raises(SuiteError, match=r"fever-02\.toml:1: id: a case 'fever-01' stands already in .*fever-01\.toml"):
        load_suite(suite.root)
    suite.change_case(2, lambda c: None)
    with pytest.raises(
        SuiteError, match=r"fever-03\.toml:2: scenario: there is no scenario 'cough' \(there are: fever\)"
    ):
        load_suite(suite.root)


def test_missing_rubric_is_told(suite: SuiteOnDisk) -> None:
    suite.rubric_file.unlink()
    with pytest.raises(SuiteError, match=r"rubrics/fever\.toml: the rubric of scenario 'fever' is missing"):
        load_suite(suite.root)


def test_a_users_cases_stand_in_place_of_the_shipped(suite: SuiteOnDisk, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    with pytest.raises(SuiteError, match="mine: holds no case"):
        load_cases(folder, load_suite(suite.root))
    mine = 'id = "me"\nscenario = "fever"\nsource = "mimic"\nsubject_id = 1\nhadm_id = 2\n'
    (folder / "me.toml").write_text(mine)

    loaded = load_cases(folder, load_suite(suite.root))

    assert [(case.id, case.verdict) for case in loaded.cases] == [("me", None)]
    (folder / "me.toml").write_text(mine.replace("fever", "cough"))
    with pytest.raises(SuiteError, match=r"me\.toml:2: scenario: there is no scenario 'cough'"):
        load_cases(folder, load_suite(suite.root))
    (folder / "me.toml").write_text(mine.replace("hadm_id = 2\n", ""))
    with pytest.raises(SuiteError, match=r"me\.toml:1: hadm_id is missing; a case of 'fever' is anchored at 'hadm'"):
        load_cases(folder, load_suite(suite.root))


def test_a_folder_that_is_no_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="not a suite"):
        suite_root(tmp_path)


def _line(file: Path, text: str) -> int:
    return file.read_text().splitlines().index(text) + 1
