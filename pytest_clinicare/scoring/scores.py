"""The scores of one run (paper, sections 5.2 to 5.8)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Scores(BaseModel):
    """None always means undefined for this run, never zero; aggregates count what is undefined beside the mean.

    ``correct`` is None for an unlabelled case. ``process`` counts an undecided criterion as not met, and
    ``process_decided`` leaves it out. ``p_record`` and ``r_retrieval`` are None outside the grounding-scoreable runs,
    ``p_doc`` without a cited corpus document.
    """

    model_config = ConfigDict(frozen=True)

    correct: bool | None
    report_present: bool
    scoreable: bool
    process: float | None = None
    process_decided: float | None = None
    defects: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    p_record: float | None = None
    records_cited: int = 0
    records_found: int = 0
    r_retrieval: float | None = None
    sources_missing: tuple[str, ...] = ()
    policy_cited: int = 0
    policy_resolved: int = 0
    policy_unresolved: tuple[str, ...] = ()
    p_doc: float | None = None
    r_doc: float | None = None
    turns: int = 0
    calls: int = 0
    sql_calls: int = 0
    sql_only_tables: tuple[str, ...] = ()
