"""``clinicare mcp`` and ``clinicare tools``: the environment of one case, for an agent over MCP or for a person."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from pytest_clinicare.environment import Brief, Environment

EXIT_USAGE = 4
_POLL = 0.2

_Case = Annotated[str, typer.Argument(metavar="CASE", help="A case id, such as post-ct-aki-07.")]
_Folder = Annotated[
    Path | None, typer.Option("--cases", metavar="DIR", help="A folder of your own cases, in place of those that ship.")
]
_Trace = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the log of the session there.")]


def register(app: typer.Typer) -> None:
    """Add both commands to the application."""
    app.command("mcp")(_mcp)
    app.command("tools")(_tools)


def _mcp(
    case: _Case,
    http: Annotated[bool, typer.Option("--http", help="Serve on a loopback port, in place of stdio.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http: the port; 0 takes a free one.")] = 0,
    socket: Annotated[Path | None, typer.Option(metavar="PATH", help="Serve HTTP on a Unix socket.")] = None,
    trace: _Trace = None,
    cases: _Folder = None,
) -> None:
    """Serve the tools of one case over MCP: on stdio, on a loopback port (--http) or on a Unix socket (--socket).

    With HTTP the address and the token are printed as one line of JSON; the server ends when the report is filed or the
    time is over.
    """
    if port and not http:
        _refuse("mcp", "--port goes with --http")
    if http and socket is not None:
        _refuse("mcp", "--http and --socket exclude each other")
    with _usage("mcp"), _opened(case, cases, trace) as (environment, brief):
        if http or socket is not None:
            _serve_http(environment, brief, port, socket)
        else:
            from pytest_clinicare.environment.mcp_server import serve_stdio

            serve_stdio(environment, brief)
        ended = "report filed" if environment.report else "no report"
        typer.echo(f"clinicare mcp: {case}: {ended}{f'; log in {trace}' if trace else ''}", err=True)


def _serve_http(environment: Environment, brief: Brief, port: int, socket: Path | None) -> None:
    import time

    from pytest_clinicare.environment.mcp_http import McpServing

    try:
        serving = McpServing(environment, brief, port=port, socket_path=socket)
    except OSError as error:
        where = socket or f"port {port}"
        _refuse("mcp", f"cannot listen on {where}: {error.strerror}; choose another")
    with serving:
        place = {"url": serving.url, **({"socket": str(socket)} if socket else {}), "headers": serving.headers}
        typer.echo(json.dumps(place))
        try:
            while environment.report is None and not environment.out_of_time:
                time.sleep(_POLL)
            # The call that filed it is still to be answered.
            time.sleep(_POLL)
        except KeyboardInterrupt:
            typer.echo("", err=True)


def _tools(
    case: _Case,
    page: Annotated[bool, typer.Option("--page", help="Print the documentation page of the tools and end.")] = False,
    trace: _Trace = None,
    cases: _Folder = None,
) -> None:
    """Use the tools of one case by hand, and see just what an agent sees."""
    from rich.console import Console

    from pytest_clinicare.tool_page import tool_page
    from pytest_clinicare.tool_shell import ToolShell

    with _usage("tools"), _opened(case, cases, trace) as (environment, brief):
        if page:
            typer.echo(tool_page(environment, brief), nl=False)
            return
        ToolShell(environment, brief, Console(highlight=False), prompt=sys.stdin.isatty()).cmdloop()


@contextmanager
def _opened(case: str, folder: Path | None, trace: Path | None) -> Iterator[tuple[Environment, Brief]]:
    from pytest_clinicare.case_environment import open_case

    with open_case(case, folder, trace) as opened:
        yield opened


@contextmanager
def _usage(command: str) -> Iterator[None]:
    """What the user has to put right ends the command with its message and not with a traceback."""
    from pytest_clinicare.case_environment import UnknownCase
    from pytest_clinicare.charts import ChartError
    from pytest_clinicare.environment import CorpusError
    from pytest_clinicare.suite import SuiteError

    try:
        yield
    except (UnknownCase, ChartError, CorpusError, SuiteError) as error:
        _refuse(command, str(error))
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("mcp", "mcp_types", "uvicorn"):
            raise
        _refuse(command, "the MCP SDK is not installed; pip install 'pytest-clinicare[mcp]'")


def _refuse(command: str, message: str) -> NoReturn:
    typer.echo(f"clinicare {command}: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)
