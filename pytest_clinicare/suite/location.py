"""Where the suite's data lies: the repository checkout, or inside the installed wheel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_clinicare.suite.problem import Problem, SuiteError

_PACKAGE = Path(__file__).resolve().parent.parent
_FOLDERS = ("cases", "rubrics", "policy_docs", "fixtures")


@dataclass(frozen=True)
class SuiteRoot:
    """A folder that holds ``cases/ rubrics/ policy_docs/ fixtures/``, and ``pairs/`` where cases have twins."""

    path: Path

    @property
    def cases(self) -> Path:
        return self.path / "cases"

    @property
    def pairs(self) -> Path:
        return self.path / "pairs"

    @property
    def rubrics(self) -> Path:
        return self.path / "rubrics"

    @property
    def policy_docs(self) -> Path:
        return self.path / "policy_docs"

    @property
    def fixtures(self) -> Path:
        return self.path / "fixtures"


def suite_root(path: Path | None = None) -> SuiteRoot:
    """The suite at ``path``, else the checkout that this package is imported from, else the data in the wheel.

    Raises SuiteError when ``path`` is no suite, or when neither place holds one.
    """
    if path is not None:
        if not _is_suite(path):
            raise SuiteError([Problem(path, None, f"not a suite: it needs the folders {', '.join(_FOLDERS)}")])
        return SuiteRoot(path)
    for candidate in (_PACKAGE.parent, _PACKAGE / "_data"):
        if _is_suite(candidate):
            return SuiteRoot(candidate)
    raise SuiteError([Problem(_PACKAGE, None, "the installation holds no cases; install pytest-clinicare again")])


def _is_suite(path: Path) -> bool:
    return all((path / folder).is_dir() for folder in _FOLDERS)
