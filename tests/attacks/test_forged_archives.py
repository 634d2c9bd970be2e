"""Archives that an agent forges through the pipe that packs its work directory: the host reads them in no time."""

from __future__ import annotations

import tarfile
import time

import pytest

from pytest_clinicare.environment.sandbox.work_archive import files_of, with_files

_MOST = 1 << 20
_END = bytes(1024)


def _header(name: str, size: int, kind: bytes = b"0") -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.GNU_FORMAT)


def _sized(header: bytes, size: bytes) -> bytes:
    """The header with another size as it stands there, and a fitting checksum."""
    changed = header[:124] + size.ljust(12, b"\0") + b" " * 8 + header[156:]
    return changed[:148] + b"%06o\0 " % sum(changed) + changed[156:]


FORGED = {
    "pax header of digits": _header("p", 400_384, b"x") + b"1" * 400_384 + _header("x", 0) + _END,
    "sparse": _header("s", 512, b"S") + b"9" * 512,
    "negative size": _sized(_header("n", 0), b"\xff" * 12) + _END,
    "negative size of a long name": _sized(_header("n", 0, b"L"), b"\xff" * 12) + _END,
    "size with a sign": _sized(_header("n", 0), b"-0000000512") + _END,
    "larger than it is": _header("n", 1 << 32) + _END,
    "many long names": (_header("l", 10, b"L") + b"a".ljust(512, b"\0")) * 20_000,
    "wrong checksum": b"a" * 512 + _END,
    "links": _header("/etc/passwd", 0, b"1") + _header("x", 0, b"2") + _END,
    "outside": b"".join(_header(name, 0) for name in ("../x", "/x", "a/../b", "./", "a//b", "new\nline")) + _END,
    "half a header": b"x" * 100,
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_archive_holds_no_file_that_it_should_not(name: str) -> None:
    began = time.process_time()
    files = list(files_of(FORGED[name], _MOST))
    assert time.process_time() - began < 3
    assert {(file.name, file.content) for file in files} <= {("x", b"")}


def test_files_are_taken_whatever_stands_before_them() -> None:
    long = "/".join(["folder"] * 20) + "/file.csv"
    whole = with_files(with_files(b"", {"a.json": b"1", long: b"2" * 600}), {"a.json": b"3"})
    assert [(file.name, file.content) for file in files_of(whole, _MOST)] == [("a.json", b"3"), (long, b"2" * 600)]
    assert [file.name for file in files_of(whole + b"rubbish" * 200, _MOST)] == ["a.json", long]
    assert [file.name for file in files_of(whole, 500)] == ["a.json"]
