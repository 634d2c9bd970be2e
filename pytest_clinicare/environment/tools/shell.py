"""The shell: commands in a sandbox that sees results handed to it, and never the chart."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from pytest_clinicare.environment.sandbox.protocol import ShellLimits
from pytest_clinicare.environment.tools.arguments import Arguments
from pytest_clinicare.environment.tools.context import Context, Reading, Tool, ToolError

NAME = "run_shell"
_MOST_FILES = 100


class RunShell(Arguments):
    command: str = Field(min_length=1, max_length=20_000, description="What bash runs, such as: python3 sums.py")
    seconds: float | None = Field(default=None, gt=0, description="Wall time after which the command is ended.")
    inputs: list[int] | None = Field(
        default=None,
        max_length=50,
        description="Numbers of earlier calls whose results are put into the work directory first: call-<n>.json is "
        "the whole result, call-<n>.csv its rows.",
    )


def run_shell(context: Context, arguments: RunShell) -> Reading:
    workspace = context.workspace
    if workspace is None:
        raise ToolError(
            "there is no shell in this run", "use the other tools; run_sql can count and sum", "unknown_tool"
        )
    if "\0" in arguments.command:
        raise ToolError("command: holds a NUL character, which no command can", "write it without")
    try:
        handed = workspace.hand_in(arguments.inputs or ())
    except KeyError as error:
        raise ToolError(
            f"inputs: call {error.args[0]} has no result", "name calls of this run that succeeded, by their number"
        ) from error
    before = workspace.state
    ran = workspace.run(arguments.command, arguments.seconds or ShellLimits().seconds)
    files = workspace.files
    content: dict[str, Any] = {
        "status": ran.status,
        "ended_by": ran.ended,
        "output": ran.output,
        "output_bytes": ran.written,
        "output_cut": ran.cut,
        "inputs": handed,
        "files": [{"name": f.name, "bytes": len(f.content), "sha256": f.digest} for f in files[:_MOST_FILES]],
        "more_files": max(0, len(files) - _MOST_FILES),
    }
    if ran.state is before:
        content["note"] = "the work directory is as it was before this command"
    return Reading(content, truncated=ran.cut)


def describe(sandbox: dict[str, Any]) -> str:
    """What the agent is told of the shell: what is installed, the limits and that nothing else is there."""
    limits = ShellLimits.model_validate(sandbox["limits"])
    versions = ", ".join(f"{name} {version}" for name, version in sandbox["versions"].items())
    return (
        f"Run a bash command in a sandbox with {versions}. The work directory /ws keeps its files from one command to "
        "the next; nothing else does, and background processes end with the command. There is no network and no chart: "
        "hand results of earlier calls in with inputs. "
        f"Limits: {limits.seconds:g} s, {limits.memory_mb} MB of memory, {limits.work_mb} MB of files, "
        f"{limits.output_bytes} bytes of output shown."
    )


TOOLS = (Tool(NAME, "Run a bash command in a sandbox.", RunShell, run_shell),)
