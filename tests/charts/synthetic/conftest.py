"""Charts of the suite's own cases, built once a module."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_clinicare.charts.synthetic import build
from pytest_clinicare.suite import Case


@pytest.fixture
def open_built(tmp_path: Path) -> Iterator[Callable[[Case], sqlite3.Connection]]:
    """Build a case's chart and open it as plain SQLite, without any of the package's own reading code."""
    opened: list[sqlite3.Connection] = []

    def open_case(case: Case) -> sqlite3.Connection:
        path = tmp_path / f"{case.id}.sqlite"
        build(case).save(path)
        connection = sqlite3.connect(path)
        opened.append(connection)
        return connection

    yield open_case
    for connection in opened:
        connection.close()
