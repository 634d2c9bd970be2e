"""Every reference run gives the same answers again: its trace is whole, and no call differs."""

from __future__ import annotations

from pathlib import Path

from pytest_clinicare.charts import open_chart
from pytest_clinicare.environment import read_trace, replay
from pytest_clinicare.pytest_side.run import Place, execute
from tests.proofs.audit import SOURCE, bench, by_scenario, cases_of


@by_scenario()
def test_replaying_a_reference_run_gives_no_difference(scenario: str, tmp_path: Path) -> None:
    reference = bench("reference")
    for case in cases_of(scenario):
        path = tmp_path / f"{case.id}.jsonl"
        record = execute(reference, case, 1, Place(path, path.name, tmp_path / "artifacts"))
        trace = read_trace(path)
        assert trace.tip == record.trace_tip
        with open_chart(SOURCE.cache_dir / f"{SOURCE.digest(case)}.sqlite") as chart:
            assert replay(trace, chart, reference.corpus) == [], case.id
