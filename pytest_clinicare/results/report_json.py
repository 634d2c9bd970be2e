"""``report.json``: the same records give the same bytes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pytest_clinicare.results.statistics import METHOD, SEED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_clinicare.results.aggregate import Metric, Metrics
    from pytest_clinicare.results.manifest import Manifest
    from pytest_clinicare.scoring import RunRecord

REPORT_SCHEMA = 1


def report_json(manifest: Manifest, run_id: str, records: Iterable[RunRecord], metrics: Metrics) -> str:
    """The whole report as JSON text with a line end; keys sorted, no clock, floats to 12 digits."""
    report = {
        "schema_version": REPORT_SCHEMA,
        "run": run_id,
        "manifest": manifest.model_dump(mode="json"),
        "intervals": {"level": 0.95, "rates": "Wilson", "all": METHOD, "seed": SEED, "resamples": metrics.resamples},
        "complete": metrics.runs == metrics.expected,
        **_aggregates(metrics),
        "records": [_record(record) for record in records],
    }
    return json.dumps(_rounded(report), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _aggregates(metrics: Metrics) -> dict[str, Any]:
    plain = {k: v for k, v in asdict(metrics).items() if k not in ("values", "scenarios", "resamples")}
    return {
        **plain,
        "metrics": {name: _metric(metric) for name, metric in metrics.values.items()},
        "scenarios": {
            scenario: {name: _metric(metric) for name, metric in values.items()}
            for scenario, values in metrics.scenarios.items()
        },
    }


def _metric(metric: Metric) -> dict[str, Any]:
    return {key: value for key, value in asdict(metric).items() if value not in (None, "") or key == "value"}


def _record(record: RunRecord) -> dict[str, Any]:
    """The record without what differs from one execution of the same run to the next."""
    return record.model_dump(mode="json", exclude={"at", "resources", "schema_version"})


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 12)
    if isinstance(value, dict):
        return {str(key): _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value
