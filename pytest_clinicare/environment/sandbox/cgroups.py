"""Limits on all processes of a command together: a control group of version 2 or 1, where this process may make one."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pytest_clinicare.environment.sandbox.protocol import ShellLimits

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "clinicare"
_PERIOD_US = 100_000
Mechanism = Literal["cgroup v2", "cgroup v1", "rlimits"]


@dataclass(frozen=True)
class Group:
    """The folders of one command's group, one a controller with version 1."""

    folders: tuple[Path, ...]
    memory: Path

    def add(self, process: int) -> None:
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(process))

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel has ended a process for memory."""
        for name in ("memory.events", "memory.oom_control"):
            with contextlib.suppress(OSError):
                for line in (self.memory / name).read_text().splitlines():
                    key, _, count = line.partition(" ")
                    if key == "oom_kill" and count != "0":
                        return True
        return False


_GROUPS: tuple[Mechanism, ...] = ("cgroup v2", "cgroup v1")


def mechanism() -> Mechanism:
    """What is to be had here, found by making a group and setting its limits."""
    for version in _GROUPS:
        try:
            with _made(version, ShellLimits()):
                return version
        except OSError:
            continue
    return "rlimits"


@contextlib.contextmanager
def limited(how: Mechanism, limits: ShellLimits) -> Iterator[Group | None]:
    """A fresh group with the limits; None where there are only rlimits. OSError: it cannot be made."""
    if how == "rlimits":
        yield None
        return
    with _made(how, limits) as group:
        yield group


@contextlib.contextmanager
def _made(how: str, limits: ShellLimits) -> Iterator[Group]:
    name = f"{_PREFIX}-{os.getpid()}-{time.monotonic_ns()}"
    # Bubblewrap's own processes count too.
    memory, processes = str(limits.memory_mb << 20), str(limits.processes + 8)
    if how == "cgroup v2":
        base = _own_v2()
        wanted = {base / name: {"memory.max": memory, "memory.swap.max": "0", "pids.max": processes}}
    else:
        wanted = {
            _ROOT / "memory" / name: {"memory.limit_in_bytes": memory},
            _ROOT / "pids" / name: {"pids.max": processes},
        }
    made: list[Path] = []
    try:
        for folder, settings in wanted.items():
            folder.mkdir()
            made.append(folder)
            for file, value in settings.items():
                # Without swap there is no limit on it to set.
                if "swap" not in file or (folder / file).exists():
                    (folder / file).write_text(value)
        yield Group(tuple(made), made[0])
    finally:
        for folder in made:
            _remove(folder)


def _own_v2() -> Path:
    """The group of this process, if it may hand memory and pids down."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            base = _ROOT / line[3:].lstrip("/")
            if {"memory", "pids"} <= set((base / "cgroup.subtree_control").read_text().split()):
                return base
    raise OSError("no group of version 2 with memory and pids")


def _remove(folder: Path) -> None:
    """The last process may take a moment to be gone."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.02)
