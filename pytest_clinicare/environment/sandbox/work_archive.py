"""The work directory between commands: a tar archive that the host passes on and never unpacks.

So nothing that an agent names, links or nests can touch a file of the host: links, devices, pipes, sparse files and
deep trees stay bytes. Reading artifacts takes regular files only, and reads them here: an agent can forge the archive,
and ``tarfile`` has extensions (pax headers, sparse maps) that take it minutes.
"""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

_MOST_MEMBERS = 2_000
_LONGEST_NAME = 240
_LONGEST_PATH = 4096
_BLOCK = 512
_REGULAR = (b"0", b"\0", b"7")
_OCTAL = re.compile(rb"[ \0]*([0-7]{1,11})[ \0]")
"""A number of a header; those that do not fit are written otherwise, and no file of a work directory is as large."""


class WorkFile(NamedTuple):
    """A regular file of a work directory; ``name`` is relative to it."""

    name: str
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256, the first 16 digits."""
        return hashlib.sha256(self.content).hexdigest()[:16]


def with_files(state: bytes, files: Mapping[str, bytes]) -> bytes:
    """The archive with these files put over what it holds."""
    added = io.BytesIO()
    with tarfile.open(fileobj=added, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    # Archives may stand one behind the other: ``tar --ignore-zeros`` reads on, and the later file wins.
    return state + added.getvalue()


def files_of(state: bytes, most_bytes: int) -> Iterator[WorkFile]:
    """The regular files, in the order of their names; at most ``most_bytes`` of content in all.

    An archive that cannot be read further ends the list: its bytes are the agent's.
    """
    found: dict[str, WorkFile] = {}
    left = most_bytes
    for raw, kind, content in islice(_members(memoryview(state)), _MOST_MEMBERS):
        name = _plain_name(raw)
        if name is not None and kind in _REGULAR and len(content) <= left:
            found[name] = WorkFile(name, bytes(content))
            left -= len(content)
    yield from (found[name] for name in sorted(found))


def _members(state: memoryview) -> Iterator[tuple[bytes, bytes, memoryview]]:
    """Name, type and content of each member, in GNU tar's own format, up to the first that is not in it."""
    place, long_name = 0, b""
    while place + _BLOCK <= len(state):
        header = bytes(state[place : place + _BLOCK])
        place += _BLOCK
        if not any(header):
            continue
        size = _OCTAL.match(header, 124, 136)
        checked = sum(header[:148]) + 8 * ord(" ") + sum(header[156:])
        checksum = _OCTAL.match(header, 148, 156)
        if size is None or checksum is None or int(checksum.group(1), 8) != checked:
            return
        content = state[place : place + int(size.group(1), 8)]
        if len(content) < int(size.group(1), 8):
            return
        place += -(-len(content) // _BLOCK) * _BLOCK
        kind = header[156:157]
        if kind == b"L":
            long_name = bytes(content[:_LONGEST_PATH]).partition(b"\0")[0]
        elif kind != b"K":
            yield long_name or header[:100].partition(b"\0")[0], kind, content
            long_name = b""


def _plain_name(raw: bytes) -> str | None:
    """The name without a leading ``./``; None for one that a host should not write."""
    try:
        plain = raw.decode().removeprefix("./")
    except UnicodeDecodeError:
        return None
    parts = plain.split("/")
    bad = not plain or len(plain) > _LONGEST_NAME or plain.startswith("/") or not plain.isprintable()
    if bad or any(part in ("", ".", "..") for part in parts):
        return None
    return plain
