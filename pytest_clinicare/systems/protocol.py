"""The seam that every system under test stands behind."""

from __future__ import annotations

from typing import Any, Protocol

from pytest_clinicare.environment import Brief, ToolResult


class Toolbox(Protocol):
    """What a system sees of the environment: call a tool by name; mistakes come back as ``ok=False`` results."""

    def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult: ...


class System(Protocol):
    """A complete configuration under test, named ``harness/model`` (``scripted/reference``)."""

    name: str

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        """Investigate and file a report with ``submit_report``; or return the report as text.

        Raises anything for an infrastructure failure: an exception is never the system's wrong answer.
        """
        ...
