"""Metrics as functions of counts (see tally), so that a bootstrap resample is computed just as the estimate itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_clinicare.results.tally import BINS, SCALE
from pytest_clinicare.suite import Verdict

Counts = Mapping[str, int]
Estimator = Callable[[Counts], float | None]
"""None where the metric is undefined for these counts, never zero."""


def ratio(counts: Counts, part: str, whole: str) -> float | None:
    """One count over another."""
    n = counts.get(whole, 0)
    return counts.get(part, 0) / n if n else None


def mean(counts: Counts, name: str) -> float | None:
    """Mean of a fraction over the runs that have it."""
    n = counts.get(f"{name}:n", 0)
    return counts.get(f"{name}:sum", 0) / SCALE / n if n else None


def class_scores(counts: Counts, verdict: Verdict) -> dict[str, float | None] | None:
    """Precision, recall and F1 of one class; None for a class absent from reference and predictions.

    A run without a verdict is a false negative of its reference class and a false positive of none.
    """
    reference = counts.get(f"class:{verdict}:reference", 0)
    predicted = counts.get(f"class:{verdict}:predicted", 0)
    both = counts.get(f"class:{verdict}:both", 0)
    if not reference + predicted:
        return None
    return {
        "precision": both / predicted if predicted else None,
        "recall": both / reference if reference else None,
        "f1": 2 * both / (reference + predicted),
    }


def macro_f1(counts: Counts) -> float | None:
    """Unweighted mean of the F1 of the classes that occur in reference or predictions."""
    present = [scores["f1"] for verdict in Verdict if (scores := class_scores(counts, verdict)) is not None]
    values = [value for value in present if value is not None]
    return sum(values) / len(values) if values else None


def scenario_macro(counts: Counts) -> float | None:
    """Mean over scenarios of their accuracy."""
    names = [key.split(":")[1] for key in counts if key.startswith("scenario:") and key.endswith(":n")]
    rates = [ratio(counts, f"scenario:{name}:correct", f"scenario:{name}:n") for name in names]
    values = [rate for rate in rates if rate is not None]
    return sum(values) / len(values) if values else None


def ece(counts: Counts) -> float | None:
    """Expected calibration error over ten equal-width bins (section 6.2, equation 1)."""
    sizes = [counts.get(f"bin:{place}:n", 0) for place in range(BINS)]
    total = sum(sizes)
    if not total:
        return None
    apart = 0.0
    for place, size in enumerate(sizes):
        if size:
            stated = counts.get(f"bin:{place}:confidence", 0) / SCALE
            apart += abs(stated - counts.get(f"bin:{place}:correct", 0)) / total
    return apart


def defect_gap(counts: Counts) -> float | None:
    """Accuracy minus defect-free accuracy over the same report-present runs, in points."""
    n = counts.get("present_labelled", 0)
    return 100 * (counts.get("present_correct", 0) - counts.get("defect_free_correct", 0)) / n if n else None
