"""The ``clinicare`` command: each module ``cli_*`` brings its commands with ``register(app)``."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Annotated

import typer

import pytest_clinicare


def main() -> None:
    """Entry point of the console script."""
    application()()


def application() -> typer.Typer:
    """The command with every room's subcommands; their modules import what is heavy only when a command runs."""
    app = typer.Typer(
        name="clinicare",
        help="A benchmark for clinical AI agents on chart audit; to run it: pytest --clinicare-system=NAME",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    for module in pkgutil.iter_modules(pytest_clinicare.__path__):
        if module.name.startswith("cli_"):
            importlib.import_module(f"pytest_clinicare.{module.name}").register(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clinicare {pytest_clinicare.__version__}")
        raise typer.Exit


def _options(
    _: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """The options of the command itself."""
