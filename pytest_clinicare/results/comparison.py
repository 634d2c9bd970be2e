"""Several runs side by side: a table by scenario, and the refusal where they may not be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pytest_clinicare.results.aggregate import Metric, Metrics, aggregate
from pytest_clinicare.results.manifest import Manifest, StoreError
from pytest_clinicare.results.store import RunDir

# What must be alike; the system is what differs.
_ALIKE = ("suite_digest", "cases", "chart_source", "judge", "attempts", "limits", "split", "policy", "shell", "sandbox")


class Cell(NamedTuple):
    """What one system got in one scenario, or in all."""

    accuracy: Metric
    defect_free: Metric


class Comparison(NamedTuple):
    """``rows`` by scenario, ``total`` over all cases: a cell for every system, in the order of ``systems``."""

    systems: tuple[str, ...]
    rows: dict[str, tuple[Cell, ...]]
    total: tuple[Cell, ...]


def compare_runs(runs: Sequence[RunDir]) -> Comparison:
    """Raises StoreError: no runs, runs of different questions or conditions, or one that is not complete."""
    if not runs:
        raise StoreError("no runs to compare")
    for run in runs[1:]:
        _refuse_unlike(runs[0], run)
    for run in runs:
        if missing := run.missing():
            raise StoreError(f"run {run.id} lacks {len(missing)} of {len(run.manifest.expected)} runs; finish it first")
    metrics = [aggregate(run.records().values(), expected=len(run.manifest.expected), resamples=0) for run in runs]
    scenarios = sorted({name for one in metrics for name in one.scenarios})
    rows = {name: tuple(_cell(one.scenarios[name]) for one in metrics) for name in scenarios}
    return Comparison(tuple(run.manifest.system for run in runs), rows, tuple(_cell(_all(one)) for one in metrics))


def _refuse_unlike(one: RunDir, other: RunDir) -> None:
    unlike = [name for name in _ALIKE if getattr(one.manifest, name) != getattr(other.manifest, name)]
    if unlike:
        raise StoreError(
            f"runs {one.id} ({one.manifest.system}) and {other.id} ({other.manifest.system}) differ in "
            f"{', '.join(unlike)}; only runs of the same cases under the same conditions are compared"
        )


def latest_of_each_system(runs: Sequence[RunDir]) -> list[RunDir]:
    """Of runs ordered from the oldest, the last of each system that was run as the last run of all was."""
    alike = [run for run in runs if _conditions(run.manifest) == _conditions(runs[-1].manifest)]
    return list({run.manifest.system: run for run in alike}.values())


def _conditions(manifest: Manifest) -> tuple[object, ...]:
    return tuple(getattr(manifest, name) for name in _ALIKE)


def _all(metrics: Metrics) -> dict[str, Metric]:
    return {name: metrics[name] for name in ("accuracy", "defect_free_accuracy")}


def _cell(metrics: dict[str, Metric]) -> Cell:
    return Cell(metrics["accuracy"], metrics["defect_free_accuracy"])
