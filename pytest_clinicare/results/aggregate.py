"""Records -> metrics: each with its own n, what it left out, and an interval."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pytest_clinicare.results import estimators as e
from pytest_clinicare.results.statistics import Interval, bootstrap, wilson
from pytest_clinicare.results.tally import BINS, SCALE, Tally, tally
from pytest_clinicare.suite import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_clinicare.scoring import RunRecord


@dataclass(frozen=True)
class Metric:
    """A value over ``n`` of the ``out_of`` runs that it could be told for; None is undefined.

    ``wilson`` is given for plain rates; ``bootstrap`` only where resampling was asked for.
    """

    value: float | None
    n: int
    out_of: int
    unit: str = ""
    wilson: Interval | None = None
    bootstrap: Interval | None = None


class _Spec(NamedTuple):
    estimate: e.Estimator
    n: str
    successes: str | None = None
    out_of: str = "runs"
    unit: str = ""


def _rate(part: str, whole: str, out_of: str = "runs") -> _Spec:
    return _Spec(partial(e.ratio, part=part, whole=whole), whole, part, out_of)


def _mean(name: str, out_of: str) -> _Spec:
    return _Spec(partial(e.mean, name=name), f"{name}:n", None, out_of)


_SPECS: dict[str, _Spec] = {
    "accuracy": _rate("correct", "labelled"),
    "accuracy_completed": _rate("completed_correct", "completed_labelled"),
    "macro_f1": _Spec(e.macro_f1, "labelled"),
    "over_commitment": _rate("over_committed", "abstention", "labelled"),
    "over_abstention": _rate("over_abstained", "definitive", "labelled"),
    "ece": _Spec(e.ece, "binned", None, "present_labelled"),
    "process": _mean("process", "present"),
    "process_decided": _mean("process_decided", "present"),
    "defect_rate": _rate("defective", "present"),
    "defect_free_accuracy": _rate("defect_free_correct", "present_labelled"),
    "defect_gap": _Spec(e.defect_gap, "present_labelled", None, "runs", "points"),
    "p_record": _mean("p_record", "scoreable"),
    "r_retrieval": _mean("r_retrieval", "scoreable"),
    "citation_resolution": _mean("citation_resolution", "scored"),
    "p_doc": _mean("p_doc", "scored"),
    "r_doc": _mean("r_doc", "runs"),
    "sql_reliance": _rate("sql_runs", "scored"),
    "sql_call_share": _rate("sql_calls", "all_calls", "all_calls"),
    "pair_consistency": _rate("pairs_right", "pairs", "twins"),
    "completed": _rate("completed", "runs"),
    "report_present": _rate("present", "runs"),
}
_MEDIANS = ("turns", "calls")

METRIC_NAMES: tuple[str, ...] = (*_SPECS, "scenario_macro_accuracy", *_MEDIANS)
"""Every metric that a gate may name."""

SHARES: frozenset[str] = frozenset(METRIC_NAMES) - {*_MEDIANS, "defect_gap"}
"""Metrics from 0 to 1; the others are in points or counts."""


@dataclass(frozen=True)
class Metrics:
    """All metrics of a set of runs: ``metrics.accuracy`` is the plain value, ``metrics["accuracy"]`` the ``Metric``.

    ``expected`` is the number of runs that a complete set has. ``classes`` holds precision, recall and F1 per verdict
    class, ``absent_classes`` those left out of macro-F1. ``undecided`` counts runs per criterion that rules could not
    decide.
    """

    values: dict[str, Metric]
    expected: int
    runs: int
    unlabelled: int
    judges: tuple[str, ...]
    outcomes: dict[str, int]
    classes: dict[str, dict[str, float | None]]
    absent_classes: tuple[str, ...]
    bins: tuple[dict[str, float | int], ...]
    distinct_confidences: int
    citing_no_record: int
    citations_unresolved: int
    undecided: dict[str, int]
    defects: dict[str, int]
    sql_only_tables: tuple[str, ...]
    resamples: int
    scenarios: dict[str, dict[str, Metric]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Metric:
        return self.values[name]

    def __getattr__(self, name: str) -> float | None:
        values: dict[str, Metric] = self.__dict__.get("values", {})
        if name in values:
            return values[name].value
        raise AttributeError(name)


def aggregate(records: Iterable[RunRecord], *, expected: int | None = None, resamples: int = 0) -> Metrics:
    """Metrics over all ``records``, runs that ended in errors included. ``resamples`` > 0 adds bootstrap intervals.

    Raises ValueError where scores of different judges would be mixed.
    """
    runs = tuple(records)
    judges = tuple(sorted({record.judge for record in runs if record.scores}))
    if len(judges) > 1:
        raise ValueError(f"scores of different judges are not comparable: {', '.join(judges)}; aggregate them apart")
    tallies = [tally(record) for record in runs]
    total = _summed(tallies)
    scored = [record.scores for record in runs if record.scores]
    confidences = {r.confidence for r in runs if r.confidence is not None and r.scores and r.scores.report_present}
    classes = {verdict.value: e.class_scores(total, verdict) for verdict in Verdict}
    return Metrics(
        values=_values(runs, tallies, resamples),
        expected=len(runs) if expected is None else expected,
        runs=len(runs),
        unlabelled=total["runs"] - total["labelled"],
        judges=judges,
        outcomes=dict(sorted(Counter(record.outcome for record in runs).items())),
        classes={name: scores for name, scores in classes.items() if scores is not None},
        absent_classes=tuple(name for name, scores in classes.items() if scores is None) if total["labelled"] else (),
        bins=_bins(total),
        distinct_confidences=len(confidences),
        citing_no_record=total["citing_none"],
        citations_unresolved=total["citations_unresolved"],
        undecided=_per_criterion(runs, "undecided"),
        defects=_per_criterion(runs, "defects"),
        sql_only_tables=tuple(sorted({table for scores in scored for table in scores.sql_only_tables})),
        resamples=resamples,
        scenarios=_by_scenario(runs),
    )


def _values(runs: Sequence[RunRecord], tallies: Sequence[Tally], resamples: int) -> dict[str, Metric]:
    of_patient: dict[str, list[Tally]] = defaultdict(list)
    for record, counts in zip(runs, tallies, strict=True):
        of_patient[record.pair_of or record.case].append(counts)
    for case, counts in _pairs(runs):
        of_patient[case].append(counts)
    clusters = [_summed(of_patient[case]) for case in sorted(of_patient)]
    total = _summed(clusters)
    specs = _specs(total)
    intervals = bootstrap(clusters, {name: spec.estimate for name, spec in specs.items()}, resamples)
    return {name: _metric(spec, total, intervals[name]) for name, spec in specs.items()}


def _pairs(runs: Iterable[RunRecord]) -> Iterator[tuple[str, Tally]]:
    """For each twin, the case it belongs to and the counts of their pair; both are of the same attempt."""
    right = {(record.case, record.attempt): record.correct is True for record in runs if record.reference is not None}
    for case, attempt, twin in [(r.pair_of, r.attempt, r.case) for r in runs if r.pair_of is not None]:
        there = (case, attempt) in right and (twin, attempt) in right
        both = there and right[case, attempt] and right[twin, attempt]
        yield case, Counter({"twins": 1, "pairs": there, "pairs_right": both})


def _specs(total: Tally) -> dict[str, _Spec]:
    """The metrics, those that depend on which scenarios or values there are included."""
    macro = partial(e.scenario_macro, rates=e.scenario_rates(total))
    medians = {
        name: _Spec(partial(e.median, places=e.histogram(total, name)), "scored", None, "runs", "median per run")
        for name in _MEDIANS
    }
    return {**_SPECS, "scenario_macro_accuracy": _Spec(macro, "labelled"), **medians}


def _metric(spec: _Spec, total: Tally, interval: Interval | None) -> Metric:
    n = total[spec.n]
    rate = wilson(total[spec.successes], n) if spec.successes else None
    return Metric(spec.estimate(total), n, total[spec.out_of], spec.unit, rate, interval if n else None)


def _by_scenario(runs: Sequence[RunRecord]) -> dict[str, dict[str, Metric]]:
    found = {}
    for scenario in sorted({record.scenario for record in runs}):
        own = [record for record in runs if record.scenario == scenario]
        found[scenario] = _values(own, [tally(record) for record in own], resamples=0)
    return found


def _bins(total: Tally) -> tuple[dict[str, float | int], ...]:
    """The bins of ECE that hold runs."""
    found: list[dict[str, float | int]] = []
    for place in range(BINS):
        n = total[f"bin:{place}:n"]
        if n:
            stated = total[f"bin:{place}:confidence"] / SCALE / n
            accuracy = total[f"bin:{place}:correct"] / n
            found.append({"from": place / BINS, "n": n, "confidence": stated, "accuracy": accuracy})
    return tuple(found)


def _per_criterion(runs: Sequence[RunRecord], name: str) -> dict[str, int]:
    """Runs per criterion, named ``scenario/criterion``."""
    counts = Counter(f"{r.scenario}/{criterion}" for r in runs if r.scores for criterion in getattr(r.scores, name))
    return dict(sorted(counts.items()))


def _summed(tallies: Iterable[Tally]) -> Tally:
    total: Tally = Counter()
    for counts in tallies:
        for key, value in counts.items():
            total[key] += value
    return total
