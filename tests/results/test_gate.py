"""Gates: how they are written, and when they hold."""

from __future__ import annotations

import pytest

from pytest_clinicare.results import GateError, aggregate, parse_gate
from tests.results.conftest import record

METRICS = aggregate([record("a", "yes", "yes"), record("b", "yes", "no")])


@pytest.mark.parametrize(
    ("expression", "held"),
    [
        ("accuracy >= 0.5", True),
        ("accuracy>0.5", False),
        (" accuracy >= 50% ", True),
        ("defect_gap <= 0", True),
        ("accuracy == .5", True),
        # Undefined (no reference abstains) does not hold, whatever is asked of it.
        ("over_commitment <= 1", False),
        ("over_commitment >= 0", False),
    ],
)
def test_gate(expression: str, held: bool) -> None:
    result = parse_gate(expression).check(METRICS)
    assert result.held is held
    assert expression.strip() in result.text


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("defect_free_acuracy >= 0.7", "nearest: defect_free_accuracy"),
        ("accuracy => 0.7", "METRIC OP NUMBER"),
        ("accuracy >= high", "METRIC OP NUMBER"),
        ("", "METRIC OP NUMBER"),
        ("qqq >= 1", "metrics: accuracy"),
        ("accuracy >= 70", "lies between 0 and 1"),
        ("ece <= 120%", "lies between 0 and 1"),
        ("defect_gap <= 10%", "is no share"),
    ],
)
def test_typo_is_told(expression: str, told: str) -> None:
    with pytest.raises(GateError) as error:
        parse_gate(expression)
    assert told in str(error.value)
