"""Charts and unlabelled cases of real patients, cut from a MIMIC-IV folder."""

from pytest_clinicare.charts.mimic.build import BuiltCharts, build_charts
from pytest_clinicare.charts.mimic.sampling import Sample, draw_sample, sample_cases, write_sample

__all__ = ["BuiltCharts", "Sample", "build_charts", "draw_sample", "sample_cases", "write_sample"]
