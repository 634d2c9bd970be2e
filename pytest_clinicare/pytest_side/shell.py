"""Whether the systems of a session get a shell, found out once and handed to the workers."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_clinicare.environment import Analysis, Bubblewrap, SandboxError, ShellLimits, prove_sandbox
from pytest_clinicare.pytest_side.options import OFF, REQUIRE, SHELL


@dataclass(frozen=True)
class Shell:
    """``sandbox`` is None for a session without shell, and ``why`` then says why."""

    sandbox: Bubblewrap | None = None
    why: str = "not asked for"

    @property
    def state(self) -> str:
        return "absent" if self.sandbox is None else "present"

    @property
    def told(self) -> str:
        """For the manifest: what decides whether runs may be compared. Why there is none does not."""
        return "absent" if self.sandbox is None else json.dumps(self.sandbox.description, sort_keys=True)

    def in_slot(self, slot: int) -> Shell:
        """The same for a worker, whose commands run as a user of their own."""
        return self if self.sandbox is None else replace(self, sandbox=replace(self.sandbox, slot=slot))

    def dumped(self) -> dict[str, Any]:
        """As the controller sends it: exact builtins only, which is all that crosses to a worker."""
        if self.sandbox is None:
            return {"why": self.why}
        found = self.sandbox
        return {
            "folder": str(found.analysis.folder),
            "versions": found.analysis.versions,
            "limits": found.limits.model_dump(),
            "mechanism": found.mechanism,
        }


def loaded(given: dict[str, Any]) -> Shell:
    """What ``dumped`` made."""
    if "why" in given:
        return Shell(why=given["why"])
    analysis = Analysis(Path(given["folder"]), given["versions"])
    return Shell(Bubblewrap(analysis, ShellLimits.model_validate(given["limits"]), given["mechanism"]))


def find_shell(wanted: str) -> Shell:
    """Raises SandboxError where a shell is required and the sandbox is missing or does not hold."""
    if wanted == OFF:
        return Shell(why=f"{SHELL.flag}={OFF}")
    try:
        return Shell(prove_sandbox())
    except SandboxError as error:
        if wanted == REQUIRE:
            raise SandboxError(f"{SHELL.flag}={REQUIRE}: {error}") from error
        return Shell(why=str(error))
