"""The small chart and the judged runs of the judging room."""

from tests.judging.conftest import chart, chart_file, judged, scenario

__all__ = ["chart", "chart_file", "judged", "scenario"]
