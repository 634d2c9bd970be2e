"""Runs as counts: everything that a metric needs of a run is a small set of integers that add up over runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_clinicare.suite import Verdict

if TYPE_CHECKING:
    from pytest_clinicare.scoring import RunRecord, Scores

SCALE = 1_000_000_000
"""Fractions (a process score, a confidence) are counted in billionths, so that sums are exact and order-free."""

BINS = 10
"""Equal-width bins of stated confidence for ECE: [0, .1), ... [.9, 1]."""

Tally = Counter[str]


def tally(record: RunRecord) -> Tally:
    """The counts of one run. Each rate counts its own denominator, so that no run is dropped silently."""
    counts: Tally = Counter({"runs": 1})
    if not record.ended.infrastructure:
        counts["completed"] += 1
    if record.reference is not None:
        _verdict(counts, record, record.reference)
    _scored(counts, record)
    return counts


def _verdict(counts: Tally, record: RunRecord, reference: Verdict) -> None:
    predicted, right = record.verdict, record.correct is True
    counts["labelled"] += 1
    counts["correct"] += right
    counts[f"scenario:{record.scenario}:n"] += 1
    counts[f"scenario:{record.scenario}:correct"] += right
    if not record.ended.infrastructure:
        counts["completed_labelled"] += 1
        counts["completed_correct"] += right
    counts[f"class:{reference}:reference"] += 1
    if predicted is not None:
        counts[f"class:{predicted}:predicted"] += 1
    counts[f"class:{reference}:both"] += right
    if reference.definitive:
        counts["definitive"] += 1
        counts["over_abstained"] += predicted is not None and not predicted.definitive
    else:
        counts["abstention"] += 1
        counts["over_committed"] += predicted is not None and predicted.definitive


def _scored(counts: Tally, record: RunRecord) -> None:
    scores = record.scores
    # Recall of documents is over all runs: one that ended in an error cites none.
    counts["r_doc:n"] += 1
    if scores is None:
        return
    _add(counts, "r_doc:sum", scores.r_doc or 0.0)
    counts["scored"] += 1
    counts["sql_runs"] += scores.sql_calls > 0
    counts["sql_calls"] += scores.sql_calls
    counts["all_calls"] += scores.calls + scores.sql_calls
    # Histograms, as a median is no sum: how many runs had just this number.
    counts[f"turns={scores.turns}"] += 1
    counts[f"calls={scores.calls}"] += 1
    counts["citations_unresolved"] += len(scores.policy_unresolved)
    if scores.policy_cited:
        _mean(counts, "citation_resolution", scores.policy_resolved / scores.policy_cited)
    _mean(counts, "p_doc", scores.p_doc)
    if scores.report_present:
        _reported(counts, record, scores)


def _reported(counts: Tally, record: RunRecord, scores: Scores) -> None:
    counts["present"] += 1
    counts["defective"] += bool(scores.defects)
    _mean(counts, "process", scores.process)
    _mean(counts, "process_decided", scores.process_decided)
    if record.reference is not None:
        counts["present_labelled"] += 1
        counts["present_correct"] += record.correct is True
        counts["defect_free_correct"] += record.correct is True and not scores.defects
        _confidence(counts, record)
    if scores.scoreable:
        counts["scoreable"] += 1
        counts["citing_none"] += scores.p_record is None
        _mean(counts, "p_record", scores.p_record)
        _mean(counts, "r_retrieval", scores.r_retrieval)


def _confidence(counts: Tally, record: RunRecord) -> None:
    stated = record.confidence
    if stated is None or not 0.0 <= stated <= 1.0:
        return
    place = min(int(stated * BINS), BINS - 1)
    counts["binned"] += 1
    counts[f"bin:{place}:n"] += 1
    counts[f"bin:{place}:correct"] += record.correct is True
    _add(counts, f"bin:{place}:confidence", stated)


def _mean(counts: Tally, name: str, value: float | None) -> None:
    if value is not None:
        counts[f"{name}:n"] += 1
        _add(counts, f"{name}:sum", value)


def _add(counts: Tally, name: str, value: float) -> None:
    counts[name] += round(value * SCALE)
