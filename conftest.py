"""Keeps the cases out of a session that names no system: there is nobody to ask."""

from __future__ import annotations

from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    from pytest_clinicare.pytest_side.options import system_named

    return True if collection_path.is_relative_to(CASES) and not system_named(config) else None
