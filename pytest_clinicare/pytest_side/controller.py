"""The controller's part: open the run, note crashed workers, at the end build everything from the records on disk."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import asdict
from typing import Any

import pytest

from pytest_clinicare.pytest_side.fixtures import PROPERTY
from pytest_clinicare.pytest_side.gating import Ruling, rule
from pytest_clinicare.pytest_side.naming import key_of
from pytest_clinicare.pytest_side.options import SYSTEM
from pytest_clinicare.pytest_side.run import blank_record
from pytest_clinicare.pytest_side.session import ClinicareSession
from pytest_clinicare.pytest_side.summary import Summary, write_summary
from pytest_clinicare.results import Gate, StoreError, write_report

_WINS_OVER_GATES = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR)


class Controller:
    """Registered where no worker runs: in the main process, with and without pytest-xdist."""

    def __init__(self, session: ClinicareSession, gates: tuple[Gate, ...]) -> None:
        self._session = session
        self._gates = gates
        self._reused = 0
        self._summary: Summary | None = None

    def pytest_report_header(self) -> str:
        bench = self._session.bench
        shell = "shell in a sandbox" if bench.shell.sandbox else f"no shell ({bench.shell.why})"
        told = (f"system {bench.system.name}", f"judge {bench.judge.name}", f"{bench.charts.name} charts", shell)
        return f"clinicare: {', '.join((*told, *bench.selection.told(bench.suite)))}"

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["clinicare_day"] = self._session.day
        node.workerinput["clinicare_fingerprint"] = asdict(self._session.bench.fingerprint)
        node.workerinput["clinicare_shell"] = self._session.bench.shell.dumped()

    # Not in pytest_collection_finish, which comes after a selection that failed as well. Outermost, hence after all
    # that deselects.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        yield
        self._open(config, [item.nodeid for item in items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        # Called before anything is handed out to the workers, so that they find the run directory made.
        self._open(node.config, ids)

    def _open(self, config: pytest.Config, node_ids: Sequence[str]) -> None:
        if not node_ids:
            _refuse_empty_selection(config)
        if config.option.collectonly:
            return
        try:
            run_dir = self._session.open(node_ids, fresh=self._session.settings.fresh)
            if run_dir is not None:
                run_dir.records()
        except StoreError as error:
            raise pytest.UsageError(str(error)) from error

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "setup":
            properties = dict(report.user_properties)
            self._reused += '"reused": true' in str(properties.get(PROPERTY, ""))

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """The worker died in this item and could not write a record of it any more."""
        key, run_dir, bench = key_of(crashitem), self._session.run_dir, self._session.bench
        if key is None or run_dir is None:
            return
        # In this phase pytest counts an error, not a failure.
        report.when = "setup"
        written = run_dir.records().get(key)
        case = bench.suite.case(key[0])
        if case is None or (written is not None and written.finished):
            return
        crash = {"outcome": "worker_crash", "error": str(report.longrepr)}
        run_dir.append(blank_record(bench, case, key[1]).model_copy(update=crash), "controller")

    # Last, when pytest-xdist has ended its workers.
    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        run_dir = self._session.run_dir
        if run_dir is None or exitstatus == pytest.ExitCode.USAGE_ERROR:
            return
        records = tuple(run_dir.records().values())
        metrics = write_report(run_dir)
        ruling: Ruling | None = None
        if self._gates:
            ruling = rule(self._gates, metrics, run_dir, self._session.settings.max_errors)
            if exitstatus not in _WINS_OVER_GATES:
                session.exitstatus = ruling.status
        self._summary = Summary(run_dir, records, metrics, self._session.bench.suite, ruling, self._reused)

    # Outermost, so that it comes after pytest's list of what failed, which may be long.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
        yield
        if self._summary is not None:
            write_summary(terminalreporter, self._summary)


def _refuse_empty_selection(config: pytest.Config) -> None:
    """A selection that fits nothing is a typo: in a pipeline it must not look like a run."""
    given = [
        f"{flag} {text!r}" for flag, text in (("-k", config.option.keyword), ("-m", config.option.markexpr)) if text
    ]
    if given:
        raise pytest.UsageError(
            f"{' '.join(given)} selects nothing; `clinicare cases list` names the cases, `pytest {SYSTEM.flag}=NAME "
            "--markers` the markers"
        )
