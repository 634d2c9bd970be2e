"""What is wrong in a suite's files, and where."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Problem(NamedTuple):
    """One mistake; ``line`` is 1-based, or None where the file as a whole is meant."""

    file: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        where = str(self.file) if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.message}"


class SuiteError(Exception):
    """A suite that cannot be loaded; its text lists every problem found, one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))
