"""The proof, at the start of a session, that the sandbox holds: attacks that must fail, and limits that must bite."""

from __future__ import annotations

import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pytest_clinicare.environment.sandbox.protocol import Sandbox, ShellLimits

_PROBE = """\
exec 2>/dev/null
grep -c {secret} {decoy} && echo BREACH: reads a file of the host
grep -a -q = /proc/1/environ && echo BREACH: sees the environment of the harness
[ $(ls -d /proc/[0-9]* | wc -l) -lt 12 ] || echo BREACH: sees the processes of the host
[ -e {package} ] && echo BREACH: sees the harness
(exec 9<>/dev/tcp/127.0.0.1/{port}) && echo BREACH: reaches a listener of the host
for bits in CapEff CapPrm CapBnd; do
  grep -q "^$bits:[[:space:]]*0*$" /proc/self/status || echo "BREACH: holds capabilities ($bits)"
done
grep -q '^NoNewPrivs:[[:space:]]*1$' /proc/self/status || echo BREACH: may gain privileges
grep -q '^Seccomp:[[:space:]]*2$' /proc/self/status || echo BREACH: no filter of system calls
for place in / /usr /etc /opt /proc/sys/kernel/core_pattern; do
  [ -w $place ] && echo "BREACH: may write $place"
done
unshare --user true && echo BREACH: makes namespaces
head -c {file} /dev/zero > filled && echo BREACH: a file has no limit
(for n in 1 2 3 4 5 6; do head -c {part} /dev/zero > filled$n || exit 1; done) && echo BREACH: /ws has no limit
rm -f filled*
ulimit -u | grep -q '^[0-9]' || echo BREACH: processes have no limit
python3 -c 'x = bytearray({memory})' && echo BREACH: memory has no limit
python3 -c 'import numpy, pandas, scipy' || echo BREACH: the analysis packages are not there
echo DONE
"""


def breaches(sandbox: Sandbox, limits: ShellLimits) -> list[str]:
    """What the sandbox does not hold; empty where all is as it has to be.

    Raises SandboxError where it cannot be started.
    """
    return list(_breaches(sandbox, limits))


def _breaches(sandbox: Sandbox, limits: ShellLimits) -> Iterator[str]:
    import pytest_clinicare

    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        decoy = Path(folder) / "decoy"
        decoy.write_text(secret)
        Path(folder).chmod(0o755)
        command = _PROBE.format(
            secret=secret,
            decoy=decoy,
            package=Path(pytest_clinicare.__file__).resolve().parent,
            port=listening.getsockname()[1],
            file=(limits.file_mb + 1) << 20,
            part=limits.work_mb * (1 << 20) // 4,
            memory=(limits.memory_mb + 64) << 20,
        )
        ran = sandbox.run(command, seconds=30, state=b"")
    lines = ran.output.splitlines()
    yield from (line.removeprefix("BREACH: ") for line in lines if line.startswith("BREACH: "))
    if "DONE" not in lines:
        yield f"the probe did not end as it should ({ran.ended}: {ran.output.strip()[-200:]})"
    if (slow := sandbox.run("sleep 30", seconds=0.3, state=b"")).ended != "time limit":
        yield f"time has no limit ({slow.ended})"
