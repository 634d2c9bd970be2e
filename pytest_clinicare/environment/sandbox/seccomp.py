"""The system calls that a sandboxed command may not make, as a BPF program for ``bwrap --seccomp``.

A list of refusals (EPERM) on top of namespaces: what reaches other processes, mounts, kernel interfaces, devices and
set-id files, and sockets other than Unix and internet. Calls newer than the list are not there (ENOSYS). Only the
numbers of x86-64 are tested by the attack suite.
"""

from __future__ import annotations

import errno
import platform
import struct

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE = _ERRNO | errno.EPERM
# Offsets in ``struct seccomp_data``: number, architecture, low words of the arguments.
_NUMBER, _ARCH = 0, 4
_ARGUMENT = (16, 24, 32, 40, 48, 56)
_X32 = 0x40000000
_NEW_NAMESPACES = 0x7E020080
_SET_ID = 0o6000
_CREATES = 0o100 | 0o20000000
_TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which type into a terminal."""
_SOCKETS = (1, 2, 10)

_COMMON = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438, "mount_setattr": 442,
    "quotactl_fd": 443, "memfd_secret": 447, "statmount": 457, "listmount": 458,
}  # fmt: skip
_X86_64 = {
    "ptrace": 101, "syslog": 103, "personality": 135, "vhangup": 153, "pivot_root": 155, "adjtimex": 159,
    "chroot": 161, "acct": 163, "settimeofday": 164, "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168,
    "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173, "init_module": 175,
    "delete_module": 176, "quotactl": 179, "lookup_dcookie": 212, "clock_settime": 227, "mbind": 237,
    "set_mempolicy": 238, "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272,
    "move_pages": 279, "perf_event_open": 298, "fanotify_init": 300, "name_to_handle_at": 303,
    "open_by_handle_at": 304, "clock_adjtime": 305, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311,
    "kcmp": 312, "finit_module": 313, "kexec_file_load": 320, "bpf": 321, "userfaultfd": 323, "mknod": 133,
    "mknodat": 259,
}  # fmt: skip
_AARCH64 = {
    "lookup_dcookie": 18, "mknodat": 33, "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51, "vhangup": 58,
    "quotactl": 60, "acct": 89, "personality": 92, "unshare": 97, "kexec_load": 104, "init_module": 105,
    "delete_module": 106, "clock_settime": 112, "syslog": 116, "ptrace": 117, "reboot": 142, "sethostname": 161,
    "setdomainname": 162, "settimeofday": 170, "adjtimex": 171, "add_key": 217, "request_key": 218, "keyctl": 219,
    "swapon": 224, "swapoff": 225, "mbind": 235, "set_mempolicy": 237, "move_pages": 239, "perf_event_open": 241,
    "fanotify_init": 262, "name_to_handle_at": 264, "open_by_handle_at": 265, "clock_adjtime": 266, "setns": 268,
    "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "finit_module": 273, "bpf": 280,
    "userfaultfd": 282, "kexec_file_load": 294,
}  # fmt: skip
# Architecture word; calls refused; clone, clone3, ioctl, socket; calls with a mode (number, argument of the mode);
# calls that create by flags (number, argument of the flags, argument of the mode).
_MACHINES = {
    "x86_64": (
        0xC000003E, _X86_64, (56, 435, 16, 41), ((90, 1), (91, 1), (268, 2), (452, 2), (85, 1)),
        ((2, 1, 2), (257, 2, 3)),
    ),
    "aarch64": (0xC00000B7, _AARCH64, (220, 435, 29, 198), ((52, 1), (53, 2), (452, 2)), ((56, 2, 3),)),
}  # fmt: skip
_OPENAT2 = 437
_NEWEST = 462
"""The last call that was looked at (mseal), the same number on both machines; later ones, such as another way to
``open_tree``, are as on a kernel without them."""

Step = tuple[int, int, int, int]


def supported() -> bool:
    """Whether the numbers of this machine's system calls are known."""
    return platform.machine() in _MACHINES


def program() -> bytes:
    """The filter of this machine. Raises KeyError for one that is not ``supported``."""
    arch, refused, (clone, clone3, ioctl, socket), modes, creating = _MACHINES[platform.machine()]
    steps: list[Step] = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    if platform.machine() == "x86_64":
        steps += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_AT_LEAST, 0, 1, _NEWEST + 1), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    for number in sorted({*refused.values(), *_COMMON.values()}):
        steps += _when(number, [(_RETURN, 0, 0, _REFUSE)])
    # These two take their flags in memory, where a filter cannot look: the C library falls back to the older calls.
    for number in (clone3, _OPENAT2):
        steps += _when(number, [(_RETURN, 0, 0, _ERRNO | errno.ENOSYS)])
    steps += _when(clone, _unless_bits(0, _NEW_NAMESPACES))
    steps += _when(ioctl, _among(1, _TERMINAL, _REFUSE, _ALLOW))
    steps += _when(socket, _among(0, _SOCKETS, _ALLOW, _REFUSE))
    for number, place in modes:
        steps += _when(number, _unless_bits(place, _SET_ID))
    for number, flags, mode in creating:
        creates = [(_LOAD, 0, 0, _ARGUMENT[flags]), (_ANY_BIT, 1, 0, _CREATES), (_RETURN, 0, 0, _ALLOW)]
        steps += _when(number, [*creates, *_unless_bits(mode, _SET_ID)])
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", code, yes, no, value) for code, yes, no, value in steps)


def _when(number: int, then: list[Step]) -> list[Step]:
    """``then`` (which ends in a return on every path) for one system call."""
    return [(_EQUAL, 0, len(then), number), *then]


def _unless_bits(argument: int, bits: int) -> list[Step]:
    return [
        (_LOAD, 0, 0, _ARGUMENT[argument]),
        (_ANY_BIT, 0, 1, bits),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _among(argument: int, values: tuple[int, ...], then: int, otherwise: int) -> list[Step]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [(_LOAD, 0, 0, _ARGUMENT[argument]), *tests, (_RETURN, 0, 0, otherwise), (_RETURN, 0, 0, then)]
