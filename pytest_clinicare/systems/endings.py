"""How a run can end without a report: exceptions whose ``outcome`` names a row of the table of outcomes."""

from __future__ import annotations


class Refusal(Exception):
    """The model, or its provider's filter, declined."""

    outcome = "refusal"


class ContextOverflow(Exception):
    """The conversation no longer fits the model's context window."""

    outcome = "context_overflow"


class CutOff(Exception):
    """The model's answer reached its greatest length before it held a report."""

    outcome = "cut_off"


class TurnLimit(Exception):
    outcome = "turn_limit"


class TokenLimit(Exception):
    outcome = "token_limit"


class CostLimit(Exception):
    outcome = "cost_limit"


class TimeLimit(Exception):
    outcome = "time_limit"


class EndpointDown(Exception):
    """No answer of the model's service after all retries, or one that is none: to be run again."""

    outcome = "endpoint_down"


class HarnessFailure(Exception):
    """The agent's program could not be started, or broke: to be run again."""

    outcome = "system_error"
