"""One table of every way that a run can end: retry, scoring, aggregation and exit status all read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Outcome:
    """``retried``: run again when the command is repeated. ``scored``: has scores. ``blame``: whose failure it is."""

    name: str
    retried: bool
    scored: bool
    blame: Literal["none", "system", "infrastructure"]
    text: str

    @property
    def infrastructure(self) -> bool:
        """An error of the run, to be run again; never the system's wrong answer."""
        return self.blame == "infrastructure"


OUTCOMES: dict[str, Outcome] = {
    o.name: o
    for o in (
        Outcome("answered", False, True, "none", "a report was filed"),
        Outcome("no_report", False, True, "system", "the system ended without a report that could be read"),
        Outcome("call_limit", False, True, "system", "the limit of tool calls was reached before a report"),
        Outcome("time_limit", False, True, "system", "the time limit was reached before a report"),
        Outcome("turn_limit", False, True, "system", "the limit of turns was reached before a report"),
        Outcome("token_limit", False, True, "system", "the limit of tokens was reached before a report"),
        Outcome("cost_limit", False, True, "system", "the limit of money was reached before a report"),
        Outcome("cut_off", False, True, "system", "the model's answer was cut off at its longest before a report"),
        Outcome("refusal", False, True, "system", "the model refused the task"),
        Outcome("context_overflow", False, True, "system", "the model ran out of context before a report"),
        Outcome("system_error", True, False, "infrastructure", "the system raised an error"),
        Outcome("endpoint_down", True, False, "infrastructure", "the model endpoint could not be reached"),
        Outcome("sandbox_failure", True, False, "infrastructure", "the sandbox failed"),
        Outcome("judge_failure", True, False, "infrastructure", "the judge failed; the report is kept in the trace"),
        Outcome("worker_crash", True, False, "infrastructure", "the worker process died"),
        Outcome("chart_error", True, False, "infrastructure", "the chart could not be built or opened"),
    )
}


def outcome_of(error: BaseException) -> Outcome:
    """The outcome that an exception stands for: its ``outcome`` attribute where it names a row, else ``system_error``.

    An unknown exception is infrastructure: it never counts as the system's wrong answer.
    """
    named = getattr(error, "outcome", None)
    # An exception is no answer, whatever it calls itself.
    if isinstance(named, str) and named in OUTCOMES and OUTCOMES[named].blame != "none":
        return OUTCOMES[named]
    return OUTCOMES["chart_error" if type(error).__name__ == "ChartError" else "system_error"]
