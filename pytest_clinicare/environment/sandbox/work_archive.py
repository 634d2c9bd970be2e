"""The work directory between commands: a tar archive that the host passes on and never unpacks.

So nothing that an agent names, links or nests can touch a file of the host: links, devices, pipes, sparse files and
deep trees stay bytes. Reading artifacts takes regular files only.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_MOST_MEMBERS = 2_000
_LONGEST_NAME = 240


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
    with tarfile.open(fileobj=added, mode="w") as archive:
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
    try:
        with tarfile.open(fileobj=io.BytesIO(state), mode="r:", ignore_zeros=True) as archive:
            for number, member in enumerate(archive):
                if number >= _MOST_MEMBERS:
                    break
                name = _plain_name(member.name)
                # A sparse file has the type of a regular one and a size that its content does not have.
                if name is None or not member.isreg() or member.issparse() or member.size > left:
                    continue
                content = archive.extractfile(member)
                if content is not None:
                    data = content.read(member.size)
                    found[name] = WorkFile(name, data)
                    left -= len(data)
    except (tarfile.TarError, ValueError, OverflowError, EOFError, OSError, RecursionError):
        pass
    yield from (found[name] for name in sorted(found))


def _plain_name(name: str) -> str | None:
    """The name without a leading ``./``; None for one that a host should not write."""
    plain = name.removeprefix("./")
    parts = plain.split("/")
    bad = not plain or len(plain) > _LONGEST_NAME or plain.startswith("/") or not plain.isprintable()
    if bad or any(part in ("", ".", "..") for part in parts):
        return None
    try:
        plain.encode()
    except UnicodeEncodeError:
        return None
    return plain
