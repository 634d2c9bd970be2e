"""A fresh form is as sound as the committed one: the reference passes each of its cases, by the same tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_clinicare.charts import SyntheticSource
from pytest_clinicare.charts.synthetic.forms import fresh_cases
from pytest_clinicare.environment import Corpus, Limits
from pytest_clinicare.judging import RulesJudge
from pytest_clinicare.pytest_side.bench import Bench, take_fingerprint
from pytest_clinicare.pytest_side.run import execute
from pytest_clinicare.suite import load_suite
from pytest_clinicare.systems import resolve_system

SUITE = load_suite()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 202, 303])
@pytest.mark.parametrize("scenario", sorted(SUITE.scenarios))
def test_reference_passes_a_fresh_form(scenario: str, seed: int, tmp_path: Path) -> None:
    reference = resolve_system("reference")
    bench = Bench(
        suite=SUITE,
        charts=SyntheticSource(tmp_path, SUITE.root.fixtures),
        corpus=Corpus(SUITE.root.policy_docs),
        system=reference,
        judge=RulesJudge(),
        limits=Limits(),
        fingerprint=take_fingerprint(SUITE, reference),
    )
    short = {}
    for case in fresh_cases(SUITE.scenarios[scenario], seed, 30, known=SUITE.cases):
        record = execute(bench, case, 1)
        process = record.scores.process_decided if record.scores else None
        if not record.passed or process != 1.0:
            short[case.id] = (case.variant, record.verdict, record.reference, record.defects, process, record.error)
    assert short == {}
