"""Starting one sandboxed process, putting it under its limits before it runs, and listening to it without end."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_CHUNK = 1 << 16


class Heard(NamedTuple):
    """``output`` and ``archive`` as far as they were kept; ``written`` counts all of the output; ``cut`` says why the
    process was killed."""

    status: int
    output: bytes
    written: int
    archive: bytes
    cut: str


@dataclass(frozen=True)
class Bounds:
    """Wall time (s) and bytes: of output kept, of output before the process is killed, and of the archive."""

    seconds: float
    kept: int
    written: int
    archive: int


class Launch:
    """One ``bwrap`` process; ``files`` are handed to it as open descriptors, in order.

    Its arguments come from ``argv(descriptors, block, info, archive)``, since they name the descriptors.
    """

    def __init__(
        self,
        files: Sequence[bytes],
        argv: Callable[[Sequence[int], int, int, int], list[str]],
        user: int | None,
    ) -> None:
        theirs: list[int] = []
        ours: list[int] = []
        try:
            handed = [_memory(content, theirs) for content in files]
            block, self._go = os.pipe()
            self._info, info = os.pipe()
            self._archive, archive = os.pipe()
            theirs += [block, info, archive]
            ours += [self._go, self._info, self._archive]
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                argv(handed, block, info, archive),
                # Bubblewrap's first process shows its environment to the sandbox.
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=theirs,
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def processes(self) -> tuple[int, ...]:
        """The launcher and the first process inside, which waits until ``go``; only the former where it failed."""
        with os.fdopen(self._info, "rb") as told:
            text = told.read()
        with contextlib.suppress(ValueError, KeyError):
            return self.process.pid, int(json.loads(text)["child-pid"])
        return (self.process.pid,)

    def go(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self._go, b"1")
        os.close(self._go)

    def listen(self, bounds: Bounds) -> Heard:
        """Until it ends, or is killed for a bound; its processes end with it. Call from the thread that launched."""
        output, archive, written, cut = bytearray(), bytearray(), 0, ""
        assert self.process.stdout is not None
        until = time.monotonic() + bounds.seconds
        with (
            selectors.DefaultSelector() as ready,
            self.process.stdout as stdout,
            os.fdopen(self._archive, "rb") as packed,
        ):
            for stream in (stdout, packed):
                os.set_blocking(stream.fileno(), False)
                ready.register(stream, selectors.EVENT_READ)
            while ready.get_map() and not cut:
                left = until - time.monotonic()
                if left <= 0:
                    cut = "time limit"
                for key, _ in ready.select(max(0.0, min(left, 0.5))):
                    data = os.read(key.fd, _CHUNK)
                    if not data:
                        ready.unregister(key.fileobj)
                    elif key.fileobj is stdout:
                        written += len(data)
                        output += data[: max(0, bounds.kept - len(output))]
                        cut = cut or ("output limit" if written > bounds.written else "")
                    else:
                        archive += data
                        cut = cut or ("archive" if len(archive) > bounds.archive else "")
            if cut:
                self.process.kill()
            status = self.process.wait()
        return Heard(status, bytes(output), written, bytes(archive), cut)


def _memory(content: bytes, into: list[int]) -> int:
    """A file in memory with this content, open at its start."""
    descriptor = os.memfd_create("clinicare")
    into.append(descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
