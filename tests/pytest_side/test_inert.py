"""In a project that merely has the plugin installed it costs nothing and says nothing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.pytest_side.conftest import AUTOLOAD_OFF

START_UP = 0.15
"""Seconds of CPU that the plugin may add to the start of pytest."""

HEAVY = ("pydantic", "sqlite_utils", "openai", "anthropic", "rich", "typer", "jinja2", "pytest_clinicare.suite")


def test_no_output_no_file_no_heavy_import(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    # As installed, so by its entry point.
    monkeypatch.delenv(AUTOLOAD_OFF)
    monkeypatch.delenv("PYTEST_PLUGINS")
    pytester.makepyfile(test_theirs="def test_theirs(): pass")
    command = [sys.executable, "-X", "importtime", "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, check=True)
    assert "pytest_clinicare.pytest_side.options" in done.stderr, (
        "the plugin must be installed for this test to say anything"
    )
    imported = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))
    assert imported.isdisjoint(HEAVY)
    # pytest's own header names the plugins that are installed; ours adds nothing to it.
    assert not [line for line in done.stdout.splitlines() if "clinicare" in line and not line.startswith("plugins:")]
    assert {path.name for path in pytester.path.iterdir()} <= {"test_theirs.py", "__pycache__"}


def test_it_is_imported_in_no_time() -> None:
    code = (
        "import time, pytest; t = time.process_time(); import pytest_clinicare.plugin; print(time.process_time() - t)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < START_UP
