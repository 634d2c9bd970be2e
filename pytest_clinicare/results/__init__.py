"""Many runs: the run store, metrics with intervals, gates and reports."""

from pytest_clinicare.results.aggregate import METRIC_NAMES, Metric, Metrics, aggregate
from pytest_clinicare.results.gate import Gate, GateError, GateResult, parse_gate
from pytest_clinicare.results.junit import junit
from pytest_clinicare.results.manifest import Manifest, StoreError
from pytest_clinicare.results.store import Resume, RunDir, RunStore, recorded_tip
from pytest_clinicare.results.write import write_report

__all__ = [
    "METRIC_NAMES",
    "Gate",
    "GateError",
    "GateResult",
    "Manifest",
    "Metric",
    "Metrics",
    "Resume",
    "RunDir",
    "RunStore",
    "StoreError",
    "aggregate",
    "junit",
    "parse_gate",
    "recorded_tip",
    "write_report",
]
