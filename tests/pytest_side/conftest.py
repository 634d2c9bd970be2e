"""Sessions inside the tests: quick to start, and of charts that are built once."""

from __future__ import annotations

from pathlib import Path

import pytest

# Sessions in this process drop the modules that they were first to import, and would get the next session two copies.
import pytest_clinicare.pytest_side.start  # noqa: F401

AUTOLOAD_OFF = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"


@pytest.fixture(autouse=True)
def lean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the plugins under test, in the workers too: others that are installed double the start of each process."""
    monkeypatch.setenv(AUTOLOAD_OFF, "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_clinicare.plugin,xdist.plugin")
    # The proof of the sandbox takes most of a second, and these sessions are about other things.
    monkeypatch.setenv("CLINICARE_SHELL", "off")


@pytest.fixture
def charts(pytester: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chart cache of the session, shared by every test that runs cases."""
    shared = tmp_path_factory.getbasetemp() / "charts"
    shared.mkdir(exist_ok=True)
    folder = pytester.path / ".clinicare"
    folder.mkdir()
    (folder / "charts").symlink_to(shared)
    return shared
