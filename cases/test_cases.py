"""The one test of the benchmark: every case is one item of it. Run with ``pytest --clinicare-system=NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_clinicare.pytest_side.fixtures import FinishedRun


def test_case(clinicare_run: FinishedRun) -> None:
    """The verdict is right and no process defect was sprung."""
    if not clinicare_run.record.passed:
        pytest.fail(clinicare_run.explanation, pytrace=False)
