"""A session that names a system: check all that the user gave, then register what its role in the session needs."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from pytest_clinicare.environment import CorpusError, SandboxError
from pytest_clinicare.pytest_side import fixtures
from pytest_clinicare.pytest_side.bench import BenchError, Fingerprint, Shared, build_bench
from pytest_clinicare.pytest_side.controller import Controller
from pytest_clinicare.pytest_side.options import GATE, SYSTEM, Settings
from pytest_clinicare.pytest_side.selection import SelectionError
from pytest_clinicare.pytest_side.session import SESSION, ClinicareSession
from pytest_clinicare.pytest_side.shell import loaded
from pytest_clinicare.results import GateError, parse_gate
from pytest_clinicare.suite import Suite, SuiteError
from pytest_clinicare.systems import SystemError


def start(config: pytest.Config, settings: Settings) -> None:
    """Raises pytest.UsageError for a mistake of the user, before anything is written."""
    given = getattr(config, "workerinput", None)
    if ":" in settings.system:
        # A module beside the command is found under `pytest` as it is under `python -m pytest`.
        sys.path.insert(0, str(config.invocation_params.dir))
    _check_selection(config)
    try:
        gates = tuple(parse_gate(expression) for expression in settings.gates)
        bench = build_bench(settings, _shared(given) if given else None, _slot(given))
    except GateError as error:
        raise pytest.UsageError(f"{GATE.flag}: {error}") from error
    except SystemError as error:
        raise pytest.UsageError(f"{SYSTEM.flag}: {error}") from error
    except SystemExit as error:
        # Not an Exception: a module without a `__main__` guard, or one that parses the command line, would end pytest.
        told = f"system {settings.system!r}: its module or factory ended the process (SystemExit: {error})"
        raise pytest.UsageError(f"{SYSTEM.flag}: {told}") from error
    except (SuiteError, CorpusError, SelectionError, BenchError, SandboxError) as error:
        raise pytest.UsageError(str(error)) from error
    day = given["clinicare_day"] if given else datetime.now(UTC).date().isoformat()
    session = ClinicareSession(settings, bench, day, worker=given["workerid"] if given else "main")
    config.stash[SESSION] = session
    _collect_cases(config, session)
    _register_markers(config, bench.suite)
    config.pluginmanager.register(fixtures, "clinicare-fixtures")
    if given is None:
        config.pluginmanager.register(Controller(session, gates), "clinicare-controller")


def _shared(given: dict[str, Any]) -> Shared:
    """What the controller found out."""
    return Shared(Fingerprint(**given["clinicare_fingerprint"]), loaded(given["clinicare_shell"]))


def _slot(given: dict[str, Any] | None) -> int:
    """The number of the worker, ``gw3`` being 3."""
    return int("".join(filter(str.isdigit, given["workerid"])) or 0) if given else 0


def _check_selection(config: pytest.Config) -> None:
    """pytest's own check of -k and -m, before there are workers: in one of them it would end as an internal error."""
    marks = config.pluginmanager.get_plugin("mark")
    if marks is not None:
        marks.pytest_collection_modifyitems(items=[], config=config)


def _collect_cases(config: pytest.Config, session: ClinicareSession) -> None:
    """Without a path on the command line the cases are meant, not the tests of the project that pytest stands in."""
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(session.cases_file)]


def _register_markers(config: pytest.Config, suite: Suite) -> None:
    for name, text in fixtures.markers(suite).items():
        config.addinivalue_line("markers", f"{name}: {text}")
