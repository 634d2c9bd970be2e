"""Commands of an agent, run where they see and reach nothing of this machine."""

from __future__ import annotations

import shutil
import sys

from pytest_clinicare.environment.sandbox import cgroups, seccomp
from pytest_clinicare.environment.sandbox.analysis import Analysis, prepare_analysis
from pytest_clinicare.environment.sandbox.bubblewrap import Bubblewrap
from pytest_clinicare.environment.sandbox.canary import breaches
from pytest_clinicare.environment.sandbox.protocol import Ran, Sandbox, SandboxError, ShellLimits

__all__ = ["Analysis", "Bubblewrap", "Ran", "Sandbox", "SandboxError", "ShellLimits", "prove_sandbox"]

_NEEDED = {"bwrap": "bubblewrap", "prlimit": "util-linux", "timeout": "coreutils", "tar": "tar", "bash": "bash"}


def prove_sandbox(limits: ShellLimits | None = None, slot: int = 0) -> Bubblewrap:
    """The sandbox of this machine, after it has withstood the canary.

    ``slot`` keeps what runs beside it apart: two with the same share the limit of processes.
    Raises SandboxError with what is missing or what does not hold, and what to do.
    """
    if sys.platform != "linux" or not seccomp.supported():
        raise SandboxError("the shell's sandbox needs Linux on x86-64 or arm64")
    if missing := [package for program, package in _NEEDED.items() if shutil.which(program) is None]:
        raise SandboxError(f"the shell's sandbox needs {', '.join(missing)}; on Debian: apt-get install bubblewrap")
    sandbox = Bubblewrap(prepare_analysis(), limits or ShellLimits(), cgroups.mechanism(), slot)
    if found := breaches(sandbox, sandbox.limits):
        raise SandboxError(f"the shell's sandbox does not hold here: {'; '.join(found)}")
    return sandbox
