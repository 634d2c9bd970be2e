"""Metrics as functions of counts (see tally), so that a bootstrap resample is computed just as the estimate itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pytest_clinicare.results.tally import BINS, SCALE
from pytest_clinicare.suite import Verdict

Counts = Mapping[str, int]
Estimator = Callable[[Counts], float | None]
"""None where the metric is undefined for these counts, never zero."""

# Names are made once: a bootstrap evaluates each metric ten thousand times.
_CLASSES = {v: (f"class:{v.value}:reference", f"class:{v.value}:predicted", f"class:{v.value}:both") for v in Verdict}
_BINS = tuple((f"bin:{place}:confidence", f"bin:{place}:correct") for place in range(BINS))


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
    reference, predicted, both = (counts.get(name, 0) for name in _CLASSES[verdict])
    if not reference + predicted:
        return None
    return {
        "precision": both / predicted if predicted else None,
        "recall": both / reference if reference else None,
        "f1": 2 * both / (reference + predicted),
    }


def macro_f1(counts: Counts) -> float | None:
    """Unweighted mean of the F1 of the classes that occur in reference or predictions."""
    total, present = 0.0, 0
    for of_reference, of_predicted, both in _CLASSES.values():
        size = counts.get(of_reference, 0) + counts.get(of_predicted, 0)
        if size:
            total += 2 * counts.get(both, 0) / size
            present += 1
    return total / present if present else None


def scenario_macro(counts: Counts, rates: Sequence[tuple[str, str]]) -> float | None:
    """Mean over scenarios of their accuracy; ``rates`` names each scenario's counts of correct and of all runs."""
    values = [value for part, whole in rates if (value := ratio(counts, part, whole)) is not None]
    return sum(values) / len(values) if values else None


def scenario_rates(counts: Counts) -> list[tuple[str, str]]:
    """The names that ``scenario_macro`` takes, of every scenario that has labelled runs."""
    names = sorted(key.split(":")[1] for key in counts if key.startswith("scenario:") and key.endswith(":n"))
    return [(f"scenario:{name}:correct", f"scenario:{name}:n") for name in names]


def ece(counts: Counts) -> float | None:
    """Expected calibration error over ten equal-width bins (section 6.2, equation 1)."""
    n = counts.get("binned", 0)
    apart = sum(abs(counts.get(stated, 0) / SCALE - counts.get(right, 0)) for stated, right in _BINS)
    return apart / n if n else None


def median(counts: Counts, places: Sequence[tuple[int, str]]) -> float | None:
    """Median over runs of a number counted as a histogram; ``places``: its values, ascending, with their keys."""
    n = sum(counts.get(key, 0) for _, key in places)
    if not n:
        return None
    low, high, seen, first = (n + 1) // 2, n // 2 + 1, 0, 0
    for value, key in places:
        before, seen = seen, seen + counts.get(key, 0)
        if before < low <= seen:
            first = value
        if seen >= high:
            return (first + value) / 2
    return None


def histogram(counts: Counts, name: str) -> list[tuple[int, str]]:
    """The values of a histogram that ``median`` takes."""
    return sorted((int(key.partition("=")[2]), key) for key in counts if key.startswith(f"{name}="))


def defect_gap(counts: Counts) -> float | None:
    """Accuracy minus defect-free accuracy over the same report-present runs, in points."""
    n = counts.get("present_labelled", 0)
    return 100 * (counts.get("present_correct", 0) - counts.get("defect_free_correct", 0)) / n if n else None
