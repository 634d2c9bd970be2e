"""The record: one read-only SQLite file a subject, in the MIMIC-IV schema."""

from pytest_clinicare.charts.chart import Chart, ChartError, open_chart
from pytest_clinicare.charts.draft import ChartWriter, Draft
from pytest_clinicare.charts.schema import DICTIONARIES, TABLES, Table, parse_ref, ref_of
from pytest_clinicare.charts.source import ChartSource, MimicSource, SyntheticSource

__all__ = [
    "DICTIONARIES",
    "TABLES",
    "Chart",
    "ChartError",
    "ChartSource",
    "ChartWriter",
    "Draft",
    "MimicSource",
    "SyntheticSource",
    "Table",
    "open_chart",
    "parse_ref",
    "ref_of",
]
