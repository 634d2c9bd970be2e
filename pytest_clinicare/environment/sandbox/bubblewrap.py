"""Commands in a bubblewrap sandbox: own namespaces, no network, a read-only system, and limits that hold.

A command sees a system without this host's files, its work directory ``/ws`` on a memory file system of limited size,
and the analysis packages. It runs without capabilities, as a user that owns nothing, behind a filter of system calls.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest_clinicare
from pytest_clinicare.environment.sandbox import cgroups, seccomp
from pytest_clinicare.environment.sandbox.analysis import Analysis
from pytest_clinicare.environment.sandbox.launch import Bounds, Heard, Launch
from pytest_clinicare.environment.sandbox.protocol import Ended, Ran, SandboxError, ShellLimits

_FIRST_UID, _SLOTS, _UIDS_OF_A_SLOT = 61_000, 50, 20
_turns = itertools.count()
_GRACE = 5.0
"""Seconds beyond the time limit for packing the work directory."""
_MOST_WRITTEN = 8 << 20
"""Bytes of output after which a command is ended."""
_PYTHON, _PACKAGES = "/opt/python", "/opt/packages"
_ENVIRONMENT = {
    "PATH": f"{_PYTHON}/bin:/usr/bin:/bin",
    "HOME": "/ws",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "TMPDIR": "/tmp",
    "PYTHONHOME": _PYTHON,
    "PYTHONPATH": _PACKAGES,
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "LD_LIBRARY_PATH": f"{_PYTHON}/lib",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
}
# $1 the command, $2 its seconds; descriptor 3 brings the work directory and 4 takes it back.
_WRAPPER = """\
tar --extract --ignore-zeros --no-same-owner --directory=/ws <&3 2>/dev/null
exec 3<&- 5>&2 2>/dev/null
timeout --signal=KILL "$2" /bin/bash --noprofile --norc -c "$1" </dev/null 4>&- 2>&5 5>&-
status=$?
kill -KILL -1
exec >/dev/null 5>&-
tar --create --format=gnu --directory=/ws . >&4
exit $status
"""
_KILLED = 128 + signal.SIGKILL
_ATTEMPTS = 3
_STARTED = 2
"""Processes that a launch knows of: bubblewrap's own and the first one inside."""
_NO_FORK = "Can't fork for pid 1"


@dataclass(frozen=True)
class Bubblewrap:
    """``slot`` is the number of the worker: with root each has a user of its own, as the kernel counts by user."""

    analysis: Analysis
    limits: ShellLimits = field(default_factory=ShellLimits)
    mechanism: cgroups.Mechanism = "rlimits"
    slot: int = 0

    @property
    def description(self) -> dict[str, Any]:
        return {
            "isolation": "bubblewrap: namespaces, no network, no capabilities, system call filter",
            "limits_by": self.mechanism,
            "limits": self.limits.model_dump(),
            "versions": self.analysis.versions,
        }

    def run(self, command: str, *, seconds: float, state: bytes) -> Ran:
        try:
            for _ in range(_ATTEMPTS):
                ran = self._run_once(command, min(seconds, self.limits.seconds), state)
                # The kernel counts the processes of a sandbox that has just ended for a moment longer.
                if ran is not None:
                    return ran if ran.state else ran._replace(state=state)
                time.sleep(0.3)
        except (OSError, subprocess.SubprocessError) as error:
            raise SandboxError(f"the sandbox cannot be started: {error}") from error
        raise SandboxError("the sandbox cannot be started: this user has too many processes")

    def _run_once(self, command: str, wall: float, state: bytes) -> Ran | None:
        """None where the kernel still counts too many processes. Raises SandboxError where bubblewrap itself fails."""

        def argv(files: Sequence[int], block: int, info: int, archive: int) -> list[str]:
            arguments, rules, work = files
            taken = f"exec 3<&{work} 4>&{archive} {work}<&- {archive}>&-\n{_WRAPPER}"
            return [
                *self._prefix(),
                *("bwrap", "--args", str(arguments), "--seccomp", str(rules)),
                *("--block-fd", str(block), "--info-fd", str(info)),
                *("--", "/bin/bash", "--noprofile", "--norc", "-c", taken, "sandbox", command, f"{wall:g}"),
            ]

        packed = b"".join(part.encode() + b"\0" for part in self._arguments())
        # A tar archive has a header and padding for each file.
        room = 2 * (self.limits.work_mb << 20)
        bounds = Bounds(wall + _GRACE, self.limits.output_bytes, _MOST_WRITTEN, room)
        started = time.monotonic()
        with cgroups.limited(self.mechanism, self.limits) as group:
            launch = Launch((packed, seccomp.program(), state), argv, self._next_user())
            processes = launch.processes()
            if group is not None and len(processes) == _STARTED:
                for process in processes:
                    with contextlib.suppress(ProcessLookupError):
                        group.add(process)
            launch.go()
            heard = launch.listen(bounds)
            out_of_memory = group is not None and group.out_of_memory
        text = heard.output.decode("utf-8", "replace")
        if text.startswith("bwrap: ") and heard.status == 1 and not heard.archive:
            if _NO_FORK in text:
                return None
            raise SandboxError(f"the sandbox cannot be started: {text.strip()[:400]}")
        ended = _ended(heard, out_of_memory, time.monotonic() - started >= wall)
        status = heard.status if ended in ("exit", "memory limit") and heard.status >= 0 else None
        cut = heard.written > len(heard.output)
        return Ran(status, ended, text, heard.written, cut, b"" if heard.cut else heard.archive)

    def _prefix(self) -> list[str]:
        limits = self.limits
        return [
            "prlimit",
            f"--nproc={limits.processes if _root() else _own_processes() + limits.processes}",
            f"--as={limits.memory_mb << 20}",
            f"--fsize={limits.file_mb << 20}",
            f"--cpu={limits.cpu_seconds}",
            "--core=0",
            "--nofile=256",
        ]

    def _arguments(self) -> list[str]:
        view = self.analysis.folder
        given = [
            "--unshare-user", "--uid", "1000", "--gid", "1000", "--disable-userns", "--unshare-pid", "--unshare-net",
            "--unshare-ipc", "--unshare-uts", "--unshare-cgroup", "--hostname", "sandbox", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL", "--clearenv",
        ]  # fmt: skip
        for name, value in _ENVIRONMENT.items():
            given += ["--setenv", name, value]
        given += [
            "--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/opt", "--ro-bind", "/usr", "/usr",
            "--tmpfs", "/usr/local", *_masked(),
            "--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin", "--symlink", "usr/lib", "/lib",
            "--symlink", "usr/lib64", "/lib64", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
            "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
            "--ro-bind", str(view / "python"), _PYTHON, "--ro-bind", str(view / "packages"), _PACKAGES,
            "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
            "--perms", "1777", "--size", str(64 << 20), "--tmpfs", "/tmp",
            "--perms", "1777", "--size", str(16 << 20), "--tmpfs", "/dev/shm",
            "--perms", "0755", "--size", str(self.limits.work_mb << 20), "--tmpfs", "/ws", "--chdir", "/ws",
            "--remount-ro", "/usr/local", "--remount-ro", "/proc", "--remount-ro", "/",
        ]  # fmt: skip
        return given

    def _next_user(self) -> int | None:
        """The user of the host that the next command runs as, where it is another than this process's.

        A worker takes turns among several: the kernel still counts the processes of a sandbox that has just ended.
        """
        if not _root():
            return None
        return _FIRST_UID + self.slot % _SLOTS * _UIDS_OF_A_SLOT + next(_turns) % _UIDS_OF_A_SLOT


def _ended(heard: Heard, out_of_memory: bool, late: bool) -> Ended:
    if heard.cut == "output limit":
        return "output limit"
    if heard.cut == "archive":
        return "work directory limit"
    if heard.cut or (heard.status == _KILLED and late):
        return "time limit"
    if out_of_memory and heard.status:
        return "memory limit"
    return "exit" if heard.archive else "its own sandbox"


def _masked() -> list[str]:
    """Where this package and its suite lie below ``/usr``, an empty folder instead of them."""
    lies = {Path(pytest_clinicare.__file__).resolve().parent.parent, Path(sysconfig.get_path("purelib"))}
    return [part for path in sorted(lies) if path.is_relative_to("/usr") for part in ("--tmpfs", str(path))]


def _root() -> bool:
    return os.geteuid() == 0


def _own_processes() -> int:
    """Threads of this user, which the kernel's limit on processes counts."""
    uid, count = os.getuid(), 0
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                count += len(os.listdir(entry / "task"))
    return count
