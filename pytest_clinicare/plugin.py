"""The hooks that pytest loads in every project where the package is installed.

They only wire: without a system to run nothing else is imported, printed or written.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from pytest_clinicare.pytest_side.options import add_options, check_command_line, read_settings, system_named


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, int | None, int | None]:
    # Before pytest-xdist reads the options. A case takes minutes with a real agent, so that handing out the items in
    # chunks, xdist's default, would leave workers idle at the end.
    option = config.option
    if getattr(option, "numprocesses", None) and getattr(option, "dist", None) == "no" and system_named(config):
        option.dist = "worksteal"
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    check_command_line(config)
    if system_named(config):
        from pytest_clinicare.pytest_side.start import start

        start(config, read_settings(config))
