"""What a command in the shell tries to use up or to escape through."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pytest_clinicare.environment import Bubblewrap, Environment, ToolResult

from .conftest import LIMITS, Shell

PYTHON = "python3 - <<'X'\n{}\nX"


def test_a_fork_bomb_ends_with_its_command(shell: Shell) -> None:
    began = time.monotonic()
    bombed = shell(":(){ :|:& };: ; sleep 1; echo survived", seconds=4)
    assert bombed.ok
    assert time.monotonic() - began < 12
    assert shell("echo next").content["output"] == "next\n"


def test_processes_are_counted(shell: Shell) -> None:
    started = shell(
        "for n in $(seq 400); do sleep 5 & done 2>/dev/null; jobs -r | wc -l; kill -9 $(jobs -p)", seconds=15
    )
    last = started.content["output"].split()
    assert not last or int(last[-1]) <= LIMITS.processes


def test_memory_of_one_process(shell: Shell) -> None:
    taken = shell("python3 -c 'x = bytearray(700 << 20); print(len(x))'")
    assert taken.content["status"] != 0
    assert str(700 << 20) not in taken.content["output"]


def test_memory_of_many_processes(shell: Shell, sandbox: Bubblewrap) -> None:
    if sandbox.mechanism == "rlimits":
        pytest.skip("without a control group only each process is bounded")
    taken = shell(
        PYTHON.format(
            "import os, time\n"
            "for n in range(8):\n"
            "    if os.fork() == 0:\n"
            "        x = bytearray(b'x') * (200 << 20); time.sleep(3); print('held', flush=True); os._exit(0)\n"
            "for n in range(8): os.wait()"
        ),
        seconds=15,
    )
    assert taken.content["output"].count("held") < 3


def test_the_work_directory_is_of_limited_size(shell: Shell) -> None:
    filled = shell("for n in $(seq 40); do head -c 1M /dev/zero > f$n || break; done; du -sm . | cut -f1")
    assert "No space left" in filled.content["output"]
    assert int(filled.content["output"].split()[-1]) <= LIMITS.work_mb


def test_one_file_is_of_limited_size(shell: Shell) -> None:
    filled = shell("head -c 14M /dev/zero > big; ls -l big | awk '{print $5}'")
    assert int(filled.content["output"].split()[-1]) <= LIMITS.file_mb << 20


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_other_writable_places_are_of_limited_size(shell: Shell, place: str) -> None:
    filled = shell(
        f"for n in $(seq 30); do head -c 10M /dev/zero > {place}/f$n || break; done; du -sm {place} | cut -f1"
    )
    assert "No space left" in filled.content["output"]
    assert int(filled.content["output"].split()[-1]) <= 64


def test_many_files_do_not_stop_the_run(shell: Shell) -> None:
    shell("mkdir many; cd many; for n in $(seq 20000); do : > $n; done", seconds=15)
    assert shell("echo next").content["output"] == "next\n"


def test_endless_output_is_cut(shell: Shell) -> None:
    began = time.monotonic()
    told = shell("yes")
    assert told.content["ended_by"] == "output limit"
    assert len(told.content["output"]) <= LIMITS.output_bytes
    assert told.truncated
    assert time.monotonic() - began < 5


def test_output_that_is_no_text_is_cut_and_told(shell: Shell) -> None:
    """Each byte that is no text is shown as a sign of three."""
    told = shell(f"head -c {LIMITS.output_bytes + 1} /dev/zero | tr '\\0' '\\377'")
    assert (told.content["output_bytes"], told.content["output_cut"], told.truncated) == (30_001, True, True)
    whole = shell("printf '\\377'")
    assert (whole.content["output_bytes"], whole.content["output_cut"]) == (1, False)


def test_an_endless_command_is_ended(shell: Shell) -> None:
    shell("echo kept > kept.txt")
    ended = shell("while :; do :; done", seconds=1)
    assert (ended.content["status"], ended.content["ended_by"]) == (None, "time limit")
    assert shell("cat kept.txt").content["output"] == "kept\n"


def test_a_child_in_the_background_ends_with_its_command(shell: Shell) -> None:
    began = time.monotonic()
    shell("setsid nohup sh -c 'sleep 1; echo late > /ws/late.txt' >/dev/null 2>&1 & disown; echo done")
    assert time.monotonic() - began < 1
    assert shell("sleep 1.5; ls").content["output"] == ""


def test_a_child_that_holds_the_output_does_not_hold_the_run(shell: Shell) -> None:
    began = time.monotonic()
    assert shell("sleep 30 & echo done").content["output"] == "done\n"
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "command",
    [
        "unshare --user --map-root-user true",
        "mount -t tmpfs none /ws",
        "mount -o remount,rw /usr",
        "umount -l /proc",
        "chroot /ws true",
        "mknod null c 1 3",
        "mkfifo --mode=4755 pipe",
        "install -m 4755 /bin/true suid",
        "cp /bin/true t && chmod 4755 t",
        "touch /usr/x",
        "touch /etc/x",
        "touch /x",
        "echo core > /proc/sys/kernel/core_pattern",
        "echo 1 > /proc/sys/vm/overcommit_memory",
        "dd if=/dev/mem count=1 of=out",
        "su -c true",
        "sudo true",
        "hostname other",
        "date --set=2001-01-01",
        "strace -p 1",
        "gdb -p 1 -batch",
        "nsenter --target 1 --mount true",
        "sysctl -w kernel.panic=1",
        "dmesg",
    ],
)
def test_a_way_out_is_closed(shell: Shell, command: str) -> None:
    tried = shell(f"{command} && echo OUT")
    assert "OUT\n" not in tried.content["output"]
    assert tried.content["status"] != 0


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (101, "16, 1, 0, 0"),  # ptrace: attach to the first process
        (310, "1, 0, 0, 0, 0, 0"),  # process_vm_readv
        (272, "0x10000000"),  # unshare: a user namespace
        (308, "0, 0"),  # setns
        (321, "0, 0, 0"),  # bpf
        (298, "0, 0, -1, -1, 0"),  # perf_event_open
        (425, "1, 0"),  # io_uring_setup
        (250, "0, 0, 0"),  # keyctl
        (304, "0, 0, 0"),  # open_by_handle_at
        (438, "0, 0, 0"),  # pidfd_getfd
        (165, "0, 0, 0, 0, 0"),  # mount
        (428, "-100, b'/ws', 0"),  # open_tree
        (447, "0"),  # memfd_secret
        (457, "0, 0, 0, 0"),  # statmount
        (56, "0x10000011, 0, 0, 0, 0"),  # clone: a user namespace
        (90, "name, 0o4755"),  # chmod: set-uid
        (257, "-100, name, 0o101, 0o4755"),  # openat: create with set-uid
        (0x40000000 + 1, "1, name, 1"),  # write by the other calling convention
    ],
)
def test_a_system_call_is_refused(shell: Shell, number: int, arguments: str) -> None:
    tried = shell(
        PYTHON.format(
            "import ctypes, os, errno\n"
            "libc = ctypes.CDLL(None, use_errno=True)\n"
            "name = b'own'; open('own', 'w').close()\n"
            f"print(libc.syscall({number}, {arguments}), errno.errorcode.get(ctypes.get_errno()))"
        )
    )
    assert tried.content["output"] == "-1 EPERM\n"


def test_system_calls_newer_than_the_filter_are_not_there(shell: Shell) -> None:
    """Among them ``open_tree_attr`` (467), which opens what the refused ``open_tree`` does."""
    tried = shell(
        PYTHON.format(
            "import ctypes, errno\n"
            "libc = ctypes.CDLL(None, use_errno=True)\n"
            "for number in (463, 467, 480, 511):\n"
            "    print(libc.syscall(number, -100, b'/ws', 0, 0, 0), errno.errorcode[ctypes.get_errno()])"
        )
    )
    assert tried.content["output"] == "-1 ENOSYS\n" * 4


def test_nothing_is_typed_into_a_terminal(shell: Shell) -> None:
    tried = shell(PYTHON.format("import fcntl, pty\nm, s = pty.openpty()\nfcntl.ioctl(s, 0x5412, b'x')"))
    assert "PermissionError" in tried.content["output"]


def test_hostile_names_in_the_work_directory_stay_there(environment: Environment, tmp_path: Path, secret: str) -> None:
    def shell(command: str) -> ToolResult:
        return environment.call("run_shell", {"command": command})

    made = shell(
        "ln -s /etc/shadow shadow; ln -s / root; ln -s ../other-patient.sqlite relative; mkfifo fifo; "
        "truncate -s 1T sparse 2>/dev/null; truncate -s 10M sparse2; echo fine > ok; ln ok hard; "
        "mkdir -p sub; echo two > sub/ok2; echo x > $'new\\nline'; echo x > $'\\xff\\xfe'; echo x > '..x'; "
        "d=.; for n in $(seq 300); do d=$d/d; done; mkdir -p $d; echo deep > $d/deep; echo made"
    )
    assert made.content["output"].endswith("made\n")
    again = shell("cat sub/ok2; readlink shadow; ls fifo")
    assert again.content["output"] == "two\n/etc/shadow\nls: cannot access 'fifo': No such file or directory\n"
    environment.close()
    kept = {str(path.relative_to(tmp_path / "artifacts")): path for path in (tmp_path / "artifacts").rglob("*")}
    files = {name for name, path in kept.items() if path.is_file()}
    assert {"ok", "sub/ok2", "..x"} <= files
    assert not any(path.is_symlink() or path.is_fifo() for path in kept.values())
    assert not {"shadow", "root", "relative", "fifo"} & kept.keys()
    assert sum(kept[name].stat().st_size for name in files) < 32 << 20
    assert not any("\n" in name or "\udcff" in name for name in kept)
    assert secret not in "".join(kept[name].read_text(errors="replace") for name in files if "sparse" not in name)


def test_a_forged_archive_is_only_the_agents_loss(shell: Shell) -> None:
    """The wrapper's pipe can be found by its own user; what is written into it is what the agent gets back."""
    shell("echo mine > mine.txt")
    forged = shell(
        PYTHON.format(
            "import os, glob\n"
            "for path in glob.glob('/proc/[0-9]*/fd/*'):\n"
            "    try:\n"
            "        if 'pipe' in os.readlink(path): open(path, 'wb', 0).write(b'x' * 10240)\n"
            "    except OSError: pass"
        ),
        seconds=5,
    )
    assert forged.ok
    assert shell("echo next").content["output"] == "next\n"
