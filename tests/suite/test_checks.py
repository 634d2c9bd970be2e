"""Every bound trips when it is broken, and only it; what ships breaks none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_clinicare.suite import check_suite, load_suite, suite_root
from pytest_clinicare.suite.checks import SOURCE_TABLES

from .conftest import POLICY, SuiteOnDisk

Change = Callable[[dict[str, Any]], object]


def _problems(suite: SuiteOnDisk) -> list[str]:
    return [str(problem) for problem in check_suite(load_suite(suite.root), {POLICY})]


def test_the_shipped_suite_has_no_problem() -> None:
    shipped = load_suite()
    corpus_ids = {path.stem for path in suite_root().policy_docs.glob("*.md")}
    assert [str(problem) for problem in check_suite(shipped, corpus_ids)] == []
    assert len(shipped.cases) == 30 * len(shipped.scenarios)


def test_vocabulary_has_23_tables() -> None:
    assert len(SOURCE_TABLES) == 23


def test_a_flawless_suite_passes(suite: SuiteOnDisk) -> None:
    assert _problems(suite) == []


SCENARIO: list[tuple[Change, str]] = [
    (lambda s: s["evidence"]["sources"].pop(), "2 evidence sources, where 3 to 9 are allowed"),
    (lambda s: s["evidence"]["sources"].extend(s["evidence"]["sources"][:1] * 7), "10 evidence sources"),
    (lambda s: s["evidence"]["sources"][0].update(table="hosp.poe_detail"), "'hosp.poe_detail' is not one of the 23"),
    (lambda s: s["evidence"].update(governing=[]), "0 governing documents, where 1 to 4 are allowed"),
    (lambda s: s["evidence"].update(governing=[POLICY] * 5), "5 governing documents"),
    (lambda s: s["evidence"].update(governing=["gone"]), "there is no policy document 'gone'"),
    (lambda s: s["findings"].pop(), "3 findings, where 4 to 11 are allowed"),
    (lambda s: s["findings"].extend({"id": f"G{i}", "text": "t"} for i in range(8)), "12 findings"),
    (lambda s: s["findings"][3].update(id="F1"), "findings: id 'F1' stands twice"),
    (lambda s: s["variants"].append({**s["variants"][0], "count": 0}), "variants: name 'hot' stands twice"),
    (
        lambda s: s.update(query="Did <stay_id> have a fever?"),
        "<stay_id> is no identifier of a case anchored at 'hadm'",
    ),
]


@pytest.mark.parametrize(("change", "message"), SCENARIO, ids=[message for _, message in SCENARIO])
def test_scenario_bounds(suite: SuiteOnDisk, change: Change, message: str) -> None:
    suite.change_scenario(change)
    assert any(message in problem and problem.startswith(f"{suite.scenario_file}:") for problem in _problems(suite))


RUBRIC: list[tuple[Change, str]] = [
    (lambda r: r["criteria"].pop(0), "3 must-do criteria, where 4 to 9 are allowed"),
    (lambda r: r["criteria"].pop(), "2 must-not criteria, where 3 to 8 are allowed"),
    (lambda r: r["criteria"].extend({**r["criteria"][0], "id": f"E{i}"} for i in range(6)), "10 must-do criteria"),
    (lambda r: r["criteria"].extend({**r["criteria"][-1], "id": f"M{i}"} for i in range(6)), "9 must-not criteria"),
    (
        lambda r: [c.update(weight=1) for c in r["criteria"][:4]],
        "4 points of positive weight, where 7 to 16 are allowed",
    ),
    (lambda r: r["criteria"].extend({**r["criteria"][0], "id": f"E{i}"} for i in range(5)), "18 points of positive"),
    (lambda r: r["criteria"][0].update(weight=3), "criterion D1: a must-do weighs +1 or +2, not +3"),
    (lambda r: r["criteria"][0].update(weight=-1), "criterion D1: a must-do weighs +1 or +2, not -1"),
    (lambda r: r["criteria"][-1].update(weight=1), "criterion N3: a must-not weighs -1 or -2, not +1"),
    (lambda r: r["criteria"][1].update(id="D1"), "criteria: id 'D1' stands twice"),
]


@pytest.mark.parametrize(("change", "message"), RUBRIC, ids=[message for _, message in RUBRIC])
def test_rubric_bounds(suite: SuiteOnDisk, change: Change, message: str) -> None:
    suite.change_rubric(change)
    assert any(message in problem and problem.startswith(f"{suite.rubric_file}:") for problem in _problems(suite))


CASE: list[tuple[Change, str]] = [
    (lambda c: c.update(id="fever-7"), "1: id 'fever-7' is not 'fever-' and two digits"),
    (lambda c: c.update(verdict="no"), "5: verdict 'no', but variant 'hot' is 'yes'"),
    (lambda c: c.update(step=3), "7: step 3, but variant 'hot' fires step 2"),
    (lambda c: c.pop("verdict"), "1: verdict 'None'"),
    (lambda c: c["recipe"].update(pulse=80), "12: recipe key 'pulse' is not in the vocabulary of 'fever'"),
    (lambda c: c.update(variant="warm"), "6: scenario 'fever' has no variant 'warm'"),
]


@pytest.mark.parametrize(("change", "message"), CASE, ids=[message for _, message in CASE])
def test_case_labels_and_ids(suite: SuiteOnDisk, change: Change, message: str) -> None:
    suite.change_case(7, change)
    assert any(problem.startswith(f"{suite.case_file(7)}:{message}") for problem in _problems(suite)), _problems(suite)


def test_variants_follow_the_procedure_and_the_plan(suite: SuiteOnDisk) -> None:
    def spoil(scenario: dict[str, Any]) -> None:
        scenario["variants"][0].update(step=3, count=21)
        scenario["variants"][1].update(step=9)

    suite.change_scenario(spoil)
    text = suite.scenario_file.read_text().splitlines()
    first = text.index("[[variants]]")
    verdict, step, count = (text.index(key, first) + 1 for key in ('verdict = "yes"', "step = 9", "count = 21"))
    here = f"{suite.scenario_file}:"
    assert [told.removeprefix(here) for told in _problems(suite) if told.startswith(here)] == [
        f"{verdict}: variant 'hot': 'yes', but procedure step 3 gives 'no'",
        f"{step}: variant 'unmeasured': step 9 is not in the procedure (1-3)",
        f"{first + 1}: the variants plan 31 cases, not 30",
        f"{count}: variant 'hot' plans 21 cases, there are 20",
    ]
