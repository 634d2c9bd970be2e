"""Release gates: ``defect_free_accuracy >= 0.70``."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pytest_clinicare.results.aggregate import METRIC_NAMES, SHARES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_clinicare.results.aggregate import Metrics

_EXPRESSION = re.compile(r"\s*([A-Za-z_]\w*)\s*(>=|<=|==|!=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+))\s*(%?)\s*")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}


class GateError(ValueError):
    """A gate expression with a mistake; the message says how to write it."""


@dataclass(frozen=True)
class GateResult:
    """``value`` None: the metric is undefined for these runs, and then the gate does not hold."""

    held: bool
    value: float | None
    text: str


@dataclass(frozen=True)
class Gate:
    """One condition on one metric."""

    metric: str
    comparison: str
    limit: float
    source: str

    def check(self, metrics: Metrics) -> GateResult:
        """Whether the gate holds for the metrics."""
        found = metrics[self.metric]
        if found.value is None:
            return GateResult(False, None, f"{self.source}: not held, {self.metric} is undefined (n = {found.n})")
        held = _COMPARE[self.comparison](found.value, self.limit)
        state = "held" if held else "not held"
        return GateResult(
            held, found.value, f"{self.source}: {state}, {self.metric} = {found.value:.4g} (n = {found.n})"
        )


def parse_gate(expression: str) -> Gate:
    """``metric op number``, the number plain or in percent. Raises GateError, naming the nearest metrics for a typo."""
    match = _EXPRESSION.fullmatch(expression)
    if match is None:
        raise GateError(
            f'gate {expression!r} is not of the form METRIC OP NUMBER, such as "defect_free_accuracy >= 0.70" '
            f"(operators: {' '.join(_COMPARE)})"
        )
    name, comparison, number, percent = match.groups()
    if name not in METRIC_NAMES:
        near = get_close_matches(name, METRIC_NAMES, n=3, cutoff=0.5)
        hint = f"nearest: {', '.join(near)}" if near else f"metrics: {', '.join(METRIC_NAMES)}"
        raise GateError(f"gate {expression!r}: there is no metric {name!r}; {hint}")
    limit = float(number) / (100 if percent else 1)
    if name in SHARES and not 0 <= limit <= 1:
        raise GateError(
            f"gate {expression!r}: {name} lies between 0 and 1; {number} is outside (0.7 and 70% are the same)"
        )
    if percent and name not in SHARES:
        raise GateError(f"gate {expression!r}: {name} is no share; give the number without %")
    return Gate(name, comparison, limit, expression.strip())
