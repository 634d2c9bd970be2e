"""Metrics against worked examples and against scikit-learn and scipy."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_clinicare.results import METRIC_NAMES, aggregate
from pytest_clinicare.results.statistics import bootstrap, wilson
from pytest_clinicare.scoring import RunRecord
from pytest_clinicare.suite import Verdict
from tests.results.conftest import record

CLASSES = tuple(verdict.value for verdict in Verdict)


def test_worked_example() -> None:
    defect = {"defects": ("N1",), "process": 0.5, "process_decided": 0.5}
    runs = [
        record("a", "yes", "yes", confidence=0.95, scores={"p_record": 1.0, "calls": 4}),
        record("b", "no", "no", confidence=0.95, scores={**defect, "p_record": 0.5, "calls": 10}),
        record("c", "no", "lack", confidence=0.25, scores={"calls": 5}),
        record("d", "lack", "yes", confidence=None, scores={"calls": 6}),
        record("e", "ambiguous", None, outcome="no_report", scores={"process": None, "process_decided": None}),
        record("f", "yes", None, outcome="system_error", error="boom"),
    ]
    metrics = aggregate(runs, expected=7)
    assert (metrics.accuracy, metrics["accuracy"].n) == (2 / 6, 6)
    assert (metrics.accuracy_completed, metrics["accuracy_completed"].n) == (2 / 5, 5)
    assert (metrics.over_commitment, metrics["over_commitment"].n) == (1 / 2, 2)
    assert (metrics.over_abstention, metrics["over_abstention"].n) == (1 / 4, 4)
    # Report-present: a to d, two correct, one of them with a defect.
    assert (metrics.defect_free_accuracy, metrics["defect_free_accuracy"].n) == (1 / 4, 4)
    assert metrics.defect_gap == 25.0
    assert metrics.process == pytest.approx(3.5 / 4)
    # Bins: two at .95, both right; one at .25, wrong.
    assert metrics.ece == pytest.approx((2 * 0.05 + 0.25) / 3)
    assert metrics.distinct_confidences == 2
    assert (metrics.p_record, metrics["p_record"].n, metrics.citing_no_record) == (0.75, 2, 2)
    # Over all runs: the one that ended in an error cites no document.
    assert (metrics.r_doc, metrics["r_doc"].n) == (pytest.approx(5 / 6), 6)
    assert (metrics.calls, metrics["calls"].n) == (5.0, 5)
    assert (metrics.runs, metrics.expected, metrics.outcomes["system_error"]) == (6, 7, 1)
    assert metrics.defects == {"post-ct-aki/N1": 1}


def test_a_pair_is_right_where_both_are() -> None:
    runs = [
        record("a-01", "yes", "yes"),
        record("a-01b", "no", "no", pair_of="a-01"),
        record("a-01c", "lack", "no", pair_of="a-01"),
        record("a-02", "no", "yes"),
        record("a-02b", "yes", "yes", pair_of="a-02"),
        # Of another attempt, and of a case that was not run: no pair.
        record("a-03b", "yes", "yes", pair_of="a-03"),
        record("a-01b", "no", "no", pair_of="a-01", attempt=2),
    ]
    consistency = aggregate(runs)["pair_consistency"]
    assert (consistency.value, consistency.n, consistency.out_of) == (1 / 3, 3, 5)
    assert aggregate(runs[:1])["pair_consistency"].n == 0


def test_unlabelled_runs_have_no_accuracy() -> None:
    metrics = aggregate([record("a", None, "yes", confidence=0.9), record("b", None, "no")])
    absent = (
        "accuracy",
        "accuracy_completed",
        "macro_f1",
        "ece",
        "over_commitment",
        "defect_free_accuracy",
        "defect_gap",
    )
    assert {name: (metrics[name].value, metrics[name].n) for name in absent} == dict.fromkeys(absent, (None, 0))
    assert (metrics.process, metrics.unlabelled, metrics.absent_classes) == (1.0, 2, ())


def test_nothing_at_all() -> None:
    metrics = aggregate([], expected=3, resamples=10)
    assert {metrics[name].value for name in METRIC_NAMES} == {None}


def test_scores_of_different_judges_are_never_mixed() -> None:
    with pytest.raises(ValueError, match="different judges"):
        aggregate([record("a", "yes", "yes"), record("b", "yes", "yes", judge="panel")])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=1, max_size=30))
def test_macro_f1_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    reference, predicted = zip(*pairs, strict=True)
    present = sorted({*reference, *predicted})
    expected = sklearn.f1_score(reference, predicted, labels=present, average="macro", zero_division=0)
    metrics = aggregate([record(f"c{n}", ref, got) for n, (ref, got) in enumerate(pairs)])
    assert metrics.macro_f1 == pytest.approx(expected)
    assert set(metrics.absent_classes) == set(CLASSES) - set(present)


def test_no_verdict_is_a_false_negative_and_no_false_positive() -> None:
    metrics = aggregate([record("a", "yes", "yes"), record("b", "yes", None), record("c", "no", "no")])
    assert metrics.classes["yes"] == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)}
    assert metrics.macro_f1 == pytest.approx((2 / 3 + 1) / 2)


def test_wilson_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for successes, n in ((0, 10), (1, 10), (7, 30), (30, 30), (62, 120)):
        expected = stats.binomtest(successes, n).proportion_ci(method="wilson")
        assert wilson(successes, n) == pytest.approx((expected.low, expected.high))
    assert wilson(0, 0) is None


def test_bootstrap_is_near_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = random.Random(3)
    values = [rng.randrange(100) for _ in range(60)]
    found = bootstrap([{"n": 1, "x": v} for v in values], {"mean": lambda c: c["x"] / c["n"]})["mean"]
    expected = stats.bootstrap((values,), lambda x, axis: x.mean(axis=axis), method="percentile", random_state=1)
    assert found == pytest.approx(tuple(expected.confidence_interval), abs=1.0)


def test_attempts_of_a_case_move_together() -> None:
    runs = [record(f"c{n}", "yes", "yes" if n % 2 else "no", attempt=a) for n in range(20) for a in range(1, 6)]
    single = [run for run in runs if run.attempt == 1]
    together, alone = (aggregate(some, resamples=2000)["accuracy"].bootstrap for some in (runs, single))
    # Five identical attempts carry no more than one: the interval is as wide.
    assert together == pytest.approx(alone)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from((*CLASSES, None)), st.booleans()), max_size=25))
def test_invariants(runs: list[tuple[str, str | None, bool]]) -> None:
    records: list[RunRecord] = [
        record(f"c{n}", reference, got, scores={"defects": ("N1",) if defect else ()})
        for n, (reference, got, defect) in enumerate(runs)
    ]
    metrics = aggregate(records)
    backwards = aggregate(reversed(records))
    for name in METRIC_NAMES:
        value = metrics[name].value
        assert value == backwards[name].value
        assert metrics[name].n <= metrics[name].out_of
        if value is not None and name not in ("defect_gap", "calls", "turns"):
            assert 0.0 <= value <= 1.0
    if records:
        assert metrics.defect_gap == pytest.approx(100 * (metrics.accuracy - metrics.defect_free_accuracy))
