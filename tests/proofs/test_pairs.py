"""The twins that ship: one fact apart from their cases, and what the reference makes of them."""

from __future__ import annotations

from pathlib import Path

from pytest_clinicare.charts.synthetic import build
from pytest_clinicare.charts.synthetic.casefile import case_text
from pytest_clinicare.charts.synthetic.twins import committed_twins, difference
from pytest_clinicare.pytest_side.run import execute
from pytest_clinicare.results import aggregate
from pytest_clinicare.suite import Case, with_twins
from tests.proofs.audit import SUITE, bench, by_scenario, cases_of

TWINS = [case for case in with_twins(SUITE).cases if case.pair_of]
FEWEST = 4
MOST = 0.5


def _twins(scenario: str) -> list[Case]:
    return [twin for twin in TWINS if twin.scenario == scenario]


@by_scenario()
def test_twins_are_what_the_edits_make(scenario: str) -> None:
    made = {twin.id: case_text(twin) for twin in committed_twins(list(cases_of(scenario)))}
    folder = SUITE.root.pairs / scenario
    assert {path.stem: path.read_text(encoding="utf-8") for path in Path(folder).glob("*.toml")} == made
    assert len(made) >= FEWEST


@by_scenario()
def test_reference_follows_the_changed_fact(scenario: str) -> None:
    records = [execute(bench("reference"), twin, 1) for twin in _twins(scenario)]
    assert {r.case: (r.verdict, r.reference, r.defects, r.error) for r in records if not r.passed} == {}


@by_scenario()
def test_most_of_the_chart_is_left_as_it_was(scenario: str) -> None:
    cases = {case.id: case for case in cases_of(scenario)}
    for twin in _twins(scenario):
        case = cases[twin.pair_of or ""]
        changed = difference(case, twin)
        rows = sum(map(len, build(case).rows.values()))
        assert changed, twin.id
        assert sum(table.gone for table in changed) < rows * MOST, twin.id


def test_shortcut_is_seldom_right_on_both() -> None:
    """Who goes by a sign answers a case and its twin alike, and one of the two wrongly."""
    by_case = {case.id: case for case in SUITE.cases}
    records = [execute(bench("shortcut"), case, 1) for twin in TWINS for case in (by_case[twin.pair_of or ""], twin)]
    metrics = aggregate(records)
    consistency = metrics["pair_consistency"]
    assert consistency.n == len(TWINS)
    assert consistency.value is not None
    assert metrics.accuracy is not None
    assert consistency.value < metrics.accuracy**2
