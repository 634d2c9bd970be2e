"""What a command in the shell tries to see: other charts, the suite, the host, its processes and its network."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_clinicare
from pytest_clinicare.environment import Bubblewrap, Environment
from pytest_clinicare.suite import suite_root

from .conftest import Shell

HOST = Path(pytest_clinicare.__file__).resolve().parent


@pytest.mark.parametrize(
    "path",
    [
        HOST,
        HOST / "_data",
        suite_root().cases,
        suite_root().rubrics,
        suite_root().policy_docs,
        Path.home(),
        Path("/etc/passwd"),
        Path("/etc/shadow"),
        Path("/var/log"),
        Path("/sys"),
        Path("/run"),
        Path("/dev/mem"),
        Path("/dev/kmsg"),
        Path("/proc/kcore"),
    ],
    ids=lambda path: path.name or "root",
)
def test_a_file_of_the_host_is_not_there(shell: Shell, path: Path) -> None:
    seen = shell(f"cat '{path}' 2>/dev/null; ls -A '{path}' 2>/dev/null; true")
    assert (seen.ok, seen.content["output"].replace(str(path), "").strip()) == (True, "")


def test_the_chart_and_its_neighbours_are_not_there(shell: Shell, environment: Environment, secret: str) -> None:
    chart = Path(str(environment.header.chart))
    found = shell(f"ls '{chart.parent}'; cat '{chart}' '{chart.parent}'/*; find / -xdev -name '*.sqlite' 2>/dev/null")
    assert secret not in found.content["output"]
    assert "SQLite" not in found.content["output"]
    assert [line for line in found.content["output"].splitlines() if line.endswith(".sqlite")] == []


def test_no_reference_of_the_suite_can_be_found(shell: Shell) -> None:
    """Every file that can be read, by content: the id of a case or the name of a variant is nowhere."""
    found = shell(
        "grep -r -l -I -e 'post-ct-aki' -e 'over_commitment' / --exclude-dir=proc --exclude-dir=sys 2>/dev/null; true"
    )
    assert found.content["ended_by"] == "exit"
    assert found.content["output"].strip() == ""


def test_the_interpreter_has_the_analysis_packages_and_not_the_harness(shell: Shell) -> None:
    found = shell(
        "python3 - <<'X'\n"
        "import importlib.metadata as m, importlib.util as u\n"
        "print(sorted(d.metadata['Name'].lower() for d in m.distributions()))\n"
        "print([n for n in ('pytest_clinicare','pytest','openai','anthropic','pydantic','pip') if u.find_spec(n)])\n"
        "X"
    )
    packages, forbidden = found.content["output"].splitlines()
    assert {"numpy", "pandas", "scipy"} <= set(eval(packages))
    assert forbidden == "[]"


def test_no_key_and_nothing_else_of_the_environment(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-decoy-1234")
    seen = shell("env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'")
    assert "sk-decoy" not in seen.content["output"]
    assert not {name for name in os.environ if f"\n{name}=" in seen.content["output"]} - {
        "HOME",
        "PATH",
        "PWD",
        "SHLVL",
        "LANG",
        "TERM",
        "TMPDIR",
        "_",
        "OLDPWD",
        "OPENBLAS_NUM_THREADS",
        "OMP_NUM_THREADS",
        "PYTHONPATH",
        "PYTHONDONTWRITEBYTECODE",
    }


def test_arguments_and_mounts_name_no_path_of_the_run(shell: Shell, environment: Environment, tmp_path: Path) -> None:
    seen = shell("cat /proc/*/cmdline 2>/dev/null | tr '\\0' ' '; cat /proc/self/mountinfo").content["output"]
    for told in (str(tmp_path), str(environment.header.chart), str(environment.header.subject_id), "post-ct"):
        assert told not in seen


def test_no_process_of_the_host(shell: Shell) -> None:
    seen = shell(f"ls -d /proc/[0-9]* | wc -l; ls /proc/{os.getpid()}/environ 2>&1; kill -9 1; echo alive")
    lines = seen.content["output"].splitlines()
    assert int(lines[0]) < 12
    assert "No such file" in lines[1]
    assert lines[-1] == "alive"


def test_killing_everything_ends_the_command_alone(shell: Shell) -> None:
    shell("echo kept > kept.txt")
    ended = shell("kill -9 -1; echo > lost.txt; echo alive")
    assert ended.content["ended_by"] == "its own sandbox"
    assert ended.content["note"] == "the work directory is as it was before this command"
    assert shell("ls").content["output"] == "kept.txt\n"


@pytest.fixture
def listener() -> Iterator[tuple[int, list[str]]]:
    """A server of the host and who reached it."""
    reached: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        stop = threading.Event()

        def serve() -> None:
            while not stop.is_set():
                try:
                    server.accept()[0].close()
                    reached.append("tcp")
                except TimeoutError:
                    continue

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], reached
        stop.set()
        thread.join()


def test_no_network_out(shell: Shell, listener: tuple[int, list[str]]) -> None:
    port, reached = listener
    seen = shell(
        "python3 - <<'X'\n"
        "import socket\n"
        f"for where in (('127.0.0.1', {port}), ('localhost', {port}), ('192.0.2.1', 80), ('::1', {port})):\n"
        "    try: socket.create_connection(where, 1); print('reached', where)\n"
        "    except OSError as e: print(type(e).__name__)\n"
        "for family in (16, 17, 38, 40):\n"
        "    try: socket.socket(family, socket.SOCK_RAW); print('opened', family)\n"
        "    except OSError as e: print(e.errno)\n"
        "X"
    )
    assert reached == []
    assert "reached" not in seen.content["output"]
    assert "opened" not in seen.content["output"]


def test_no_network_in(sandbox: Bubblewrap) -> None:
    """A server inside is not to be had from the host."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = threading.Thread(
        target=sandbox.run, args=(f"timeout 3 python3 -m http.server {port}",), kwargs={"seconds": 3, "state": b""}
    )
    running.start()
    reached = False
    for _ in range(20):
        with socket.socket() as client:
            client.settimeout(0.1)
            reached |= client.connect_ex(("127.0.0.1", port)) == 0
        running.join(0.1)
    running.join()
    assert not reached


def test_an_abstract_socket_of_the_host_is_not_there(shell: Shell) -> None:
    name = f"\0clinicare-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        reach = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name[1:]}')"
        seen = shell(f'python3 -c "{reach}" 2>&1 | tail -1')
    assert "ConnectionRefusedError" in seen.content["output"]
