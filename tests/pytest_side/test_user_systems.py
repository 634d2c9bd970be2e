"""Systems that users bring: the example of the documents, and one that an installed package registers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_clinicare.results import RunStore

DOCUMENT = Path(__file__).parents[2] / "docs" / "writing-a-system.md"
ONE = ["-p", "no:cacheprovider", "-k", "post-ct-aki-01"]


@pytest.fixture
def example(pytester: pytest.Pytester) -> None:
    """The example as a user would copy it: the first block of Python, in a package of its own."""
    block = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    package = pytester.mkpydir("my_package")
    (package / "my_module.py").write_text(block[1], encoding="utf-8")


def _verdict(pytester: pytest.Pytester, system: str) -> tuple[str, str | None]:
    """Outcome and verdict of the system's run of the one case."""
    pytester.runpytest_inprocess(f"--clinicare-system={system}", *ONE)
    (record,) = RunStore(pytester.path / ".clinicare" / "runs").find("latest").records().values()
    return record.outcome, record.verdict


@pytest.mark.usefixtures("charts", "example")
def test_the_example_of_the_documents_runs(pytester: pytest.Pytester) -> None:
    assert _verdict(pytester, "my_package.my_module:MySystem") == ("answered", "lack")


@pytest.mark.usefixtures("charts", "example")
def test_entry_point(pytester: pytest.Pytester) -> None:
    installed = pytester.mkdir("my_package-1.0.dist-info")
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[clinicare.systems]\nmine = my_package.my_module:MySystem\n")
    pytester.syspathinsert()
    assert _verdict(pytester, "mine") == ("answered", "lack")


@pytest.mark.usefixtures("charts", "example")
def test_changed_system_does_not_reuse_its_old_answers(pytester: pytest.Pytester) -> None:
    system = "my_package.my_module:MySystem"
    assert _verdict(pytester, system)[1] == "lack"
    module = pytester.path / "my_package" / "my_module.py"
    module.write_text(module.read_text().replace('"verdict": "lack"', '"verdict": "ambiguous"'))
    result = pytester.runpytest_subprocess(f"--clinicare-system={system}", *ONE)
    assert "reused" not in result.stdout.str()
    reports = sorted((pytester.path / ".clinicare" / "runs").glob("*/report.json"))
    assert len(reports) == 2
