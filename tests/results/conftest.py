"""Records made by hand."""

from __future__ import annotations

from typing import Any

from pytest_clinicare.scoring import RunRecord, Scores
from pytest_clinicare.suite import Verdict


def record(case: str, reference: str | None, verdict: str | None, **changes: Any) -> RunRecord:
    """A run with a report (unless ``outcome`` says otherwise); ``scores`` changes its scores."""
    given = dict(changes.pop("scores", {}))
    outcome = changes.get("outcome", "answered")
    scores = None
    if outcome in ("answered", "no_report"):
        values = {"process": 1.0, "process_decided": 1.0, "r_doc": 1.0, "scoreable": outcome == "answered", **given}
        scores = Scores(correct=None, report_present=outcome == "answered", **values)
    fields = {"scenario": "post-ct-aki", "system": "scripted/x", "judge": "rules", **changes}
    return RunRecord(
        case=case,
        reference=Verdict(reference) if reference else None,
        verdict=Verdict(verdict) if verdict else None,
        scores=scores,
        **fields,
    )
