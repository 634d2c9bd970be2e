"""The seam that every system under test stands behind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pytest_clinicare.environment import Brief, Told, ToolResult

if TYPE_CHECKING:
    from pytest_clinicare.environment.mcp_http import McpServing


class Toolbox(Protocol):
    """What a system sees of the environment."""

    def call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool by name; mistakes come back as ``ok=False`` results."""
        ...

    def record(self, told: Told) -> None:
        """Add to the trace what only the system knows: a turn of its model, what the run used, a remark."""
        ...

    def serve(self, brief: Brief, socket_path: Path | None, /) -> McpServing:
        """The tools over MCP for an agent in a process of its own, while the result is open as a context."""
        ...


class System(Protocol):
    """A complete configuration under test, named ``harness/model`` (``scripted/reference``)."""

    name: str

    def run(self, brief: Brief, tools: Toolbox) -> str | None:
        """Investigate and file a report with ``submit_report``; or return the report as text.

        Raises anything for an infrastructure failure: an exception is never the system's wrong answer.
        """
        ...


@dataclass(frozen=True)
class Check:
    """One thing that a system needs: whether it is there, what was found, and what to do where it is not."""

    name: str
    ok: bool
    told: str
    remedy: str = ""


@runtime_checkable
class Declared(Protocol):
    """A system that tells what it is and what it needs; those of the roster do."""

    @property
    def settings(self) -> dict[str, str]:
        """What decides whether two runs may be compared: harness and its version, model, effort, prompt, endpoint."""
        ...

    @property
    def remote(self) -> bool:
        """Whether cases leave this machine."""
        ...

    def checks(self) -> Iterable[Check]:
        """What must be there before the first run: binaries, keys, packages. No network, nothing that costs."""
        ...
