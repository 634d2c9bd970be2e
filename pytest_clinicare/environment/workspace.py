"""The shell of one run: its sandbox, the work directory between commands, and what is handed into it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_clinicare.environment.sandbox.protocol import Ran, Sandbox
from pytest_clinicare.environment.sandbox.work_archive import WorkFile, files_of, with_files

MOST_FILES_BYTES = 16 << 20
"""Bytes of files that are listed to the agent and kept as artifacts of a run."""


@dataclass
class Workspace:
    """``content_of`` gives the content of an earlier call, None where there was none that succeeded.

    ``state`` is what the next command finds: what the last one left, and what was handed in since.
    """

    sandbox: Sandbox
    content_of: Callable[[int], dict[str, Any] | None]
    state: bytes = field(default=b"", repr=False)
    _left: bytes = field(default=b"", repr=False)
    _handed: dict[str, bytes] = field(default_factory=dict, repr=False)

    def hand_in(self, calls: Iterable[int]) -> dict[str, int]:
        """Put the results of earlier calls into the work directory: names with sizes in bytes.

        Each as ``call-<n>.json``, its rows also as ``call-<n>.csv``. Raises KeyError for a call without a result.
        """
        files: dict[str, bytes] = {}
        for number in calls:
            content = self.content_of(number)
            if content is None:
                raise KeyError(number)
            files[f"call-{number}.json"] = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
            rows = content.get("rows")
            if rows and all(isinstance(row, dict) for row in rows):
                files[f"call-{number}.csv"] = _csv(rows)
        if files:
            # Each once, however many commands are ended before one packs them.
            self._handed.update(files)
            self.state = with_files(self._left, self._handed)
        return {name: len(content) for name, content in files.items()}

    def run(self, command: str, seconds: float) -> Ran:
        """One command; the work directory is then as it left it, or as before where it was ended by a limit."""
        ran = self.sandbox.run(command, seconds=seconds, state=self.state)
        if ran.state is not self.state:
            self.state = self._left = ran.state
            self._handed = {}
        return ran

    @property
    def files(self) -> list[WorkFile]:
        return list(files_of(self.state, MOST_FILES_BYTES))

    def save(self, folder: Path) -> None:
        """Write the files of the work directory below ``folder``; nothing is written where there are none."""
        for file in self.files:
            path = folder / file.name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
            except OSError:
                # A file where another name wants a folder; the trace has the name and digest of both.
                continue


def _csv(rows: list[dict[str, Any]]) -> bytes:
    """All columns of the rows in order of appearance; a missing value is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "replace")
