"""What the processes of one session agree on without talking: bench, day and, by the selection, the run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_clinicare.pytest_side.bench import Bench
from pytest_clinicare.pytest_side.naming import Key, keys_of
from pytest_clinicare.pytest_side.options import Settings
from pytest_clinicare.results import RunStore

if TYPE_CHECKING:
    from pytest_clinicare.results import Resume, RunDir

SESSION: pytest.StashKey[ClinicareSession] = pytest.StashKey()


@dataclass
class ClinicareSession:
    """State of one process. The run directory follows from the settings, the day and the selected cases.

    So every worker finds it by itself: the controller creates it once the workers have collected, before any item runs.
    """

    settings: Settings
    bench: Bench
    day: str
    worker: str
    run_dir: RunDir | None = None
    _resume: Resume | None = field(default=None, repr=False)

    @property
    def cases_file(self) -> Path:
        """The module that holds the one test."""
        return self.bench.suite.root.cases / "test_cases.py"

    def open(self, node_ids: Iterable[str], *, fresh: bool) -> RunDir | None:
        """The run directory of the selected items; None where no case is among them. Raises StoreError."""
        keys = keys_of(node_ids)
        if keys and self.run_dir is None:
            manifest = self.bench.manifest(dict.fromkeys(case for case, _ in keys))
            self.run_dir = RunStore(self.settings.runs).open(manifest, fresh=fresh, day=self.day)
        return self.run_dir

    def resume(self, run_dir: RunDir) -> Resume:
        """What was finished before this process began; read once."""
        if self._resume is None:
            cases = {case.id: case for case in self.bench.suite.cases}
            wanted: dict[Key, str] = {key: self.bench.digest(cases[key[0]]) for key in run_dir.manifest.expected}
            self._resume = run_dir.resume(wanted)
        return self._resume
