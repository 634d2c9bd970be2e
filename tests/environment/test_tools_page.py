"""The page of the tools in the documentation is what the code says today, and its examples work."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pytest_clinicare.case_environment import open_case
from pytest_clinicare.environment import ToolResult, tool_specs
from pytest_clinicare.tool_page import tool_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tools.md"


def test_the_page_is_current_and_every_example_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_case("post-ct-aki-07", None, None) as (environment, brief):
        page = tool_page(environment, brief)
        failed = [event.n for event in environment.events if isinstance(event, ToolResult) and not event.ok]
    assert page == PAGE.read_text(encoding="utf-8"), "write it anew: clinicare tools post-ct-aki-07 --page"
    assert failed == []
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == [spec.name for spec in tool_specs()]


def test_nothing_on_the_page_tells_of_the_reference() -> None:
    text = PAGE.read_text(encoding="utf-8").lower()
    for told in ("must-not", "reference verdict", "variant", "rubric", "recipe"):
        assert told not in text
    assert all(json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, re.DOTALL))
