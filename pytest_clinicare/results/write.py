"""All reports of a run, always built from the records on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_clinicare.results.aggregate import Metrics, aggregate
from pytest_clinicare.results.junit import junit
from pytest_clinicare.results.report_html import report_html
from pytest_clinicare.results.report_json import report_json
from pytest_clinicare.results.statistics import RESAMPLES
from pytest_clinicare.results.store import write_whole

if TYPE_CHECKING:
    from pytest_clinicare.results.store import RunDir


def write_report(run: RunDir, resamples: int = RESAMPLES) -> Metrics:
    """Write ``report.json``, ``junit.xml`` and ``report.html`` into the run directory; gives the metrics in them.

    The same records give the same bytes, whoever asks and when. Raises StoreError as ``RunDir.records`` does.
    """
    records = tuple(run.records().values())
    metrics = aggregate(records, expected=len(run.manifest.expected), resamples=resamples)
    write_whole(run.path / "report.json", report_json(run.manifest, run.id, records, metrics))
    write_whole(run.path / "junit.xml", junit(run.manifest.system, records))
    write_whole(run.path / "report.html", report_html(run.manifest, run.id, records, metrics))
    return metrics
