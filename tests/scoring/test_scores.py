"""Scores of one run: worked examples, and what must hold whatever the grades."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_clinicare.environment import Corpus
from pytest_clinicare.judging import Grade, JudgedRun
from pytest_clinicare.scoring import Scores, score_run
from pytest_clinicare.scoring.process import process_scores
from pytest_clinicare.suite import Rubric, Verdict
from tests.judging.conftest import HADM, ROOT

CORPUS = Corpus(ROOT / "policy_docs")
WEIGHTS = (2, 2, 1, -2, -1)


def _score(run: JudgedRun, **changes: Any) -> Scores:
    given_ = {"report": run.report, "grades": (), **changes}
    common = {"case": run.case, "scenario": run.scenario, "rubric": run.rubric, "trace": run.trace, "chart": run.chart}
    return score_run(**common, corpus=CORPUS, **given_)


def test_grounding_by_hand(judged: Callable[..., JudgedRun]) -> None:
    # Cited: two rows that were retrieved, a retrieved note by span and whole (one row), one row never retrieved, one
    # that does not exist: 3 of 5. Policy: one governing, one other, one without lines, one past the end, one made up.
    records = ["labevents:2", "hosp.labevents:3", "radiology:r-1@0-10", "radiology:r-1", "labevents:1", "labevents:77"]
    policies = [
        "kdigo-aki-2012 L1-L3",
        "kdigo-ckd-2012 L2",
        "refhosp-chart-audit-standard",
        "kdigo-aki-2012 L1-L99999",
        "kdigo-aki-2099 L1-L2",
    ]
    cited = [f"[record: {ref}]" for ref in records] + [f"[policy: {policy}]" for policy in policies]
    calls = [("get_labs", {"hadm_id": HADM}), ("read_note", {"note_id": "r-1"})]
    scores = _score(judged([], calls, {"rationale": " ".join(cited)}))
    assert (scores.records_found, scores.records_cited, scores.p_record) == (3, 5, 0.6)
    assert (scores.policy_resolved, scores.policy_cited) == (2, 5)
    assert "kdigo-aki-2099 L1-L2" in scores.policy_unresolved
    # Corpus documents cited: kdigo-aki, kdigo-ckd, the audit standard; two of them govern, of four that do.
    assert scores.p_doc == 2 / 3
    assert scores.r_doc == 2 / 4
    # Of eight sources only the radiology reports were read as far as needed: the labs lack the year before.
    assert scores.r_retrieval == 1 / 8
    assert (scores.calls, scores.turns, scores.sql_calls) == (2, 0, 0)


def test_undefined_is_not_zero(judged: Callable[..., JudgedRun]) -> None:
    nothing = _score(judged([], [], {}))
    assert (nothing.scoreable, nothing.p_record, nothing.r_retrieval, nothing.p_doc, nothing.r_doc) == (
        False,
        None,
        None,
        None,
        0.0,
    )
    citing_none = _score(judged([], [("get_patient", {})], {}))
    assert (citing_none.scoreable, citing_none.p_record) == (True, None)


def test_run_without_report_has_no_process(judged: Callable[..., JudgedRun]) -> None:
    run = judged([], [("get_patient", {})], {})
    labelled = run.case.model_copy(update={"verdict": Verdict.NO})
    scores = _score(run.model_copy(update={"case": labelled}), report=None)
    assert (scores.correct, scores.report_present, scores.scoreable, scores.process) == (False, False, False, None)


def test_sql_is_told_apart(judged: Callable[..., JudgedRun]) -> None:
    calls = [("get_labs", {}), ("run_sql", {"query": "SELECT poe_id FROM poe, labevents"})]
    scores = _score(judged([], calls, {}))
    assert (scores.calls, scores.sql_calls, scores.sql_only_tables) == (1, 1, ("hosp.poe",))


def _rubric() -> Rubric:
    kinds = [("must-do" if weight > 0 else "must-not", weight) for weight in WEIGHTS]
    criteria = [
        {"id": f"C{n}", "kind": kind, "weight": weight, "text": "x", "rule": "x"}
        for n, (kind, weight) in enumerate(kinds)
    ]
    return Rubric.model_validate({"scenario": "x", "criteria": criteria})


def _grades(met: tuple[bool | None, ...], applicable: tuple[bool, ...] = (True,) * 5) -> list[Grade]:
    return [Grade(criterion=f"C{n}", met=m, applicable=a) for n, (m, a) in enumerate(zip(met, applicable, strict=True))]


def test_process_score_by_hand() -> None:
    scores = process_scores(_rubric(), _grades((True, False, True, False, True)))
    assert scores.score == (2 + 1 - 1) / 5
    assert scores.defects == ("C4",)
    # The undecided is not met in the score, out of the decided score, and no defect.
    undecided = process_scores(_rubric(), _grades((True, None, True, None, False)))
    assert (undecided.score, undecided.decided) == (3 / 5, 3 / 3)
    assert (undecided.undecided, undecided.defects) == (("C1", "C3"), ())
    # What does not apply is in neither sum.
    left_out = process_scores(_rubric(), _grades((True, True, False, False, False), (True, True, False, True, True)))
    assert left_out.score == 1.0
    assert process_scores(_rubric(), _grades((False, False, False, True, True))).score == 0.0


THREE = st.sampled_from((True, False, None))


@given(st.tuples(THREE, THREE, THREE, THREE, THREE), st.tuples(*[st.booleans()] * 5))
def test_process_score_is_a_lower_bound(met: tuple[bool | None, ...], applicable: tuple[bool, ...]) -> None:
    scores = process_scores(_rubric(), _grades(met, applicable))
    if scores.score is None:
        assert not any(applicable[:3])
        return
    assert 0.0 <= scores.score <= 1.0
    # Deciding an open must-do as met never lowers the score; the open must-not stays open.
    decided = tuple(True if m is None and w > 0 else m for m, w in zip(met, WEIGHTS, strict=True))
    better = process_scores(_rubric(), _grades(decided, applicable))
    assert better.score is not None
    assert better.score >= scores.score
    assert better.defects == scores.defects
    assert not set(scores.defects) & set(scores.undecided)
