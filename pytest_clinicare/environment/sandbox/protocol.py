"""What a sandbox is asked and what it answers."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

Ended = Literal["exit", "time limit", "output limit", "memory limit", "work directory limit", "its own sandbox"]
"""What ended a command; ``its own sandbox``: it killed what packs the work directory."""


class ShellLimits(BaseModel):
    """Bounds of one command: wall and CPU time (s), memory (MB, of all its processes where a cgroup holds them, else of
    each), processes, one file and the whole work directory (MB), output kept (bytes)."""

    model_config = ConfigDict(frozen=True)

    seconds: float = 60.0
    cpu_seconds: int = 60
    memory_mb: int = 2048
    processes: int = 128
    file_mb: int = 48
    work_mb: int = 64
    output_bytes: int = 30_000


class Ran(NamedTuple):
    """``output`` is stdout and stderr as they came, cut at the limit; ``state`` the work directory afterwards (opaque).

    ``status`` is the exit status, None where the command was ended by a limit. ``written`` counts all of the output,
    of which ``cut`` says that it is not all there.
    """

    status: int | None
    ended: Ended
    output: str
    written: int
    cut: bool
    state: bytes


class Sandbox(Protocol):
    """Runs commands of an agent where they can harm and see nothing."""

    @property
    def description(self) -> dict[str, Any]:
        """What decides comparability: isolation, how limits are held, limits, and what is installed."""
        ...

    def run(self, command: str, *, seconds: float, state: bytes) -> Ran:
        """One command in a work directory with the content of ``state`` (empty: nothing).

        Raises SandboxError where the sandbox itself fails, which is an infrastructure error.
        """
        ...


class SandboxError(Exception):
    """No sandbox, or one that fails; the message says what and what to do."""

    outcome = "sandbox_failure"
